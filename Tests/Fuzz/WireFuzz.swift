// Any bytes at all as ranges, as greetings, and as what either side of a connection says. What is accepted
// is written as it was read; everything ends.

import RedoObject
import RedoRemote

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let message = try? RangeMessage(decoding: bytes) { check(message, bytes) }
  if let hello = try? ClientHello(decoding: bytes) { precondition(hello.bytes == bytes) }
  if let hello = try? ServerHello(decoding: bytes) { precondition(hello.bytes == bytes) }
  if let fault = try? PeerFault(decoding: bytes) { precondition(fault.bytes == bytes) }
  _ = try? RefusedNode.rows(decoding: bytes)
  if let tree = try? RangeTree(decoding: bytes) {
    precondition(tree.bytes == bytes && (try? RangeTree.Top(beginning: bytes)) == tree.top)
  }
  let hello = ClientHello(salt: salt)
  var server = ServerExchange(
    Bytes([UInt8(hello.bytes.count), 0, 0, 0, 1] + hello.bytes + bytes), source: source,
    greeting: .init(store: nil), maker: packs, taker: packs)
  try? server.run()
  var client = ClientExchange(Bytes(bytes), source: source, hello: hello)
  if let found = try? client.compare({ _ in }) {
    _ = try? client.transfer(want: found.want, packs, have: found.have, packs)
  }
  // The same for a client that begins with what it has kept.
  client = ClientExchange(Bytes(bytes), top: kept.tree?.top, source: { kept }, hello: hello)
  if let found = try? client.compare({ _ in }) {
    _ = try? client.transfer(want: found.want, packs, have: found.have, packs)
  }
  return 0
}

nonisolated(unsafe) private let packs = NoPacks()
private let salt = RangeSalt { 7 }
private let digests = RangeDigests(salt: salt)

/// Sixty nodes of four lamports.
private let source: MemoryRangeSource = {
  var source = MemoryRangeSource()
  for number in 0..<60 as Range<UInt64> {
    guard let lamport = Lamport(1 + number / 15) else { continue }
    let id = ObjectID(words: (number % 3 + 1, number, 0, 0))
    source.append(
      RangeBound(lamport: lamport, wall: WallTime(milliseconds: Int64(number)), id: id),
      NodeFingerprint(id: id, signature: nil))
  }
  return source
}()

/// The same nodes with their tree.
private let kept: MemoryRangeSource = {
  var kept = source
  kept.tree = RangeTree(of: source)
  return kept
}()

private func check(_ message: RangeMessage, _ bytes: [UInt8]) {
  precondition(message.bytes == bytes, "the message has changed")
  let responder = RangeResponder(source, digests)
  if let positions = try? responder.positions(of: message) {
    precondition(positions.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= source.count })
  }
  if let answer = try? responder.answer(message) {
    precondition((try? RangeMessage(decoding: answer.bytes)) == answer, "no answer")
  }
  var initiator = RangeInitiator(source, digests)
  while let next = try? initiator.next(), !next.isEmpty {
    guard (try? initiator.take(message)) != nil else { break }
  }
  let have = initiator.difference.have
  precondition(zip(have, have.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
}

/// Bytes that are there, and then the end.
private final class Bytes: ByteStream {
  private var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    defer { bytes.removeFirst(min(limit, bytes.count)) }
    return Array(bytes.prefix(limit))
  }

  func write(_ bytes: [UInt8]) throws(RemoteError) {}
}
