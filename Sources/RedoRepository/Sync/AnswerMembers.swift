// The members of a JSON object written by another program: answers of servers and helpers.

internal import CanonicalJSON

/// The members of a JSON object.
package struct AnswerMembers: Sendable {
  /// A value.
  package enum Value: Sendable {
    /// A text, unescaped.
    case text(String)
    /// A number, unchanged.
    case number(String)
    /// A Boolean.
    case truth(Bool)
    /// An object or an array, unchanged.
    case nested([UInt8])
    /// A null.
    case null

    fileprivate init(_ value: JSONValue) {
      switch value.kind {
      case .string: self = .text(value.string ?? "")
      case .number: self = .number(value.contentText)
      case .literalTrue: self = .truth(true)
      case .literalFalse: self = .truth(false)
      case .object, .array: self = .nested(value.bytes)
      case .null: self = .null
      }
    }
  }

  private var members: [String: Value] = [:]

  /// Reads an object.
  ///
  /// - Parameter text: the JSON text; the result is `nil` when it is malformed, or not an object.
  package init?(_ text: [UInt8]) {
    guard text.count <= Scanner.textLimit, let document = try? JSONDocument(text),
      document.root.isObject
    else { return nil }
    var values = document.root.members
    while let member = values.next() {
      members[member.name.string ?? ""] = Value(member.value)
    }
  }

  /// The elements of an array, unchanged.
  ///
  /// - Parameter text: the JSON text.
  /// - Returns: `nil` when the text is malformed, or not an array.
  package static func elements(_ text: [UInt8]) -> [[UInt8]]? {
    guard text.count <= Scanner.textLimit, let document = try? JSONDocument(text),
      document.root.isArray
    else { return nil }
    var found: [[UInt8]] = []
    var elements = document.root.elements
    while let element = elements.next() { found.append(element.bytes) }
    return found
  }

  /// A member.
  package subscript(_ name: String) -> Value? { members[name] }

  /// A text; `nil` when there is none of this name.
  package func text(_ name: String) -> String? {
    if case .text(let text)? = members[name] { text } else { nil }
  }

  /// An integer, also when written as a text; `nil` when there is none.
  package func integer(_ name: String) -> Int64? {
    switch members[name] {
    case .number(let digits)?, .text(let digits)?: Int64(digits)
    case .truth?, .nested?, .null?, nil: nil
    }
  }

  /// A Boolean; `nil` when there is none.
  package func truth(_ name: String) -> Bool? {
    if case .truth(let truth)? = members[name] { truth } else { nil }
  }

  /// An object; `nil` when there is none.
  package func object(_ name: String) -> AnswerMembers? {
    if case .nested(let text)? = members[name] { AnswerMembers(text) } else { nil }
  }

  /// The objects of an array; `nil` when there is none, or anything else is in it.
  package func objects(_ name: String) -> [AnswerMembers]? {
    guard case .nested(let text)? = members[name], let elements = Self.elements(text) else {
      return nil
    }
    var objects: [AnswerMembers] = []
    for element in elements {
      guard let object = AnswerMembers(element) else { return nil }
      objects.append(object)
    }
    return objects
  }

  /// The texts of an array; `nil` when there is none, or anything else is in it.
  package func texts(_ name: String) -> [String]? {
    guard case .nested(let list)? = members[name], let document = try? JSONDocument(list),
      document.root.isArray
    else { return nil }
    var texts: [String] = []
    var elements = document.root.elements
    while let element = elements.next() {
      guard let text = element.string else { return nil }
      texts.append(text)
    }
    return texts
  }
}
