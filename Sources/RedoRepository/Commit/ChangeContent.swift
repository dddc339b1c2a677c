// The content of a new node, member by member: names as texts, values as JSON.

internal import CanonicalJSON
internal import RedoObject

/// A content that is being put together.
package struct ChangeContent {
  private var names: Set<String> = []
  private var members: [UInt8] = []

  /// Creates an empty content.
  package init() {}

  /// Whether a member has been set.
  package func has(_ name: String) -> Bool { names.contains(name) }

  /// Whether no member has been set.
  package var isEmpty: Bool { names.isEmpty }

  /// The object.
  package var object: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  /// Sets a member to a text.
  ///
  /// - Throws: `repeated` when it has been set already.
  package mutating func set(_ name: String, text: String) throws(ContentFault) {
    try begin(name)
    JSONWriter.appendString(text, to: &members)
  }

  /// Sets a member to a JSON value.
  ///
  /// - Parameters:
  ///   - name: the member.
  ///   - json: one JSON value.
  /// - Throws: `noJSON` when it is not a JSON value, `repeated` when the member has been set already.
  package mutating func set(_ name: String, json: String) throws(ContentFault) {
    let bytes = Array(json.utf8)
    do throws(JSONError) {
      _ = try JSONDocument(bytes)
    } catch {
      throw .noJSON(Finding(error), text: json)
    }
    try begin(name)
    members += bytes
  }

  private mutating func begin(_ name: String) throws(ContentFault) {
    guard names.insert(name).inserted else { throw .repeated(name: name) }
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    JSONWriter.appendString(name, to: &members)
    members.append(UInt8(ascii: ":"))
  }
}
