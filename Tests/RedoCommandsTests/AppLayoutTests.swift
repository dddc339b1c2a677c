// The layout of the app's file, compared with the output of Foundation's JSONEncoder (Tests/Vectors/layout).

import CanonicalJSON
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import TestSupport
import Testing

@Suite("The app's layout")
struct AppLayoutTests {
  static let folder = VectorFolder.own("layout")

  /// An array of canonical texts in the app's layout.
  private func file(_ elements: [[UInt8]]) throws -> [UInt8] {
    var output = AppLayout.opening
    for (index, element) in elements.enumerated() {
      let document = try JSONDocument(element)
      let isCanonical = document.isCanonical
      #expect(isCanonical)
      if index > 0 { output += AppLayout.separator }
      AppLayout.appendElement(document.root, to: &output)
    }
    return output + AppLayout.closing
  }

  @Test("every kind of value is laid out as JSONEncoder does it")
  func values() throws {
    let lines = try Self.folder.lines("values.ndjson")
    #expect(lines.count == 12)
    let found = try file(lines)
    let expected = try Self.folder.bytes("values.json")
    #expect(String(decoding: found, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    #expect(found == expected)
  }

  @Test("an empty array")
  func empty() throws {
    let expected = try Self.folder.bytes("empty.json")
    let found = try file([])
    #expect(found == expected)
  }

  @Test("what is laid out is the same value")
  func roundTrip() throws {
    let lines = try Self.folder.lines("values.ndjson")
    let text = try file(lines)
    let canonical = try JSONDocument(text).canonical
    let expected =
      "[" + lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]"
    #expect(canonical == Array(expected.utf8))
  }

  @Test("deep values are no deeper recursion")
  func deep() throws {
    let depth = 511
    let deep = Array(
      (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    let text = try file([deep])
    #expect(text.count(where: { $0 == UInt8(ascii: "[") }) == depth + 1)
  }
}
