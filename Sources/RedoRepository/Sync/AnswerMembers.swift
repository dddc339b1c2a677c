// The members of a JSON object that another program has written: answers of servers and of helpers.

package import CanonicalJSON

/// The members of a JSON object.
package struct AnswerMembers: Sendable {
  /// A value.
  package enum Value: Sendable {
    /// A text, unescaped.
    case text(String)
    /// A number, as it stands.
    case number(String)
    /// A truth.
    case truth(Bool)
    /// An object or an array, as it stands.
    case nested([UInt8])
    /// Nothing.
    case null
  }

  private var members: [String: Value] = [:]

  /// Reads an object.
  ///
  /// - Parameter text: the JSON text; `nil` of one that is malformed, or no object.
  package init?(_ text: [UInt8]) {
    var scanner = Scanner()
    guard text.count <= Scanner.textLimit, (try? scanner.scan(text.span)) != nil,
      scanner[0].kind == .object
    else { return nil }
    var index = 1
    let end = Int(scanner[0].next)
    while index < end {
      let name = Self.string(text, scanner[index].range)
      members[name] = Self.value(text, scanner[index + 1])
      index = Int(scanner[index + 1].next)
    }
  }

  /// The elements of an array, as they stand.
  ///
  /// - Parameter text: the JSON text.
  /// - Returns: `nil` of one that is malformed, or no array.
  package static func elements(_ text: [UInt8]) -> [[UInt8]]? {
    var scanner = Scanner()
    guard text.count <= Scanner.textLimit, (try? scanner.scan(text.span)) != nil,
      scanner[0].kind == .array
    else { return nil }
    return scanner.elements(of: 0).map { Array(text[scanner[$0].outerRange]) }
  }

  private static func value(_ text: [UInt8], _ token: Token) -> Value {
    switch token.kind {
    case .string: .text(string(text, token.range))
    case .number: .number(String(decoding: text[token.range], as: UTF8.self))
    case .literalTrue: .truth(true)
    case .literalFalse: .truth(false)
    case .object, .array: .nested(Array(text[token.outerRange]))
    case .null: .null
    }
  }

  private static func string(_ text: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: StringEscape.unescape(text.span.extracting(range)), as: UTF8.self)
  }

  /// A member.
  package subscript(_ name: String) -> Value? { members[name] }

  /// A text; `nil` when there is none of this name.
  package func text(_ name: String) -> String? {
    if case .text(let text)? = members[name] { text } else { nil }
  }

  /// An integer, also one that stands as a text; `nil` when there is none.
  package func integer(_ name: String) -> Int64? {
    switch members[name] {
    case .number(let digits)?, .text(let digits)?: Int64(digits)
    case .truth?, .nested?, .null?, nil: nil
    }
  }

  /// A truth; `nil` when there is none.
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
    guard case .nested(let text)? = members[name], let elements = Self.elements(text) else {
      return nil
    }
    var texts: [String] = []
    for element in elements {
      guard element.count >= 2, element.first == UInt8(ascii: "\"") else { return nil }
      texts.append(Self.string(element, 1..<element.count - 1))
    }
    return texts
  }
}
