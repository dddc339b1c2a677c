// Any bytes at all as the columns of a frame, and as the lines of one: what is read is refused or gives
// nodes of the ids of their bodies, and what is written comes back.

import RedoCrypto
import RedoObject

@testable import RedoStore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var inflater = Inflater(.none)
  let kind: ObjectKind = count % 4 == 1 ? .receipt : .node
  let nodes = (try? FrameDecoder.decode(frame(bytes), kind, &inflater))?.all
  // Encoding takes much longer than refusing: it is left out of most runs that would find nothing.
  guard nodes != nil || count % 8 == 0 else { return 0 }
  var deflaters = PackDeflaters(count % 16 == 0 ? .best : .quick)
  if let nodes { check(nodes, kind, &deflaters, &inflater) }
  // The same bytes as bodies, which the encoder itself reads back.
  let bodies = bytes.split(separator: 0x0A).prefix(64)
  if !bodies.isEmpty {
    check(
      bodies.map { body in
        StoredObject(
          id: ObjectID(digest: SHA256.digest(of: Array(body).span)), kind: kind,
          canonical: Array(body), signature: nil)
      }, kind, &deflaters, &inflater)
  }
  return 0
}

/// A frame whose checksum holds; the first bytes say how many nodes it has, and of which size.
private func frame(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.count > 3 else { return bytes }
  let payload = Array(bytes[3...])
  var frame: [UInt8] = []
  frame.append(littleEndian: UInt64(payload.count), bytes: 4)
  frame.append(littleEndian: UInt64(bytes[0]) % 16 + 1, bytes: 4)
  frame.append(littleEndian: UInt64(bytes[1]) | UInt64(bytes[2]) << 8, bytes: 4)
  let sum = FrameHeader.checksum(of: payload.span, after: frame.span)
  for place in 0..<PackFormat.checksumBytes { frame.append(sum.bytes[place]) }
  return frame + payload
}

private func check(
  _ nodes: [StoredObject], _ kind: ObjectKind, _ deflaters: inout PackDeflaters,
  _ inflater: inout Inflater
) {
  for node in nodes {
    precondition(
      node.id == ObjectID(digest: SHA256.digest(of: node.canonical.span)), "another id")
  }
  let again = FrameEncoder.frame(nodes, kind, &deflaters, &inflater)
  precondition(
    (try? FrameDecoder.decode(again, kind, &inflater))?.all == nodes, "nodes do not come back")
}
