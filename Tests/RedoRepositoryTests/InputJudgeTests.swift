// Nodes from outside of a store, whatever their order and whatever stands between them.

import Foundation
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Nodes from files")
struct InputJudgeTests {
  private let store: SmallStore
  private let chain: [Node]

  init() throws {
    store = try SmallStore()
    let task = try store.task()
    let first = try store.heads(of: task)
    var nodes = try #require(
      try store.commit(
        SmallStore.update(task, "b"), SmallStore.update(task, "c"), SmallStore.update(task, "d")))
    let object = try #require(try store.opened.objects.read(first[0]))
    var decoder = NodeDecoder()
    let root = decoder.decode(object)
    nodes.insert(try #require(root), at: 0)
    chain = nodes
  }

  private static func text(_ node: Node) -> [UInt8] {
    var text: [UInt8] = []
    node.appendWhole(to: &text)
    return text
  }

  private static func unsigned(_ node: Node) -> [UInt8] {
    let text = String(decoding: text(node), as: UTF8.self)
    guard let start = text.firstRange(of: ",\"signature\":\"") else { return Array(text.utf8) }
    let end = text.index(start.upperBound, offsetBy: 129)
    return Array((text[..<start.lowerBound] + text[end...]).utf8)
  }

  /// The rows of a file: letter, rule and place.
  private func rows(
    _ bytes: [UInt8], _ profile: Profile = .sync, _ manner: ImportManner = .told
  ) throws -> [String] {
    let file = try File.unnamed(in: store.path)
    try file.writeAll(bytes.span, at: 0)
    var judge = InputJudge(profile, envelope: .strip, KeySources(), nil, parentsIn: nil)
    var reader = ImportReader(
      manner, old: nil, progress: RedoRepository.Progress(.readingCopy, store.effects))
    var rows: [String] = []
    func add(_ found: [InputJudge.Row]) {
      for row in found {
        let place = row.row.place
        rows.append(
          "\(row.row.letter) \(row.row.reason.prefix { $0 != " " }) \(place?.number ?? 0)")
      }
    }
    var effects = store.effects
    effects.surroundings.standardInput = file.raw
    try reader.tell(InputFile.standardInputSign, effects) { batch, source throws in
      add(try judge.judge(batch, from: source))
    }
    add(try judge.finish())
    extendLifetime(file)
    return rows
  }

  private func lines(_ texts: [[UInt8]]) -> [UInt8] {
    Array(texts.joined(separator: [UInt8(ascii: "\n")]))
  }

