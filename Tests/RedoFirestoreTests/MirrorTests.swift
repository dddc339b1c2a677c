import Foundation
import RedoCrypto
import RedoObject
import RedoRemote
import RedoRepository
import RedoStore
import TestSupport
import Testing

@testable import RedoFirestore

@Suite("What is remembered of a Firestore")
struct MirrorTests {
  /// A directory that goes with the test.
  private func inDirectory(_ body: (borrowing Directory, String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(Directory.open(folder.path), folder.path)
  }

  private func open(_ directory: borrowing Directory, owner: String = "ada") throws -> Mirror {
    try #require(
      try Mirror.open(of: "origin", in: directory, owner: owner, timeoutMilliseconds: 0))
  }

  private func node(_ number: UInt64, parents: Int = 1, task: Bool = true) throws -> MirrorNode {
    let ids = (0..<parents).map { "\"sha256:\(Hex.text(digest(number, $0).bytes.span))\"" }
    let text = """
      {"action":"CREATE","author":{"deviceId":"d","userId":"\(String(repeating: "a", count: 32))"},\
      "data":{"fields":{"title":"t\(number)"}},"parents":[\(ids.joined(separator: ","))],\
      \(task ? "\"taskId\":\"550e8400-e29b-41d4-a716-446655440000\"," : "")\
      "timestamp":{"lamport":\(number + 1),"wall":"2025-11-16T10:00:00.000Z"},"version":1}
      """
    var decoder = NodeDecoder()
    let decoded = decoder.decode(Array(text.utf8).span)
    return MirrorNode(try #require(decoded))
  }

  private func digest(_ number: UInt64, _ place: Int) -> Digest {
    SHA256.digest(of: Array("\(number) \(place)".utf8).span)
  }

  private func unfit(_ name: String) throws -> UnfitDocument {
    let id = ObjectID(words: (1, 2, 3, 4))
    let row = try #require(RefusedNode(id: id, rule: "id-form", detail: "ein Zeichen: ✗"))
    return UnfitDocument(documentID: name, rows: [row, row])
  }

  @Test("what was added is there again; what was dropped is not")
  func again() throws {
    try inDirectory { directory, _ in
      let nodes = try [node(1, parents: 0), node(2, task: false), node(3, parents: 64)]
      do {
        let mirror = try open(directory)
        try mirror.add(nodes, unfit: [unfit("a"), unfit("b")])
        try mirror.turn(began: 5, after: "x")
        try mirror.advance(to: -7)
        try mirror.drop(["b"])
        try mirror.add([node(4)])
        try mirror.lose([node(4).id, nodes[2].id])
        try mirror.add(written: [nodes[2]])
        try mirror.pay()
        try mirror.add(written: [nodes[1], nodes[0]])
      }
      do {
        let mirror = try open(directory)
        #expect(mirror.nodes == Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) }))
        #expect(try mirror.unfit == ["a": unfit("a")])
        #expect(mirror.owed == [nodes[1].id, nodes[0].id])
        #expect(mirror.cursor == -7 && mirror.page == nil)
        // What is lost is no node any more, until it is written again.
        #expect(try mirror.lost == [node(4).id])
        try mirror.settle()
        // A document that turns out to be a node is no longer unfit, and vice versa.
        try mirror.add([], unfit: [unfit(nodes[0].id.text)])
        #expect(mirror.nodes[nodes[0].id] == nil)
        try mirror.add([nodes[0]])
        try mirror.turn(began: 9, after: "y")
      }
      let mirror = try open(directory)
      #expect(mirror.nodes.count == 3 && mirror.unfit.count == 1 && mirror.lost.isEmpty)
      #expect(mirror.page?.began == 9 && mirror.page?.after == "y")
    }
  }

  @Test("what the service should count is what its access lists show, junk included")
  func expected() throws {
    try inDirectory { directory, _ in
      let row = try #require(
        RefusedNode(id: ObjectID(words: (1, 2, 3, 4)), rule: "id-form", detail: "x"))
      func junk(_ name: String, _ clock: UnfitDocument.Clock, isListed: Bool = true)
        -> UnfitDocument
      {
        UnfitDocument(documentID: name, rows: [row], isListed: isListed, clock: clock)
      }
      let known = try node(1)
      var decoder = NodeDecoder()
      let text = """
        {"action":"CREATE","author":{"deviceId":"d","userId":"\(String(repeating: "b", count: 32))"},\
        "data":{"fields":{"title":"x"}},"parents":[],"taskId":"550e8400-e29b-41d4-a716-446655440000",\
        "timestamp":{"lamport":77,"wall":"2025-11-16T10:00:00.000Z"},"version":1}
        """
      let decoded = decoder.decode(Array(text.utf8).span)
      let hidden = MirrorNode(try #require(decoded), isListed: false)
      do {
        let mirror = try open(directory)
        try mirror.add(
          [known, hidden],
          unfit: [
            junk("b", .none), junk("a", .integer(-9)), junk("c", .other),
            junk("d", .integer(1000), isListed: false),
          ])
      }
      do {
        let mirror = try open(directory)
        let expected = mirror.expected
        #expect(expected.count == 4 && expected.clocked == 3 && expected.sum == 2 - 9)
        #expect(expected.doubles == nil)
        #expect(mirror.names == ["a", "b", "c", known.id.text])
        #expect(mirror.unfit["d"]?.isListed == false && mirror.nodes[hidden.id]?.isListed == false)
        try mirror.add([], unfit: [junk("b", .double(0.5)), junk("c", .double(.nan))])
        // What is none is the same as itself, so that it is not written again and again.
        #expect(junk("c", .double(.nan)) == junk("c", .double(.nan)))
      }
      let mirror = try open(directory)
      #expect(mirror.expected.clocked == 4 && mirror.expected.doubles?.isNaN == true)
    }
  }

  @Test("one run uses it at a time; another owner begins anew")
  func owners() throws {
    try inDirectory { directory, _ in
      do {
        let mirror = try open(directory)
        try mirror.add([node(1)])
        #expect(
          try Mirror.open(of: "origin", in: directory, owner: "ada", timeoutMilliseconds: 0) == nil)
      }
      do { #expect(try open(directory, owner: "grace").nodes.isEmpty) }
      #expect(try open(directory).nodes.isEmpty)
    }
  }

  @Test("cut off anywhere, the records before that count, and the next ones are found again")
  func torn() throws {
    try inDirectory { directory, path in
      let nodes = try (1...3).map { try node($0) }
      do {
        let mirror = try open(directory)
        for node in nodes { try mirror.add([node]) }
        try mirror.advance(to: 1)
      }
      let file = "\(path)/remotes/origin/firestore/mirror"
      let whole = try File.open(file).readAll()
      var counts: Set<Int> = []
      for size in 0..<whole.count {
        for flips in size % 5 == 0 ? [false, true] : [false] {
          var bytes = flips ? whole : Array(whole.prefix(size))
          if flips { bytes[size] ^= 0x40 }
          try File.open(file, .write, [.truncate]).writeAll(bytes)
          do {
            let mirror = try open(directory)
            counts.insert(mirror.nodes.count)
            // A cursor never covers nodes that are not there.
            #expect(mirror.cursor == nil || mirror.nodes.count == 3)
            #expect(mirror.nodes.values.allSatisfy { nodes.contains($0) })
            try mirror.add(nodes)
            try mirror.advance(to: 2)
          }
          let mirror = try open(directory)
          #expect(mirror.nodes.count == 3 && mirror.cursor == 2)
        }
      }
      #expect(counts == [0, 1, 2, 3])
    }
  }

  @Test("what says nothing any more is left out when the file is written anew")
  func compacted() throws {
    try inDirectory { directory, path in
      let known = try node(1)
      do {
        let mirror = try open(directory)
        try mirror.add([known])
        for moment in 0..<1_200 { try mirror.advance(to: Int64(moment)) }
      }
      let file = "\(path)/remotes/origin/firestore/mirror"
      #expect(try File.open(file).status().size > 20_000)
      do { #expect(try open(directory).cursor == 1_199) }
      #expect(try File.open(file).status().size < 400)
      let mirror = try open(directory)
      #expect(mirror.cursor == 1_199 && mirror.nodes[known.id] == known)
    }
  }

  @Test(
    "what is not offered is said in the order of nodes, as a client with the same nodes says it")
  func held() throws {
    try inDirectory { directory, _ in
      func made(_ lamport: UInt64, _ parents: [MirrorNode], isSigned: Bool) throws -> MirrorNode {
        let parents = parents.map { "\"\($0.id.text)\"" }.joined(separator: ",")
        let signature = isSigned ? "\"signature\":\"\(String(repeating: "7", count: 128))\"," : ""
        let text = """
          {"action":"CREATE","author":{"deviceId":"d","publicKey":"\(String(repeating: "5a", count: 32))",\
          "userId":"\(String(repeating: "5a", count: 16))"},"data":{"fields":{"title":"t"}},\
          "parents":[\(parents)],\(signature)"taskId":"550e8400-e29b-41d4-a716-446655440000",\
          "timestamp":{"lamport":\(lamport),"wall":"2025-11-16T10:00:00.000Z"},"version":1}
          """
        var decoder = NodeDecoder()
        let decoded = decoder.decode(Array(text.utf8).span)
        return MirrorNode(try #require(decoded))
      }
      let first = try made(1, [], isSigned: false)
      let child = try made(2, [first], isSigned: true)
      let last = try made(3, [], isSigned: false)
      let other = try made(4, [], isSigned: true)
      let mirror = try open(directory)
      try mirror.add([last, other, child, first])
      let source = MirrorSource(mirror, .all, allowsUnsigned: false)
      #expect(source.held.map(\.id) == [first.id, child.id, last.id])
      #expect(source.held.map { $0.detail.contains(first.id.text) } == [false, true, false])
      #expect((0..<source.count).map { source.id(at: $0) } == [other.id])
    }
  }
}
