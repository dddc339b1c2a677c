import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

@Suite("Formats")
struct ShellFormatTests {
  enum Atom: Sendable { case id, kind }

  static let atoms: KeyValuePairs<String, Atom> = [
    "id": .id, "objectname": .id, "kind": .kind, "objecttype": .kind,
  ]

  func render(_ text: String) throws -> [UInt8] {
    let format = try Format(text, atoms: Self.atoms)
    var output: [UInt8] = []
    format.append(to: &output) { atom, output in
      switch atom {
      case .id: output += "ID".utf8
      case .kind: output += "node".utf8
      }
    }
    return output
  }

  @Test(
    "what means nothing is refused",
    arguments: [
      ("%(bogus)", "unknown atom 'bogus' in the format '%(bogus)'"),
      ("%(ID)", "unknown atom 'ID' in the format '%(ID)'"),
      ("%()", "unknown atom '' in the format '%()'"),
      ("x %(id", "missing ')' in the format after '%(id'"),
      ("%", "unknown placeholder '%' in the format"),
      ("%q", "unknown placeholder '%q' in the format"),
      ("%x", "unknown placeholder '%x' in the format"),
      ("%x0", "unknown placeholder '%x0' in the format"),
      ("%xg0", "unknown placeholder '%xg0' in the format"),
      ("%\u{1B}", "unknown placeholder '%\\x1b' in the format"),
    ])
  func refusals(text: String, message: String) {
    let error = refusal { () throws in _ = try render(text) }
    #expect(error?.kind == .fatal)
    #expect(error?.message == message)
  }

  @Test("the nearest atom is offered")
  func suggestion() {
    let error = refusal { () throws in _ = try render("%(objctname)") }
    #expect(error?.hints == ["did you mean 'objectname'?"])
  }

  @Test(
    "what is understood",
    arguments: [
      ("", ""), ("plain", "plain"), ("%(id)", "ID"), ("%(id)%(kind)", "IDnode"),
      ("a%(objectname) %(objecttype)b", "aID nodeb"), ("100%%", "100%"), ("%%(id)", "%(id)"),
      ("a%nb", "a\nb"), ("%x00%x7E%x7e", "\0~~"), ("%00%0a", "\0\n"), ("é%(id)é", "éIDé"),
    ])
  func rendering(text: String, expected: String) throws {
    #expect(try render(text) == Array(expected.utf8))
  }

  @Test("bytes that are not UTF-8 can be written, and pieces are joined")
  func pieces() throws {
    #expect(try render("%xff") == [0xFF])
    let format = try Format("a%%b%n%(id)c", atoms: Self.atoms)
    #expect(format.pieces.count == 3)
    #expect(format.contains { $0 == .id })
    #expect(!format.contains { $0 == .kind })
  }
}
