// A receiver: packs that arrive whole, torn, damaged, or beyond a limit, and what it does with them.

import Foundation
import RedoObject
import RedoRemote
import RedoStore
import Synchronization
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

/// A store in a temporary directory.
private final class ReceiverFixture {
  private let directory = TemporaryDirectory()
  let opened: Repository
  let nodes: [Node]
  let log = EventLog()

  init() throws {
    opened = try Effects().makeRepository(directory.path(".redo"))
    var decoder = NodeDecoder()
    nodes = try VectorFolder.own("log").bytes("linear.ndjson").split(separator: 10).compactMap {
      decoder.decode(Array($0).span)
    }
  }

  func receiver(_ change: (inout Receiver.Options) -> Void = { _ in }) throws -> Receiver {
    var options = Receiver.Options()
    options.lockTimeoutMilliseconds = 0
    change(&options)
    return try Receiver(opened, options, Effects(reporter: log))
  }

  /// The events that were reported.
  var said: String {
    log.events.flatMap { MessageStream.lines(of: $0) }.map { $0 + "\n" }.joined()
  }

  static func pack(_ nodes: [Node]) -> [UInt8] {
    var writer = PackWriter(effort: .quick)
    for node in nodes { writer.add(PackEntry(StoredObject(node), node)) }
    _ = writer.finish()
    return writer.take()
  }

  var left: [String] {
    let incoming = directory.path(".redo/quarantine/incoming")
    return (try? FileManager.default.contentsOfDirectory(atPath: incoming)) ?? []
  }

  var history: Set<ObjectID> {
    get throws { Set(try HistoryWalk.order(from: HistoryLoad.heads(opened), opened.objects)) }
  }
}

extension Receiver {
  /// Takes in the bytes of a pack in pieces.
  fileprivate func take(pack bytes: [UInt8], piece: Int = 100) throws(RemoteError) {
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try take(.bytes(Array(bytes[start..<min(start + piece, bytes.count)])))
    }
    try take(.end)
  }

}

/// The error that a call throws.
private func remoteError(_ body: () throws(RemoteError) -> Void) -> RemoteError? {
  do throws(RemoteError) { try body() } catch { return error }
  return nil
}

@Suite("A receiver")
struct ReceiverTests {
  @Test(
    "takes packs in, whatever the pieces they come in, and whether others synchronise beside it",
    arguments: [1, 13, 1_000_000], [true, false])
  func whole(piece: Int, isAlone: Bool) throws {
    let store = try ReceiverFixture()
    let receiver = try store.receiver { $0.isAlone = isAlone }
    try receiver.take(pack: ReceiverFixture.pack(Array(store.nodes[..<7])), piece: piece)
    try receiver.take(pack: ReceiverFixture.pack(Array(store.nodes[7...])), piece: piece)
    #expect(store.left.count == 2)
    #expect(try store.history.isEmpty)
    #expect(try receiver.finish() == Admitted(taken: 18, refused: []))
    #expect(try store.history == Set(store.nodes.map(\.id)))
    #expect(store.left.isEmpty)
    #expect(receiver.report.heads.count == 3)
    #expect(receiver.report.heads.allSatisfy { $0.moves.count == 1 && $0.moves[0].old == nil })
    #expect(store.said == "")
    try receiver.take(pack: ReceiverFixture.pack(store.nodes))
    #expect(try receiver.finish() == Admitted(taken: 0, refused: []))
    #expect(receiver.report.known == 18)
  }

  @Test("keeps what came of a torn pack for the next one, and leaves it alone while it lives")
  func torn() throws {
    let store = try ReceiverFixture()
    let bytes = ReceiverFixture.pack(store.nodes)
    var first: Receiver? = try store.receiver { $0.isAlone = false }
    // Without the directory at the end of the pack: the frame is complete.
    try first?.take(.bytes(Array(bytes[..<(bytes.count - 50)])))
    let second = try store.receiver { $0.isAlone = false }
    try second.recover()
    #expect(second.report.new.isEmpty)
    #expect(store.left.count == 1)
    first = nil
    try second.recover()
    #expect(second.report.new.count == 18)
    #expect(store.left.isEmpty)
    #expect(try store.history.count == 18)
  }

  @Test("takes in what itself has received when it recovers")
  func own() throws {
    let store = try ReceiverFixture()
    let receiver = try store.receiver()
    let bytes = ReceiverFixture.pack(store.nodes)
    try receiver.take(pack: ReceiverFixture.pack(Array(store.nodes[..<3])))
    try receiver.take(.bytes(Array(bytes[..<30])))
    try receiver.recover()
    #expect(receiver.report.new.count == 3)
    #expect(store.left.isEmpty)
    try receiver.take(pack: bytes)
    #expect(try receiver.finish().taken == 15)
  }

