// The view of a scanned text: what is there, what is not, and where.

import CanonicalJSON
import TestSupport
import Testing

@Suite("JSONValue")
struct JSONValueTests {
  private func document(
    _ text: String, integers: IntegerPrecision = .exact
  ) throws -> JSONDocument {
    try JSONDocument(Array(text.utf8), integers: integers)
  }

  /// A condition about values, which the macro cannot take apart.
  private func holds(_ condition: Bool) -> Bool { condition }

  private func string(_ span: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in span.indices { bytes.append(span[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a text that is refused has no document", arguments: ["", "{", "[1,]", "nul", "1 2"])
  func refused(text: String) {
    #expect(throws: JSONError.self) { _ = try document(text).isCanonical }
  }

  @Test("two members of one name are refused, so none hides another")
  func duplicateNames() {
    #expect(throws: JSONError(.duplicateName, at: 7)) {
      _ = try document(#"{"a":1,"a":2}"#).isCanonical
    }
    #expect(throws: JSONError(.duplicateName, at: 7)) {
      _ = try document(#"{"a":1,"\u0061":2}"#).isCanonical
    }
  }

  @Test(
    "containers that are empty, and values that are no containers, have no members and elements")
  func empty() throws {
    for text in ["{}", "[]", "1", #""a""#, "true", "false", "null"] {
      let document = try document(text)
      var members = document.root.members
      var elements = document.root.elements
      #expect(holds(members.next() == nil))
      #expect(holds(elements.next() == nil))
      #expect(holds(document.root["a"] == nil))
      var named = document.root.elements(of: "a")
      #expect(holds(named.next() == nil))
      #expect(holds(document.root.nameIndices.isEmpty && document.root.elementIndices.isEmpty))
    }
  }

  @Test("members stand in the order of the text, whatever they contain; a cursor ends once")
  func members() throws {
    let document = try document(#"{"b":[1,{"x":[]},[2]],"a":{"b":{}},"c":null}"#)
    var seen: [String] = []
    var members = document.root.members
    while let member = members.next() {
      seen.append("\(member.name.contentText)=\(string(member.value.raw))")
    }
    #expect(seen == [#"b=[1,{"x":[]},[2]]"#, #"a={"b":{}}"#, "c=null"])
    #expect(holds(members.next() == nil))
    var elements = document.root.elements(of: "b")
    var found: [String] = []
    while let element = elements.next() { found.append(string(element.raw)) }
    #expect(found == ["1", #"{"x":[]}"#, "[2]"])
    #expect(holds(document.root["a"]?["b"]?.isObject == true))
    #expect(holds(document.root["c"]?.isNull == true))
    #expect(holds(document.root["d"]?.isNull == nil))
    #expect(holds(document.root.isUnordered))
    #expect(holds(document.root["a"]?.isUnordered == false))
  }

  @Test("what a value is not is nil")
  func types() throws {
    let document = try document(#"["a",1,true,false,null,{},[]]"#)
    var answers: [String] = []
    var elements = document.root.elements
    while let value = elements.next() {
      let text = value.string ?? "-"
      let boolean = value.boolean.map { "\($0)" } ?? "-"
      let integer = value.integer.map { "\($0)" } ?? "-"
      answers.append(
        "\(value.kind) \(text) \(integer) \(boolean) \(value.escaped == nil) \(value.isText("a"))")
    }
    #expect(
      answers == [
        "string a - - false true", "number - 1 - true false", "literalTrue - - true true false",
        "literalFalse - - false true false", "null - - - true false", "object - - - true false",
        "array - - - true false",
      ])
  }

  @Test("strings come without escapes, pairs of surrogates as one character, empty ones as empty")
  func strings() throws {
    let document = try document(#"["","\ud83d\ude00","\"\\\/\b\f\n\r\t\u0000","é","\u00e9"]"#)
    var texts: [String?] = []
    var raw: [String] = []
    var elements = document.root.elements
    while let value = elements.next() {
      texts.append(value.string)
      raw.append(string(value.content))
      #expect(holds(value.unescaped == value.string.map { Array($0.utf8) }))
      #expect(holds(value.place.lowerBound == value.contentPlace.lowerBound - 1))
      #expect(holds(value.place.upperBound == value.contentPlace.upperBound + 1))
    }
    #expect(texts == ["", "\u{1F600}", "\"\\/\u{8}\u{C}\n\r\t\0", "é", "é"])
    #expect(raw == ["", #"\ud83d\ude00"#, #"\"\\\/\b\f\n\r\t\u0000"#, "é", #"\u00e9"#])
  }

  @Test("a name is found as it is written, not as it reads")
  func escapedNames() throws {
    let document = try document(#"{"\u0061":1,"b":2,"":3}"#)
    #expect(holds(document.root["a"] == nil))
    #expect(holds(document.root["b"]?.integer == 2))
    #expect(holds(document.root[""]?.integer == 3))
    var members = document.root.members
    #expect(holds(members.next()?.name.string == "a"))
  }

  @Test(
    "integers are those of digits alone that fit 64 bits",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", Int64.max),
      ("-9223372036854775808", Int64.min), ("9223372036854775808", nil),
      ("-9223372036854775809", nil), ("99999999999999999999", nil), ("1.0", nil), ("1e3", nil),
      ("123456789012345678", 123_456_789_012_345_678),
    ] as [(String, Int64?)])
  func integers(text: String, expected: Int64?) throws {
    let document = try document(text, integers: .any)
    #expect(holds(document.root.integer == expected))
    #expect(holds(document.root.isInteger == !text.contains { $0 == "." || $0 == "e" }))
  }

  @Test("each value and name knows its pointer, escaped as RFC 6901 says")
  func pointers() throws {
    let document = try document(#" {"a":[10,{"~/":[20],"":30}],"b":{"~\u0301":40}} "#)
    var pointers: [String] = []
    var values = document.root.descent
    while let value = values.next() {
      pointers.append(value.isNumber ? "\(value.pointer)=\(value.contentText)" : value.pointer)
    }
    #expect(
      pointers == [
        "", "/a", "/a", "/a/0=10", "/a/1", "/a/1/~0~1", "/a/1/~0~1", "/a/1/~0~1/0=20", "/a/1/",
        "/a/1/=30", "/b", "/b", "/b/~0\u{301}", "/b/~0\u{301}=40",
      ])
  }

  @Test("an index leads back to its value; a descent stays inside of its value")
  func indices() throws {
    let document = try document(#"{"a":[1,[2]],"b":3}"#)
    let root = document.root
    guard let array = root["a"], let behind = root["b"] else {
      Issue.record("members are missing")
      return
    }
    #expect(holds(root.value(at: array.index).place == array.place))
    #expect(holds(array.elementIndices.map { root.value(at: $0).contentText } == ["1", "[2]"]))
    #expect(holds(root.nameIndices.map { root.value(at: $0).contentText } == ["a", "b"]))
    var inside: [String] = []
    var values = array.descent
    while let value = values.next() {
      inside.append(value.contentText)
      #expect(holds(value.isInside(array)))
    }
    #expect(inside == ["[1,[2]]", "1", "[2]", "2"])
    #expect(holds(!behind.isInside(array)))
    #expect(holds(!root.isInside(array)))
  }

  @Test("512 levels are walked down without recursion")
  func depth() throws {
    let text =
      String(repeating: #"{"a":["#, count: 256) + "0" + String(repeating: "]}", count: 256)
    let document = try document(text)
    var index = 0
    var levels = 0
    while true {
      let value = document.root.value(at: index)
      if value.isObject, let inner = value["a"] {
        index = inner.index
      } else if value.isArray {
        index = value.elementIndices[0]
      } else {
        break
      }
      levels += 1
    }
    #expect(levels == 512)
    #expect(holds(document.root.value(at: index).pointer == String(repeating: "/a/0", count: 256)))
  }

  @Test("a scanner's values are those of the text scanned last")
  func scanner() throws {
    var scanner = Scanner()
    for text in [#"{"a":1}"#, #"[{"a":2}]"#, "3"] {
      let bytes = Array(text.utf8)
      try scanner.scan(bytes.span)
      let root = scanner.root(of: bytes.span)
      #expect(holds(string(root.raw) == text))
    }
  }

  @Test("a document gives its canonical form, and itself where it is canonical")
  func canonical() throws {
    #expect(holds(try document(#" {"b":1.0,"a":[]} "#).canonical == Array(#"{"a":[],"b":1}"#.utf8)))
    let same = try document(#"{"a":"\n"}"#)
    #expect(holds(same.isCanonical))
    #expect(holds(same.canonical == same.text))
  }
}
