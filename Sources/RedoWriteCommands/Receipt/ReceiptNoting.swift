// redo receipt mark, place: what is noted about receipts here, and never leaves the store.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo receipt mark [--[no-]favourite] [--[no-]archived] [--tag=<tag>]... [--note=<text>] [--image=<file>]... <cid>...`.
enum ReceiptMarking: Command {
  static let name = "mark"
  static let summary = "note favourites, tags, notes and pictures, here only"
  static var usage: [String] {
    [
      "redo-receipt mark [--[no-]favourite] [--[no-]archived] [--[no-]tag=<tag>]...\n"
        + "             [--[no-]note=<text>] [--[no-]image=<file>]... <cid>..."
    ]
  }
  private static let favourite = OptionSpec("favourite", help: "it is one of those liked most")
  private static let archived = OptionSpec("archived", help: "it is put away")
  private static let tag = OptionSpec(
    "tag", .required("tag"), help: "add a word; '--no-tag' takes all of them away")
  private static let note = OptionSpec(
    "note", .required("text"), help: "note a text in place of the one before")
  private static let image = OptionSpec(
    "image", .required("file"), help: "add a picture; '--no-image' takes all of them away")
  static var options: [OptionSpec] { [favourite, archived, tag, note, image] }

  /// The largest picture, in bytes.
  private static let imageLimit = 64 << 20

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no receipt is named") }
    var marks: [ReceiptMark] = []
    for given in options.given {
      let text = given.value ?? ""
      if favourite ~= given {
        marks.append(.favourite(!given.isNegated))
      } else if archived ~= given {
        marks.append(.archived(!given.isNegated))
      } else if tag ~= given {
        guard given.isNegated || !text.isEmpty else { throw CommandError.usage("a tag is empty") }
        marks.append(given.isNegated ? .noTags : .tag(text))
      } else if note ~= given {
        marks.append(.note(given.isNegated ? nil : text))
      } else if image ~= given {
        guard !given.isNegated else {
          marks.append(.noImages)
          continue
        }
        let bytes = try InputFile.read(text, limit: imageLimit, context.effects)
        marks.append(.image(bytes, name: text))
      }
    }
    guard !marks.isEmpty else { throw CommandError.usage("nothing is to be noted") }
    let opened = try context.effects.openRepository()
    let roots = try options.arguments.map { name in
      try NamedReceipt.one(name, opened, context.effects).root
    }
    context.holdSignals()
    for root in roots { try opened.mark(root, marks, context.effects) }
    return .ok
  }
}

/// `redo receipt place --at=<lat>,<lon> [--accuracy=<m>] [--name=<text>] [--delay=<age>] <cid>`.
enum ReceiptPlace: Command {
  static let name = "place"
  static let summary = "note where something happened, here only"
  static var usage: [String] {
    [
      "redo-receipt place --at=<lat>,<lon> [--accuracy=<metres>] [--name=<text>] [--delay=<age>]\n"
        + "             <cid>"
    ]
  }
  private static let at = OptionSpec(
    "at", .required("lat,lon"), help: "latitude and longitude in degrees")
  private static let accuracy = OptionSpec(
    "accuracy", .required("metres"), help: "how exact that is")
  private static let place = OptionSpec(
    "name", .required("text"), help: "what the place is called")
  private static let delay = OptionSpec(
    "delay", .required("age"), help: "how long nobody else may see it, even roughly")
  static var options: [OptionSpec] { [at, accuracy, place, delay] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let name = try ReceiptMaking.name(options)
    guard let text = options.value(at) else { throw CommandError.usage("'--at' is missing") }
    let degrees = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Self.number(String($0))
    }
    guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
      -90...90 ~= latitude, -180...180 ~= longitude
    else {
      throw CommandError.usage("option '--at' expects degrees such as 52.52,13.405, not '\(text)'")
    }
    let now = context.clock()
    let until = try options.age(delay).map { now + $0 }
    let opened = try context.effects.openRepository()
    let receipt = try NamedReceipt.one(name, opened, context.effects)
    var place = PrecisePlace(
      latitude: latitude, longitude: longitude, captured: receipt.wall?.milliseconds ?? now)
    place.name = options.value(Self.place)
    if let text = options.value(accuracy) {
      guard let metres = Self.number(text), 0...1e9 ~= metres else {
        throw CommandError.usage("option '--accuracy' expects metres, not '\(text)'")
      }
      place.accuracy = metres
    }
    context.holdSignals()
    let cid = try opened.note(place, of: receipt.id, delay: until, context.effects)
    try context.output.writeLine(cid)
    return .ok
  }

  /// A decimal number; nothing else that a float can be.
  private static func number(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }) else {
      return nil
    }
    return Double(text)
  }
}

/// Receipts that are named on a command line.
enum NamedReceipt {
  /// The receipt of a name.
  ///
  /// - Throws: `fatal` when it is none, or no valid one.
  static func one(_ name: String, _ opened: Repository, _ effects: Effects) throws -> Receipt {
    let id = try ObjectName.one(name, in: opened.objects)
    var reader = NodeReader()
    let object = try HistoryWalk.object(id, opened.objects, of: .receipt, &reader)
    guard let receipt = reader.receipt(object) else {
      throw HistoryFault.invalid(object)
    }
    return receipt
  }
}
