// The scanner's tokens, and what it promises in addition to the verdict.

import CanonicalJSON
import TestSupport
import Testing

@Suite("Scanner")
struct ScannerTests {
  @Test("values and names stand in the order of the text")
  func order() throws {
    let text = Array(#"{"a":[1,"x"],"b":{}}"#.utf8)
    var scanner = Scanner()
    try scanner.scan(text.span)
    let root = scanner.root(of: text.span)
    var seen: [String] = []
    for index in 0..<scanner.count {
      let value = root.value(at: index)
      seen.append("\(value.kind) \(value.contentText)")
    }
    #expect(
      seen == [
        #"object {"a":[1,"x"],"b":{}}"#, "string a", #"array [1,"x"]"#, "number 1", "string x",
        "string b", "object {}",
      ])
  }

  @Test("integers that a double does not carry are taken where somebody else has written them")
  func integers() throws {
    let text = Array(#"{"a":9007199254740993,"b":72057594037927936}"#.utf8)
    var strict = Scanner()
    #expect(throws: JSONError(.numberPrecision, at: 5)) { try strict.scan(text.span) }
    var scanner = Scanner(integers: .any)
    try scanner.scan(text.span)
    let isCanonical = scanner.isCanonical
    #expect(!isCanonical)
    let digits = scanner.root(of: text.span)["a"]?.contentText
    #expect(digits == "9007199254740993")
    #expect(throws: JSONError(.numberOverflow, at: 0)) {
      try scanner.scan(Array("1e999".utf8).span)
    }
  }

  @Test("one scanner reads text after text; a refusal leaves nothing of the text before")
  func reuse() {
    var scanner = Scanner()
    func scan(_ text: String) -> String {
      do throws(JSONError) {
        try scanner.scan(Array(text.utf8).span)
      } catch {
        return "\(error.rule.rawValue) \(error.offset), \(scanner.count) tokens"
      }
      return "\(scanner.isCanonical ? "canonical" : "accepted"), \(scanner.count) tokens"
    }
    #expect(scan("[1]") == "canonical, 2 tokens")
    #expect(scan("[1 ") == "json-syntax 3, 0 tokens")
    #expect(scan("[ 2,3]") == "accepted, 3 tokens")
    #expect(scan("") == "json-syntax 0, 0 tokens")
  }

  @Test("a value inside of a text has its own canonical form")
  func partOfText() throws {
    let text = Array(#"{"b":[ 1.0 , "\u0041" ],"a":2}"#.utf8)
    var scanner = Scanner()
    try scanner.scan(text.span)
    var part: [UInt8] = []
    scanner.appendCanonical(
      of: scanner.root(of: text.span).value(at: 2), text.span, to: &part)
    #expect(string(part) == #"[1,"A"]"#)
  }

  @Test("names are sorted by UTF-16 code units, not by code points and not as Swift strings")
  func nameOrder() {
    // U+1F600 is D83D DE00 in UTF-16 and comes before U+FB33.
    #expect(
      canonicalize("{\"\u{FB33}\":1,\"\u{1F600}\":2}")
        == .accepted(Array("{\"\u{1F600}\":2,\"\u{FB33}\":1}".utf8)))
    // Composed and decomposed e-acute are two names, although Swift calls the strings equal.
    #expect(
      canonicalize("{\"\u{E9}\":1,\"e\u{301}\":2}")
        == .accepted(Array("{\"e\u{301}\":2,\"\u{E9}\":1}".utf8)))
    #expect(canonicalize(#"{"é":1,"\u00e9":2}"#) == .refused(JSONError(.duplicateName, at: 8)))
  }

  @Test("every byte that RFC 8785 escapes is written as it says, and read back")
  func escapes() {
    for byte in UInt8(0)..<0x80 {
      var content: [UInt8] = []
      StringEscape.append([byte].span, to: &content)
      #expect(StringEscape.unescape(content.span) == [byte])
      let string = [0x22] + content + [0x22]
      #expect(canonicalize(string) == .accepted(string), "byte \(byte)")
    }
  }

  @Test("a text of 512 levels is read, one of 513 is not, whatever the mix", arguments: [1, 2, 3])
  func depth(period: Int) {
    func nested(_ depth: Int) -> String {
      let open = (0..<depth).map { $0 % period == 0 ? "[" : #"{"a":"# }.joined()
      let close = (0..<depth).reversed().map { $0 % period == 0 ? "]" : "}" }.joined()
      return open + "0" + close
    }
    #expect(canonicalize(nested(512)) == .accepted(Array(nested(512).utf8)))
    guard case .refused(let error) = canonicalize(nested(513)) else {
      Issue.record("513 levels are accepted")
      return
    }
    #expect(error.rule == .depth)
  }

  @Test("ten thousand names in descending order come out ascending; one doubled is found")
  func manyNames() {
    let names = (0..<10_000).map { "n\(10_000 + $0)" }
    let ascending = "{" + names.map { #""\#($0)":0"# }.joined(separator: ",") + "}"
    let descending = "{" + names.reversed().map { #""\#($0)":0"# }.joined(separator: ",") + "}"
    #expect(canonicalize(descending) == .accepted(Array(ascending.utf8)))
    let doubled = descending.dropLast() + #","n15000":1}"#
    #expect(
      canonicalize(String(doubled))
        == .refused(JSONError(.duplicateName, at: descending.utf8.count)))
  }
}
