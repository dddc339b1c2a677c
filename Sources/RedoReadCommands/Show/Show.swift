// redo show: shows one object, or a few, to people.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo show [--format=<format> | --json] [--[no-]verify] [--color] [-z] (--stdin | [<revision>...])`.
enum Show: Command {
  static let name = "show"
  static let readsArchives = true
  static let summary = "show a change for people, with all that is known of it"
  static var usage: [String] {
    [
      "redo-show [--format=<format> | --json] [--all-fields] [--no-verify] [--color] [-z] [<revision>...]",
      "redo-show [--format=<format> | --json] [--all-fields] [--no-verify] [--color] [-z] --stdin",
    ]
  }

  private static let verify = OptionSpec(
    "verify", help: "look at the signature (default); --no-verify leaves it out")
  private static let stdin = OptionSpec("stdin", help: "read names from standard input")
  static var options: [OptionSpec] {
    [.format, .json, .allFields, verify, stdin, Palette.option, .nulBoth]
  }

  /// How many objects are read together.
  private static let batchCount = 256

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let mode = try options.only(oneOf: [.format, .json])
    let isStream = options.has(stdin)
    guard !isStream || options.arguments.isEmpty else {
      throw CommandError.usage("'--stdin' takes no ids as arguments")
    }
    let shown: Format<ObjectAtom>? =
      mode?.isSame(as: .format) == true
      ? try Format(options.value(.format) ?? "", atoms: ObjectAtom.ofNodes(now: context.clock()))
      : nil
    let opened = try context.effects.openRepository()
    let end = options.rowEnd
    let palette = try context.palette(options, setting: opened.store.config.get("color.ui"))
    let style: ShowStyle = mode == nil ? .people(palette) : shown.map { .format($0) } ?? .json
    let verifies = options.flag(verify) ?? true
    let needsVerdict = shown?.contains { if case .verdict = $0 { true } else { false } } ?? true
    var show = try ShowObjects(
      opened, style: style, verifies: verifies, end: end, showsAll: options.has(.allFields),
      isStream: isStream,
      verifies && needsVerdict ? try context.effects.nodeTrust(opened) : nil, context.effects)

    guard isStream else {
      var ids: [ObjectID] = []
      let revisions = Revisions(opened, now: context.clock())
      for name in options.arguments { ids += try revisions.all(name) }
      if options.arguments.isEmpty {
        guard let newest = try revisions.newest() else {
          throw CommandError.fatal("the history is empty: there is no newest change to show")
        }
        ids = [newest]
      }
      for start in stride(from: 0, to: ids.count, by: batchCount) {
        let part = ids[start..<min(start + batchCount, ids.count)]
        try show.write(part.map { .id($0) }, &context)
      }
      return .ok
    }
    var reader = context.nameBatches(of: batchCount, end: end)
    while let batch = try reader.next() {
      var asked: [ShowObjects.Asked] = []
      for record in batch.records {
        let name = batch.bytes[record.range]
        switch try ObjectName.resolve(name, in: opened.objects) {
        case .id(let id): asked.append(.id(id))
        case .ambiguous: asked.append(.none(Array(name), .ambiguous))
        case .missing, .malformed: asked.append(.none(Array(name), .missing))
        }
      }
      try show.write(asked, &context)
      try context.output.flush()
    }
    return .ok
  }
}
