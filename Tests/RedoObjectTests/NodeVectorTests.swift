// Tests/Vectors/node: verdict, rules with their places, id, letter and form of every node.

import CanonicalJSON
import RedoObject
import TestSupport
import Testing

@Suite("Own node vectors")
struct NodeVectorTests {
  static let folder = VectorFolder.own("node")

  /// One row of the table.
  struct Row {
    let file, verdict, rule, pointer, id, letter, form, sync: String
    let warnings: [String]

    init(_ cells: [String]) {
      (file, verdict, rule, pointer) = (cells[0], cells[1], cells[2], cells[3])
      warnings = cells[4] == "-" ? [] : cells[4].split(separator: ",").map(String.init)
      (id, letter, form, sync) = (cells[5], cells[6], cells[7], cells[8])
    }
  }

  static func rows() throws -> [Row] { try folder.table().map(Row.init) }

  @Test("every node has its verdict, its rules at their places, its id and letter")
  func nodes() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 858)
    for row in rows {
      let decoded = decode(try Self.folder.bytes(row.file))
      let verdict = decoded.node?.verify()
      if row.verdict == "valid" {
        let node = try #require(decoded.node, "\(row.file): \(decoded.findings)")
        #expect(decoded.listed(.error) == [], "\(row.file)")
        #expect(decoded.listed(.warning) == row.warnings, "\(row.file)")
        #expect(node.id.text == row.id, "\(row.file)")
        let expected = row.form == "-" ? row.letter : "\(row.letter) \(row.form)"
        #expect(verdict?.columns == expected, "\(row.file)")
      } else {
        // One defect, one finding: nothing follows from it.
        var errors = decoded.listed(.error)
        if case .bad(let finding) = verdict { errors.append(place(finding)) }
        #expect(errors == ["\(row.rule)@\(row.pointer)"], "\(row.file)")
      }
    }
  }

  @Test("what profile sync adds for a node by itself")
  func sync() throws {
    for row in try Self.rows() where row.verdict == "valid" {
      let node = try #require(decode(try Self.folder.bytes(row.file), profile: .sync).node)
      let finding = node.verify().finding(under: .sync)
      let expected = row.sync == "-" ? nil : "\(row.sync)@/signature"
      #expect(finding.map(place) == expected, "\(row.file)")
      #expect(node.verify().finding(under: .v1) == nil, "\(row.file)")
    }
  }

  @Test("a wrong id is reported beside the one it should have been")
  func mismatch() throws {
    for row in try Self.rows() where row.rule == "hash-mismatch" {
      let decoded = decode(try Self.folder.bytes(row.file))
      #expect(decoded.computedID?.text == row.id, "\(row.file)")
      #expect(decoded.statedID != nil && decoded.statedID?.text != row.id, "\(row.file)")
    }
  }

  @Test("a node that came in canonical form is written back byte for byte")
  func wholeAgain() throws {
    var count = 0
    for row in try Self.rows() where row.verdict == "valid" {
      var text = try Self.folder.bytes(row.file)
      if text.last == 0x0A { text.removeLast() }
      let node = try #require(decode(text).node)
      let again = whole(node)
      // Whatever the spelling was, the canonical one is final.
      let second = try #require(decode(again).node, "\(row.file)")
      #expect(whole(second) == again, "\(row.file)")
      #expect(again.count == Node.wholeCount(bodyCount: node.body.count, node.signature))
      #expect(second.id == node.id && second.body == node.body, "\(row.file)")
      var scanner = Scanner()
      try scanner.scan(text.span)
      guard scanner.isCanonical, decode(text).statedID != nil else { continue }
      #expect(again == text, "\(row.file)")
      count += 1
    }
    #expect(count > 200, "hardly a vector is canonical")
  }

  @Test("every rule of form and content has a vector that breaks it and a valid neighbour")
  func coverage() throws {
    let rows = try Self.rows()
    let receipts =
      try ReceiptVectorTests.folder.table() + OwnSchemaVectorTests.folder.table()
    let warnings =
      rows.flatMap(\.warnings) + receipts.flatMap { $0[4].split(separator: ",").map(String.init) }
    let broken = Set(
      rows.map(\.rule) + receipts.map { $0[2] } + warnings.map { String($0.prefix { $0 != "@" }) })
    let valid =
      rows.filter { $0.verdict == "valid" }.map(\.file)
      + receipts.filter { $0[1] == "valid" }.map { $0[0] }
    let neighbours = Set(
      valid.map { String($0.dropFirst("valid/".count).split(separator: "--")[0]) })
    // Everything between the rules of JSON and DAG-CBOR and those about several objects.
    let all = Rule.allCases
    let first = try #require(all.firstIndex(of: .nodeType))
    let last = try #require(all.firstIndex(of: .signatureBad))
    for rule in all[first...last] {
      let name = rule.id
      #expect(broken.contains(name), "no vector breaks \(name)")
      // A value that is not an object has no valid neighbour except all the others.
      #expect(neighbours.contains(name) || rule == .nodeType, "no valid neighbour for \(name)")
    }
  }
}