  @Test("ends the exchange at a pack with a changed byte; whole frames are no loss")
  func damaged() throws {
    let store = try ReceiverFixture()
    for place in [0, 11, 12, 40, 200] {
      var bytes = ReceiverFixture.pack(store.nodes)
      bytes[place] ^= 1
      let receiver = try store.receiver()
      guard
        case .malformed? = remoteError({ () throws(RemoteError) in try receiver.take(pack: bytes) })
      else {
        Issue.record("byte \(place) is taken")
        continue
      }
      try receiver.recover()
      #expect(store.left.isEmpty)
    }
    #expect(try store.history.isSubset(of: store.nodes.map(\.id)))
    let receiver = try store.receiver()
    try receiver.take(pack: ReceiverFixture.pack(store.nodes))
    _ = try receiver.finish()
    #expect(try store.history.count == 18)
  }

  @Test("stops at its limits of bytes and nodes")
  func limits() throws {
    let store = try ReceiverFixture()
    let bytes = ReceiverFixture.pack(store.nodes)
    var limits = try Receiver.Limits(store.opened.store.config)
    limits.bytes = bytes.count - 1
    let few = try store.receiver { $0.limits = limits }
    guard case .limit? = remoteError({ () throws(RemoteError) in try few.take(pack: bytes) }) else {
      Issue.record("more bytes than allowed")
      return
    }
    limits.bytes = bytes.count
    limits.nodes = 17
    let fewer = try store.receiver { $0.limits = limits }
    #expect(
      remoteError { () throws(RemoteError) in try fewer.take(pack: bytes) }?.description
        == "beyond a limit: more than 17 nodes in one exchange, see 'transfer.maxNodes'")
    limits.nodes = 18
    let enough = try store.receiver { $0.limits = limits }
    try enough.take(pack: bytes)
    #expect(try enough.finish().taken == 18)
  }

  @Test("in a dry run tells what it would take in, and changes nothing")
  func dryRun() throws {
    let store = try ReceiverFixture()
    let receiver = try store.receiver { $0.writes = false }
    try receiver.recover()
    try receiver.take(pack: ReceiverFixture.pack(store.nodes))
    #expect(try receiver.finish().taken == 18)
    #expect(receiver.report.heads.count == 3)
    #expect(store.left.isEmpty)
    #expect(try store.history.isEmpty)
    #expect(try !store.opened.objects.contains(store.nodes[0].id))
  }

  @Test("keeps nodes without their parents, and tells both sides")
  func orphans() throws {
    let store = try ReceiverFixture()
    let receiver = try store.receiver()
    let root = try #require(store.nodes.first { $0.parents.isEmpty })
    let child = try #require(store.nodes.first { $0.parents == [root.id] })
    let grandchild = try #require(store.nodes.first { $0.parents == [child.id] })
    try receiver.take(pack: ReceiverFixture.pack([child, grandchild]))
    let admitted = try receiver.finish()
    #expect(admitted.taken == 0)
    #expect(admitted.refused.map(\.id) == [child.id, grandchild.id])
    #expect(admitted.refused.allSatisfy { $0.rule == "parent-missing" })
    let line =
      "error: ValidationError: missing parent \(root.id.text) (Invalid parent reference) in "
      + child.id.text
    #expect(store.said.split(separator: "\n").map(String.init).first == line)
    try receiver.take(pack: ReceiverFixture.pack([root]))
    #expect(try receiver.finish() == Admitted(taken: 3, refused: []))
    #expect(receiver.report.promoted == 2)
  }

  @Test("refuses a changed signature, says that a parent is missing too, and takes the others")
  func badSignature() throws {
    let store = try ReceiverFixture()
    let root = try #require(store.nodes.first { $0.parents.isEmpty })
    let child = try #require(store.nodes.first { $0.parents == [root.id] })
    let other = try #require(store.nodes.first { $0.parents.isEmpty && $0.id != root.id })
    var object = StoredObject(child)
    object.signature = other.signature
    var writer = PackWriter(effort: .quick)
    writer.add(PackEntry(object, child))
    writer.add(PackEntry(StoredObject(other), other))
    _ = writer.finish()
    let receiver = try store.receiver()
    try receiver.take(pack: writer.take())
    let admitted = try receiver.finish()
    #expect(admitted.taken == 1)
    #expect(admitted.refused.map(\.rule) == ["signature-bad"])
    let said = store.said
    #expect(said.contains("signature-bad"))
    #expect(said.contains("missing parent \(root.id.text) (Invalid parent reference)"))
    #expect(try store.history == [other.id])
    // A bad copy that arrives first does not keep the good one out.
    try receiver.take(pack: ReceiverFixture.pack([root, child]))
    #expect(try receiver.finish().taken == 2)
  }

  @Test("keeps another synchronisation away, but not another one that only serves")
  func alone() throws {
    let store = try ReceiverFixture()
    let first = try store.receiver()
    try first.recover()
    let second = try store.receiver()
    do {
      try second.recover()
      Issue.record("two at a time")
    } catch {
      #expect(CommandError(error).kind == .temporary)
    }
    let served = try store.receiver { $0.isAlone = false }
    try served.recover()
    try first.take(pack: ReceiverFixture.pack(store.nodes))
    try served.take(pack: ReceiverFixture.pack(store.nodes))
    #expect(try served.finish().taken == 18)
    #expect(try first.finish().taken == 0)
    #expect(store.left.isEmpty)
  }
}
