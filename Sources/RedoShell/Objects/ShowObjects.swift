// Objects as `redo show` and `redo quarantine show` write them.

internal import CanonicalJSON
internal import RedoHistory
package import RedoObject
package import RedoRepository
internal import RedoStore

/// The forms in which objects are shown.
package enum ShowStyle {
  /// Lines for people.
  case people(Palette)
  /// A format, applied to each object.
  case format(Format<ObjectAtom>)
  /// One JSON object per line.
  case json
}

/// Shows objects, a batch at a time.
package struct ShowObjects: ~Copyable {
  /// One requested item.
  package enum Asked {
    /// An object.
    case id(ObjectID)
    /// A name that stands for no object, and why.
    case none([UInt8], ObjectFacts.Absence)
  }

  private let style: ShowStyle
  private let end: UInt8
  private let isStream: Bool
  private let showsAll: Bool
  private var lookup: ObjectLookup
  private var isFirst = true

  /// - Parameters:
  ///   - opened: the store.
  ///   - style: how objects are shown.
  ///   - verifies: whether signatures are verified.
  ///   - end: the byte that ends an object.
  ///   - showsAll: whether fields of records that are hidden are shown as well.
  ///   - isStream: whether a missing or damaged object gets an answer instead of being a fatal error.
  ///   - trust: the trust file, if there is one.
  ///   - effects: receives warnings.
  /// - Throws: `fatal` when the refs or the received log cannot be read.
  package init(
    _ opened: Repository, style: ShowStyle, verifies: Bool, end: UInt8, showsAll: Bool = false,
    isStream: Bool, _ trust: NodeTrust?, _ effects: Effects
  ) throws {
    var request = ObjectLookup.Request()
    if case .format(let format) = style {
      request.wantsFacts = format.contains { if case .verdict = $0 { true } else { false } }
    }
    if case .format = style {} else { request.wantsNames = true }
    request.verifies = verifies
    request.isLong = isStream
    lookup = try ObjectLookup(opened, request, trust, effects)
    self.style = style
    self.end = end
    self.isStream = isStream
    self.showsAll = showsAll
  }

  /// Writes the objects in their order.
  ///
  /// - Throws: `fatal` when an object cannot be read, unless that gets an answer.
  package mutating func write(_ asked: [Asked], _ context: inout Context) throws {
    var found: [Result<StoredObject, Missed>] = []
    for item in asked {
      switch item {
      case .id(let id): found.append(try read(id))
      case .none(let name, let state): found.append(.failure(Missed(name: name, state: state)))
      }
    }
    let facts = try lookup.facts(about: found.compactMap { try? $0.get() })
    var next = 0
    for item in found {
      let isBlankBetween: Bool
      if case .people = style {
        isBlankBetween = end != 0 && !isFirst
      } else {
        isBlankBetween = false
      }
      isFirst = false
      var text: [UInt8] = isBlankBetween ? [UInt8(ascii: "\n")] : []
      switch item {
      case .success(let object):
        append(object, facts[next], to: &text)
        if case .people = style { Self.warn(object, facts[next], context) }
        next += 1
      case .failure(let missed): append(missed, to: &text)
      }
      text.append(end)
      try context.output.write(text)
    }
  }

  /// Warns of values of deprecated fields.
  private static func warn(
    _ object: StoredObject, _ facts: ObjectFacts, _ context: borrowing Context
  ) {
    guard let node = facts.node, let names = facts.names else { return }
    for member in RecordSchemas.members(of: node.content) {
      guard let name = names.name(of: member.name, member.value), name.visibility == .deprecated
      else { continue }
      context.warning(
        "'\(object.id.text)': \(Rule.recordDeprecated.id): the field '\(Escape.text(name.text.text))' is deprecated"
      )
    }
  }

  /// A name that stands for no object.
  private struct Missed: Error {
    let name: [UInt8]
    let state: ObjectFacts.Absence
  }

  private mutating func read(
    _ id: ObjectID
  ) throws -> Result<StoredObject, Missed> {
    let object: StoredObject?
    do throws(StoreError) {
      object = try lookup.read(id)
    } catch {
      guard isStream, case .corrupt = error else { throw CommandError.fatal(error) }
      return .failure(Missed(name: Array(id.text.utf8), state: .corrupt))
    }
    if let object { return .success(object) }
    guard isStream else { throw CommandError.fatal("no object has the name '\(id.text)'") }
    return .failure(Missed(name: Array(id.text.utf8), state: .missing))
  }

  private func append(_ object: StoredObject, _ facts: ObjectFacts, to output: inout [UInt8]) {
    switch style {
    case .people(let palette):
      ShowEntry(object, facts, palette, showsAll: showsAll).append(to: &output)
    case .json: facts.appendJSON(of: object, to: &output)
    case .format(let format):
      let row = ObjectRow(
        object: object, node: facts.node, isRaw: end == 0, verdict: facts.verdict?.letter)
      format.append(to: &output) { atom, output in row.append(atom, to: &output) }
    }
  }

  private func append(_ missed: Missed, to output: inout [UInt8]) {
    guard case .json = style else {
      output += end == 0 ? missed.name : Array(Escape.text(missed.name).utf8)
      output += " \(missed.state.rawValue)".utf8
      return
    }
    output.append("{\"name\":")
    JSONWriter.appendString(String(decoding: missed.name, as: UTF8.self), to: &output)
    output += ",\"state\":\"\(missed.state.rawValue)\"}".utf8
  }
}
