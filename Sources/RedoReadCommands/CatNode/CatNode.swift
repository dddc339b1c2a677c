// redo cat-node: prints what an object is and contains, for one object or many (in the manner of git cat-file).

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo cat-node (-p | -t | -s | -e | --body | --pointer=<pointer>) <id>` and its batch modes.
enum CatNode: Command {
  static let name = "cat-node"
  static let readsArchives = true
  static let summary = "show an object, its kind or its size"
  static var usage: [String] {
    [
      "redo-cat-node [-p | -t | -s | -e | --body | --pointer=<pointer> | --format=<format>] <id>",
      "redo-cat-node (node | receipt | blob) <id>",
      "redo-cat-node <id> <pointer>",
      "redo-cat-node (--batch | --batch-check | --batch-command)[=<format>]\n"
        + "              [--batch-all-objects] [--filter=<filter>] [--buffer] [--strict] [-z | -Z]",
    ]
  }

  private static let pretty = OptionSpec(letter: "p", help: "show it for people, over lines")
  private static let type = OptionSpec(letter: "t", help: "show its kind")
  private static let size = OptionSpec(letter: "s", help: "show the size of its contents")
  private static let exists = OptionSpec(
    letter: "e", help: "print nothing; exit 1 if there is no such object")
  private static let body = OptionSpec("body", help: "show the canonical body, which is hashed")
  private static let pointer = OptionSpec(
    "pointer", .required("pointer"), help: "show one member, named by a JSON pointer")
  static var options: [OptionSpec] {
    [pretty, type, size, exists, body, pointer, .format] + CatNodeBatch.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let mode = try options.only(oneOf: [pretty, type, size, exists, body, pointer, .format])
    if let batch = try CatNodeBatch(options) {
      guard mode == nil else {
        throw CommandError.usage("'\(mode?.spelling ?? "")' cannot be used with a batch mode")
      }
      return try batch.run(&context)
    }
    var names = options.arguments
    var wanted: ObjectKind?
    var path = options.value(pointer)
    if mode == nil, names.count == 2, names[1].utf8.first == UInt8(ascii: "/") {
      path = names.removeLast()
    } else if mode == nil, names.count == 2 {
      guard let kind = ObjectKind(name: names[0]) else {
        throw CommandError.usage("'\(names[0])' is no kind of object")
      }
      wanted = kind
      names.removeFirst()
    }
    guard names.count == 1 else { throw CommandError.usage("one object must be named") }

    let opened = try context.effects.openRepository()
    let store = opened.objects
    let revisions = Revisions(opened, now: context.clock())
    if let mode, mode.isSame(as: exists) { return try exists(names[0], revisions) }
    let id = try revisions.one(names[0])
    var reader = NodeReader()
    guard let object = try reader.object(id, in: store) else {
      throw CommandError.fatal("no object has the name '\(names[0])'")
    }
    if let wanted, wanted != object.kind {
      throw CommandError.fatal("object '\(id.text)' is a \(object.kind.name), not a \(wanted.name)")
    }
    if let path {
      try context.output.write(try member(path, of: object))
    } else {
      try show(object, mode, options, store, &reader, &context)
    }
    return .ok
  }

  private static func exists(
    _ name: String, _ revisions: Revisions
  ) throws -> Exit {
    let id: ObjectID
    do {
      id = try revisions.one(name)
    } catch {
      // A prefix that matches no object means "no", it is not an error.
      let store = revisions.opened.objects
      guard case .missing = try ObjectName.resolve(Array(name.utf8)[...], in: store) else {
        throw error
      }
      return .no
    }
    // The object is read, not only looked up: an object that cannot be read does not count as present.
    return try revisions.opened.objects.read(id) == nil ? .no : .ok
  }

  private static func show(
    _ object: StoredObject, _ mode: OptionSpec?, _ options: ParsedOptions, _ store: ObjectStore,
    _ reader: inout NodeReader, _ context: inout Context
  ) throws {
    var text: [UInt8] = []
    switch mode {
    case .some(let mode) where mode.isSame(as: type):
      text.append(object.kind.name)
      text.append(UInt8(ascii: "\n"))
    case .some(let mode) where mode.isSame(as: size):
      text += "\(ObjectRow(object: object, node: nil).size)\n".utf8
    case .some(let mode) where mode.isSame(as: body):
      text = object.canonical
    case .some(let mode) where mode.isSame(as: pretty):
      var members: [UInt8] = []
      if object.kind == .blob {
        object.appendContents(to: &text)
      } else {
        // Bytes that are no members are for nobody's terminal.
        guard object.kind.appendMembers(of: object, to: &members),
          (try? JSONDocument(members, integers: .any)) != nil
        else { throw HistoryFault.invalid(object) }
        PrettyJSON.append(members.span, to: &text)
        text.append(UInt8(ascii: "\n"))
      }
    case .some(let mode) where mode.isSame(as: .format):
      let format = try Format(options.value(.format) ?? "", atoms: ObjectAtom.ofAllKinds)
      var row = ObjectRow(object: object, node: reader.decode(object))
      row.note(object, &reader)
      if format.contains(where: { if case .source = $0 { true } else { false } }) {
        row.source = try store.source(of: object.id)
      }
      format.append(to: &text) { atom, output in row.append(atom, to: &output) }
      text.append(UInt8(ascii: "\n"))
    case .some, .none:
      object.appendContents(to: &text)
    }
    try context.output.write(text)
  }

  /// The canonical JSON of one member, and a line feed.
  private static func member(
    _ pointer: String, of object: StoredObject
  ) throws -> [UInt8] {
    var text: [UInt8] = []
    guard object.kind.appendMembers(of: object, to: &text) else {
      guard object.kind == .blob else { throw HistoryFault.invalid(object) }
      throw CommandError.fatal(
        "object '\(object.id.text)' is a \(object.kind.name) without members")
    }
    let document: JSONDocument
    do throws(JSONError) {
      // Integers of receipts have 64 bits.
      document = try JSONDocument(text, integers: .any)
    } catch {
      throw CommandError.fatal("object '\(object.id.text)' is corrupt: \(error.rule.rawValue)")
    }
    guard let value = try JSONPointer(pointer).find(in: document.root) else {
      throw CommandError(.refused, "object '\(object.id.text)' has no member '\(pointer)'")
    }
    return value.bytes + [UInt8(ascii: "\n")]
  }
}

/// A JSON pointer (RFC 6901).
struct JSONPointer {
  private let steps: [[UInt8]]

  /// Reads a pointer: empty, or `/` before each step, `~1` for `/` and `~0` for `~`.
  init(_ text: String) throws {
    guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else {
      throw CommandError.usage("a JSON pointer begins with '/', not '\(text)'")
    }
    var steps: [[UInt8]] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/"): steps.append([])
      case UInt8(ascii: "~"):
        index += 1
        guard index < bytes.count,
          bytes[index] == UInt8(ascii: "0") || bytes[index] == UInt8(ascii: "1")
        else {
          throw CommandError.usage("'~' stands before 0 or 1 in a JSON pointer, not in '\(text)'")
        }
        steps[steps.count - 1].append(
          bytes[index] == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
      default: steps[steps.count - 1].append(bytes[index])
      }
      index += 1
    }
    self.steps = steps
  }

  /// The value that the pointer leads to.
  @_lifetime(copy root)
  func find(in root: JSONValue) -> JSONValue? {
    var value = root
    for step in steps {
      guard let next = Self.child(of: value, step) else { return nil }
      value = next
    }
    return value
  }

  @_lifetime(copy value)
  private static func child(of value: JSONValue, _ step: [UInt8]) -> JSONValue? {
    var members = value.members
    while let member = members.next() {
      if member.name.unescaped == step { return member.value }
    }
    let indices = value.elementIndices
    guard let place = Int(String(decoding: step, as: UTF8.self)), step == Array("\(place)".utf8),
      indices.indices.contains(place)
    else { return nil }
    return value.value(at: indices[place])
  }
}
