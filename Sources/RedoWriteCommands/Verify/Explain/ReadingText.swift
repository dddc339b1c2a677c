// A JSON object split into its top-level members, so that members can be removed, changed and added.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The members of a canonical JSON object.
struct ReadingText {
  /// Names, escaped and without quotes, and values, in the order of the text.
  private var members: [(name: String, value: [UInt8])] = []

  /// Splits an object.
  ///
  /// - Parameter canonical: RFC 8785 JSON; the result is `nil` when it is not an object.
  init?(_ canonical: [UInt8]) {
    guard let document = try? JSONDocument(canonical), document.root.isObject else { return nil }
    var values = document.root.members
    while let member = values.next() {
      members.append((member.name.contentText, member.value.bytes))
    }
  }

  /// The value of a member, as JSON.
  subscript(name: String) -> [UInt8]? { members.first { $0.name == name }?.value }

  /// The content of a member that is a string without escapes.
  func string(_ name: String) -> [UInt8]? {
    guard let value = self[name], value.count >= 2, value[0] == UInt8(ascii: "\""),
      !value.contains(UInt8(ascii: "\\"))
    else { return nil }
    return Array(value[1..<value.count - 1])
  }

  /// The same object without some members.
  func removing(_ names: String...) -> ReadingText {
    var copy = self
    copy.members.removeAll { names.contains($0.name) }
    return copy
  }

  /// The same object with a member added or changed.
  func setting(_ name: String, _ value: [UInt8]) -> ReadingText {
    var copy = self
    copy.members.removeAll { $0.name == name }
    // The added names are ASCII, for which byte order is the order of RFC 8785.
    let place = copy.members.firstIndex {
      $0.name.utf8.lexicographicallyPrecedes(name.utf8) == false
    }
    copy.members.insert((name, value), at: place ?? copy.members.count)
    return copy
  }

  /// The same object with one member changed, if that member is an object.
  func changing(_ name: String, _ change: (ReadingText) -> ReadingText) -> ReadingText {
    guard let value = self[name], let inner = ReadingText(value) else { return self }
    return setting(name, change(inner).bytes)
  }

  /// The same object with the names of two members swapped.
  func swapping(_ left: String, _ right: String) -> ReadingText {
    let (first, second) = (self[left], self[right])
    var copy = removing(left, right)
    if let first { copy = copy.setting(right, first) }
    if let second { copy = copy.setting(left, second) }
    return copy
  }

  /// The object as canonical JSON.
  var bytes: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for member in members {
        json.name(escaped: Array(member.name.utf8))
        json.value(json: member.value)
      }
    }
    return json.bytes
  }
}
