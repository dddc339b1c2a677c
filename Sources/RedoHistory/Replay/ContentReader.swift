// The content of a node while it is replayed: `data` scanned once, members read where they stand.

internal import CanonicalJSON
internal import RedoObject

/// Reads the content of one node after another, keeping its memory.
struct ContentReader: ~Copyable {
  private(set) var bytes: [UInt8] = []
  private var scanner = Scanner()
  /// The token of `data.fields` or `data.payload`.
  private(set) var content = 0
  /// Whether the content stands under `payload`.
  private(set) var isPayload = false
  /// Whether `data.conflictResolution.source` is `automatic`.
  private(set) var isAutomatic = false

  /// Reads the content of a node that is not broken.
  mutating func read(_ position: Int, of log: some HistoryLog) {
    bytes.removeAll(keepingCapacity: true)
    log.appendData(at: position, to: &bytes)
    scan()
    let fields = member("fields", of: 0)
    isPayload = fields == nil
    guard let content = fields ?? member("payload", of: 0) else {
      preconditionFailure("BUG: a node without content")
    }
    self.content = content
    let source = member("conflictResolution", of: 0).flatMap { member("source", of: $0) }
    isAutomatic = source.map { isString($0) && isText($0, "automatic") } ?? false
  }

  /// Reads any RFC 8785 text.
  mutating func read(_ text: [UInt8]) {
    bytes = text
    scan()
  }

  private mutating func scan() {
    do throws(JSONError) {
      let bytes = bytes
      try scanner.scan(bytes.span)
    } catch {
      preconditionFailure("BUG: what was accepted as canonical JSON is refused: \(error)")
    }
  }

  /// Hands on the names, as they stand, and value tokens of an object; nothing of anything else.
  func forEachMember(of object: Int, _ body: (Span<UInt8>, Int) -> Void) {
    guard scanner[object].kind == .object else { return }
    var index = object + 1
    let end = Int(scanner[object].next)
    while index < end {
      body(bytes.span.extracting(scanner[index].range), index + 1)
      index = Int(scanner[index + 1].next)
    }
  }

  /// Hands on the tokens of an array; nothing of anything else.
  func forEachElement(of array: Int, _ body: (Int) -> Void) {
    guard scanner[array].kind == .array else { return }
    for element in scanner.elements(of: array) { body(element) }
  }

  /// The token of a member of an object; `nil` when it has none of this name.
  func member(_ wanted: StaticString, of object: Int) -> Int? {
    var found: Int?
    forEachMember(of: object) { name, value in
      if name.elementsEqual(wanted) { found = value }
    }
    return found
  }

  /// A value as it stands.
  func value(_ token: Int) -> [UInt8] { Array(bytes[scanner[token].outerRange]) }

  /// What stands between the quotes of a string, escaped.
  func text(_ token: Int) -> [UInt8] { Array(bytes[scanner[token].range]) }

  /// Whether a value is a string.
  func isString(_ token: Int) -> Bool { scanner[token].kind == .string }

  /// Whether a value is an array.
  func isArray(_ token: Int) -> Bool { scanner[token].kind == .array }

  /// Whether a string is exactly a text without escapes.
  func isText(_ token: Int, _ text: StaticString) -> Bool {
    bytes.span.extracting(scanner[token].range).elementsEqual(text)
  }

  /// A UUID.
  func taskID(_ token: Int) -> TaskID? {
    TaskID(bytes.span.extracting(scanner[token].range))
  }

  /// An object's id.
  func objectID(_ token: Int) -> ObjectID? {
    ObjectID(ascii: bytes.span.extracting(scanner[token].range))
  }

  /// The bytes between the quotes of a string, or of a number.
  func range(_ token: Int) -> Range<Int> { scanner[token].range }
}
