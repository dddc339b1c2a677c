// The content of a new node, member by member: names as texts, values as JSON.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A content that is being put together.
struct CommitContent {
  private var names: Set<String> = []
  private var members: [UInt8] = []

  /// Nothing yet.
  init() {}

  /// Whether a member has been set.
  func has(_ name: String) -> Bool { names.contains(name) }

  /// The object.
  var object: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  /// Sets a member to a text.
  ///
  /// - Throws: `usage` when it has been set already.
  mutating func set(_ name: String, text: String) throws {
    try begin(name)
    JSONWriter.appendString(text, to: &members)
  }

  /// Sets a member to a JSON value.
  ///
  /// - Parameters:
  ///   - name: the member.
  ///   - json: one JSON value.
  ///   - option: where it comes from, for messages.
  /// - Throws: `usage` when it is no JSON, or the member has been set already.
  mutating func set(_ name: String, json: String, from option: String) throws {
    let bytes = Array(json.utf8)
    do throws(JSONError) {
      _ = try JSONDocument(bytes)
    } catch {
      throw CommandError.usage("option '\(option)': \(Finding(error).summary) in '\(json)'")
    }
    try begin(name)
    members += bytes
  }

  private mutating func begin(_ name: String) throws {
    guard names.insert(name).inserted else {
      throw CommandError.usage("the field '\(name)' is given more than once")
    }
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    JSONWriter.appendString(name, to: &members)
    members.append(UInt8(ascii: ":"))
  }
}
