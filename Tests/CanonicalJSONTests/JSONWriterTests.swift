// The writer: commas, strings, and that what it writes is read back.

import CanonicalJSON
import TestSupport
import Testing

@Suite("JSONWriter")
struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("empty containers, alone, as members and as elements")
  func empty() {
    #expect(text { $0.object { _ in } } == "{}")
    #expect(text { $0.array { _ in } } == "[]")
    #expect(
      text { json in
        json.object { json in
          json.addObject("a") { _ in }
          json.addArray("b") { json in
            json.object { _ in }
            json.array { _ in }
            json.array([String]())
          }
          json.add("c", [String]())
        }
      } == #"{"a":{},"b":[{},[],[]],"c":[]}"#)
  }

  @Test("commas stand between values and between members, and nowhere else")
  func commas() {
    #expect(
      text { json in
        json.object { json in
          json.add("a", 1)
          json.addArray("b") { json in
            json.value("x")
            json.value(true)
            json.value(-2)
            json.null()
            json.object { $0.add("c", false) }
            json.value(json: Array("[0]".utf8))
          }
          json.name(text: "d\n")
          json.value(1.5)
          json.name(escaped: Array(#"\n"#.utf8))
          json.value(utf8: Array("é\"".utf8).span)
          json.add("e", escaped: Array(#"\t"#.utf8))
          json.add("f", json: Array("{}".utf8))
          json.add("g", ["h", "i"])
        }
      }
        == #"{"a":1,"b":["x",true,-2,null,{"c":false},[0]],"d\n":1.5,"\n":"é\"","e":"\t","f":{},"g":["h","i"]}"#
    )
  }

  @Test("every byte that RFC 8785 escapes is escaped, alone and between others")
  func escapes() {
    for byte in UInt8(0)..<0x80 {
      for text in [[byte], [0x61, byte], [byte, 0x61], [byte, byte, 0xC3, 0xA9, byte]] {
        var string: [UInt8] = []
        JSONWriter.appendString(text.span, to: &string)
        #expect(canonicalize(string) == .accepted(string), "byte \(byte)")
        var same: [UInt8] = []
        JSONWriter.appendString(String(decoding: text, as: UTF8.self), to: &same)
        #expect(same == string)
        let content = Array(string.dropFirst().dropLast())
        let back = StringEscape.unescape(content.span)
        #expect(back == text)
      }
    }
  }

  @Test("numbers at their limits")
  func numbers() {
    #expect(
      text { json in
        json.array { json in
          json.value(Int64.min)
          json.value(UInt64.max)
          json.value(Double.greatestFiniteMagnitude)
          json.value(Double.leastNonzeroMagnitude)
          json.value(-0.0)
          json.value(1e21)
        }
      }
        == "[-9223372036854775808,18446744073709551615,1.7976931348623157e+308,5e-324,0,1e+21]")
  }

  @Test("a text is appended behind what is there, and what a body throws comes through")
  func appending() {
    var output = Array("[".utf8)
    JSONWriter.append(to: &output) { $0.value("a") }
    #expect(output == Array(#"["a""#.utf8))
    var caught: JSONError?
    do throws(JSONError) {
      try JSONWriter.append(to: &output) { (json) throws(JSONError) in
        json.value(1)
        throw JSONError(.syntax, at: 3)
      }
    } catch {
      caught = error
    }
    #expect(caught == JSONError(.syntax, at: 3))
    #expect(output == Array(#"["a"1"#.utf8))
  }

  @Test("random trees are written as the text that they are read from")
  func roundTrip() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      var json = JSONWriter()
      Self.write(&json, depth: 0, &random)
      let document = try JSONDocument(json.bytes)
      let isCanonical = document.isCanonical
      #expect(isCanonical)
      var again = JSONWriter()
      Self.copy(document.root, to: &again)
      #expect(again.bytes == json.bytes)
    }
  }

  private static func write(_ json: inout JSONWriter, depth: Int, _ random: inout SeededRandom) {
    switch random.below(depth < 4 ? 7 : 5) {
    case 0: json.value(random.below(1_000_000))
    case 1: json.value(String(repeating: "a\"\u{1F600}\u{1}", count: random.below(3)))
    case 2: json.value(random.below(2) == 0)
    case 3: json.null()
    case 4: json.value(Double(random.below(1000)) / 8)
    case 5:
      let count = random.below(4)
      json.array { json in
        for _ in 0..<count { write(&json, depth: depth + 1, &random) }
      }
    default:
      let count = random.below(4)
      json.object { json in
        for index in 0..<count {
          json.name(text: "\(index)\n")
          write(&json, depth: depth + 1, &random)
        }
      }
    }
  }

  private static func copy(_ value: JSONValue, to json: inout JSONWriter) {
    switch value.kind {
    case .object:
      json.object { json in
        var members = value.members
        while let member = members.next() {
          json.name(text: member.name.string ?? "")
          copy(member.value, to: &json)
        }
      }
    case .array:
      json.array { json in
        var elements = value.elements
        while let element = elements.next() { copy(element, to: &json) }
      }
    case .string: json.value(value.string ?? "")
    case .number, .literalTrue, .literalFalse, .null: json.value(json: value.bytes)
    }
  }
}
