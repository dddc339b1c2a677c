// Lines, and bytes as text.

import Glibc
import TestSupport
import Testing

@testable import RedoIndex

@Suite("Lines")
struct LineTests {
  @Test("lines of all lengths are read, whatever the pieces in which they come")
  func lines() throws {
    let directory = TemporaryDirectory()
    let lengths = [0, 1, 5, 65_535, 65_536, 65_537, 0, 300_000, 1_000_000, 3]
    let texts = lengths.enumerated().map { String(repeating: "\($0.offset)", count: $0.element) }
    try directory.write(texts.joined(separator: "\n") + "\nrest", to: "lines")
    let descriptor = unsafe open(directory.path("lines"), O_RDONLY)
    defer { close(descriptor) }
    var reader = LineReader(descriptor)
    for text in texts {
      guard case .line(let place) = try reader.next() else {
        Issue.record("no line")
        return
      }
      #expect(string(reader.bytes[place]) == text)
    }
    guard case .cut = try reader.next() else {
      Issue.record("no cut line")
      return
    }
  }

  @Test("a line that is too long ends the conversation, in little memory")
  func limit() throws {
    let directory = TemporaryDirectory()
    let said = try Conversation(
      text: String(repeating: " ", count: LineReader.limit + 100_000), in: directory)
    #expect(said.codes == ["limit"])
    #expect(said.end == .broken)
  }

  @Test("Base64 is strict", arguments: 0..<200)
  func base64(_ count: Int) throws {
    var random = SeededRandom(seed: UInt64(count))
    let bytes = random.bytes(count)
    var text: [UInt8] = []
    Base64Text.append(bytes, to: &text)
    #expect(Base64Text.decode(text.span) == bytes)
    #expect(text.count % 4 == 0)
    for wrong in [
      "A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA==AAAA", "AA=A", "A A=", "AA-_",
    ] {
      let letters = Array(wrong.utf8)
      #expect(Base64Text.decode(letters.span) == nil, "\(wrong)")
    }
  }

  @Test("words that are too many are the asker's fault, not the file's")
  func manyWords() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let words = String(repeating: "a ", count: 2000)
    let said = try Conversation(
      [requests.open] + requests.change("rebuild", []) + [
        "{\"query\":\"search\",\"words\":\"\(words)\"}",
        "{\"query\":\"search\",\"words\":\"\(words)\(words)\"}",
        "{\"fts\":true,\"query\":\"search\",\"words\":\"(\"}",
        "{\"query\":\"search\",\"words\":\"(\"}",
        "{\"fts\":true,\"query\":\"search\",\"words\":\"x:y\"}",
      ], in: directory)
    #expect(said.codes.dropFirst(3) == ["done", "limit", "query", "done", "query"])
  }

  @Test("what is no request is refused, and the next one is answered")
  func requests() throws {
    let directory = TemporaryDirectory()
    let said = try Conversation(
      [
        "", "{", "[]", "{}", "{\"hello\":1}", "{\"query\":\"nothing\"}", "{\"query\":\"timeline\"}",
        "{\"begin\":\"update\",\"now\":1}", "{\"put\":\"nodes\",\"row\":{}}", "{\"commit\":{}}",
        "{\"rollback\":true}", "{\"sql\":\"SELECT 1\"}", "{\"open\":\"/nowhere/at/all\"}",
        "{\"open\":\"\"}", "{\"open\":\".\"}",
      ], in: directory)
    #expect(
      said.codes == Array(repeating: "request", count: 12)
        + ["db-missing", "db-not-file", "db-not-file"])
    #expect(said.end == .complete)
  }
}