  @Test("Whatever the order, a node whose parents come is good, and follows the last of them")
  func anyOrder() throws {
    let texts = chain.map(Self.text)
    #expect(
      try rows(lines(texts)) == ["G body 1", "G body 2", "G body 3", "G body 4"])
    #expect(
      try rows(lines(texts.reversed())) == ["G body 4", "G body 3", "G body 2", "G body 1"])
    #expect(
      try rows(lines([texts[2], texts[0], texts[3], texts[1]]))
        == ["G body 2", "G body 4", "G body 1", "G body 3"])
  }

  @Test("A parent that is nowhere is missing, one that is there and not good is refused")
  func missingOrRefused() throws {
    let texts = chain.map(Self.text)
    #expect(
      try rows(lines([texts[3], texts[2], texts[0]]))
        == ["G body 3", "B parent-refused 1", "B parent-missing 2"])
    #expect(
      try rows(lines([texts[0], Self.unsigned(chain[1]), texts[2], texts[3]]))
        == ["G body 1", "N signature-missing 2", "B parent-refused 3", "B parent-refused 4"])
    // A good copy counts, before or after the other one.
    #expect(
      try rows(lines([Self.unsigned(chain[0]), texts[1], texts[0]]))
        == ["N signature-missing 1", "G body 3", "G body 2"])
    #expect(
      try rows(lines([texts[1]]), .v1) == ["G body 1"])
  }

  @Test("Damage is told of, and what follows it is judged")
  func damage() throws {
    let texts = chain.map(Self.text)
    let broken = Array("{\"id\":".utf8)
    #expect(
      try rows(lines([texts[0], broken, [], texts[1]]))
        == ["G body 1", "B json-syntax 2", "G body 4"])
    let array = { (texts: [[UInt8]]) in
      Array("[".utf8) + Array(texts.joined(separator: [UInt8(ascii: ",")]))
    }
    #expect(
      try rows(array([texts[0], Array("{\"a\":tru}".utf8), texts[1]]) + Array("]".utf8))
        == ["G body 1", "B json-syntax 2", "G body 3"])
    #expect(try rows(array([texts[0], texts[1]])) == ["G body 1", "G body 2", "B json-syntax 3"])
    #expect(
      try rows(array([texts[0], Array(texts[1].dropLast(9))]))
        == ["G body 1", "B json-syntax 2"])
    // A string that is not closed takes its neighbour with it, and no more.
    let open = Array("{\"a\":\"x}".utf8)
    #expect(
      try rows(array([open, texts[0], texts[1]]) + Array("]".utf8)).suffix(2)
        == ["G body 2", "G body 3"])
  }

  /// The rows of a text, and how often each of its bytes was looked at on the way.
  private func work(_ text: [UInt8], _ manner: ImportManner) throws -> (rows: Int, times: Int) {
    let file = try File.unnamed(in: store.path)
    try file.writeAll(text.span, at: 0)
    var reader = ValueReader(descriptor: file.raw, name: "text", manner)
    var malformed: ValueReader.Malformed?
    var count = 0
    while true {
      while let batch = try reader.next(&malformed) {
        count += batch.records.count
        // What is salvaged is judged by others, who go back when it is no node.
        if manner == .salvaging, let record = batch.records.last {
          reader.search(behind: record.offset)
        }
      }
      guard let place = malformed else { break }
      malformed = nil
      reader.search(behind: place.start)
    }
    extendLifetime(file)
    return (count, reader.examinedBytes / text.count)
  }

  @Test(
    "However hostile a text is, no byte of it is looked at more than a few times",
    arguments: [
      // A string that each bracket opens and nothing closes.
      "{\\\"", "[{\\\"", "{\"a\":[{\\\"", "{\"\\",
      // Objects that are not closed, or not before the deepest level.
      "{", "{[", "{\"", "{\"a\":[", "{ \(String(repeating: "x", count: 500)) ", "{}{",
      "{\"a\":[\"\(String(repeating: "x", count: 900))\",",
      "{\"\(String(repeating: "x", count: 300))",
      // The same with something like a node in each of them, which ends the search.
      "{\"a\":[\"\(String(repeating: "x", count: 900))\",{\"id\":5},",
      "x{\"id\":5}{\(String(repeating: " ", count: 300))", "{\"id\":5}\"", "{\"id\":5}\\",
    ])
  func hostile(_ piece: String) throws {
    let text = Array(String(repeating: piece, count: 200_000 / piece.utf8.count).utf8)
    let ends = Array(String(repeating: "]}", count: 600).utf8)
    for form in [text, Array("[x,".utf8) + text, Array("[x,".utf8) + text + ends] {
      for manner in [ImportManner.told, .salvaging] {
        #expect(try work(form, manner).times <= 40)
      }
    }
    let lines = Array(String(repeating: "\(piece)\n", count: 100_000 / piece.utf8.count).utf8)
    #expect(try work(lines, .told).times <= 40)
  }

  @Test("The brackets in a string that is not closed cost no node behind it, and are read once")
  func brackets() throws {
    let node = Self.text(chain[0])
    let note = Array("{\"a\":\"\(String(repeating: "{ [ x ", count: 2000))".utf8)
    let text = Array("[".utf8) + note + Array(",".utf8) + node + Array(",".utf8) + node
    let found = try rows(text + Array("]".utf8), .v1)
    #expect(found.filter { $0.hasPrefix("G") }.count == 2)
    #expect(try work(text, .told).times <= 40)
  }

  @Test("What follows an array, and brackets that are of none, are damage")
  func behind() throws {
    let texts = chain.map(Self.text)
    let comma = Array("],],".utf8)
    #expect(
      try rows(lines([texts[0], comma, texts[1]])) == ["G body 1", "B json-syntax 2", "G body 3"])
    let array = Array("[".utf8) + texts[0] + Array("]".utf8)
    #expect(
      try rows(lines([array, texts[1], texts[2]]))
        == ["G body 1", "B json-syntax 2", "G body 3", "G body 4"])
    #expect(
      try rows(lines([array + Array("]".utf8), array]))
        == ["G body 1", "B json-syntax 2", "G body 3"])
  }

  @Test("A line that never ends is not read into memory to see whether it does")
  func longLine() throws {
    let text = Self.text(chain[0]) + Array("\n".utf8)
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    #expect(
      try rows(text + long + Array("\n".utf8) + text, .v1, .toldLines)
        == ["G body 1", "B node-size 2", "G body 3"])
  }

  @Test("A list of lines has a row for each line, an array one for each element")
  func lineList() throws {
    let texts = chain.map(Self.text)
    let pretty = Array("{\n}\n".utf8)
    #expect(
      try rows(pretty + texts[0], .sync, .toldLines)
        == ["B json-syntax 1", "B json-syntax 2", "G body 3"])
    #expect(try rows(pretty + texts[0]) == ["B member-missing 1", "G body 3"])
    let array = Array("\n [".utf8) + texts[0] + Array("]".utf8)
    #expect(try rows(array) == ["G body 1"])
    #expect(try rows(Array(array.dropFirst()), .sync, .toldLines) == ["G body 1"])
  }

  @Test("What a copy names and does not have is listed with all who name it")
  func missing() throws {
    var copy = HistoryCopy()
    try copy.read(store.opened, .everything, store.effects)
    #expect(copy.count == 4)
    #expect(copy.missing().isEmpty)
    #expect(copy.heads == [chain[3].id])
    let path = "\(store.path)/.redo/\(ObjectAudit.path(chain[1].id))"
    try FileManager.default.removeItem(atPath: path)
    var damaged = HistoryCopy()
    try damaged.read(store.opened, .everything, store.effects)
    #expect(
      damaged.missing() == [
        HistoryCopy.Missing(
          id: chain[1].id, kind: .node, children: [chain[2].id], names: ["received"])
      ])
  }
}
