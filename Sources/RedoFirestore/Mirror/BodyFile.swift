// The bodies of nodes that have been read and not handed over yet, so that none is read twice.
//
//   record   4 bytes number of bytes of the body, the lowest first; 1 byte 0, or 1 for a signature; 32 bytes
//            id; 64 bytes signature where there is one; body
//
// An interrupted run leaves it to the next one. A body is believed because its hash is the id.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Bodies of nodes, by id.
///
/// A class, because reading documents and handing them over share it.
final class BodyFile {
  static let name = "bodies"
  private static let headBytes = 5 + Digest.byteCount

  private struct Place {
    let offset: Int
    let count: Int
    let signature: Signature?
  }

  private let file: File
  private var places: [ObjectID: Place] = [:]
  private var byteCount = 0

  /// Opens the bodies that an earlier run has left in a directory, or makes a file for them.
  init(in directory: borrowing Directory) throws(SystemError) {
    file = try directory.openFile(
      Self.name, .readWrite, [.create, .noFollow, .nonBlocking], mode: 0o600)
    try readPlaces()
  }

  /// Makes a file that vanishes with the process.
  init(unnamedIn directory: String) throws(SystemError) {
    file = try File.unnamed(in: directory)
  }

  /// Finds the records that are whole.
  private func readPlaces() throws(SystemError) {
    let size = try file.status().size
    while byteCount + Self.headBytes <= size {
      let head = try file.read(Self.headBytes + 64, at: byteCount)
      guard head.count >= Self.headBytes, head[4] <= 1 else { break }
      let count = (0..<4).reduce(0) { $0 | Int(head[$1]) << (8 * $1) }
      let offset = byteCount + Self.headBytes + 64 * Int(head[4])
      guard count <= Node.byteLimit, offset + count <= size else { break }
      let id = ObjectID(digest: Digest(bytes: InlineArray { head[5 + $0] }))
      let signature =
        head[4] == 1 ? Signature(bytes: InlineArray { head[Self.headBytes + $0] }) : nil
      places[id] = Place(offset: offset, count: count, signature: signature)
      byteCount = offset + count
    }
    if byteCount < size { try file.truncate(to: byteCount) }
  }

  /// How many bytes it has.
  var size: Int { byteCount }

  /// Keeps a body.
  ///
  /// - Throws: what write(2) answered.
  func append(_ node: StoredObject) throws(SystemError) {
    var bytes: [UInt8] = []
    for place in 0..<4 {
      bytes.append(UInt8(truncatingIfNeeded: node.canonical.count >> (8 * place)))
    }
    bytes.append(node.signature == nil ? 0 : 1)
    node.id.appendRaw(to: &bytes)
    if let signature = node.signature {
      for place in 0..<64 { bytes.append(signature.bytes[place]) }
    }
    let offset = byteCount + bytes.count
    bytes += node.canonical
    try file.writeAll(bytes.span, at: byteCount)
    byteCount += bytes.count
    places[node.id] = Place(
      offset: offset, count: node.canonical.count, signature: node.signature)
  }

  /// A node that was kept; `nil` when it was not, or its bytes are not what they were.
  ///
  /// - Throws: what pread(2) answered.
  func node(_ id: ObjectID) throws(SystemError) -> StoredObject? {
    guard let place = places[id] else { return nil }
    let bytes = try file.read(place.count, at: place.offset)
    guard ObjectID(digest: SHA256.digest(of: bytes.span)) == id else { return nil }
    return StoredObject(id: id, kind: .node, canonical: bytes, signature: place.signature)
  }

  /// Forgets all of them.
  ///
  /// - Throws: what ftruncate(2) answered.
  func clear() throws(SystemError) {
    places = [:]
    byteCount = 0
    try file.truncate(to: 0)
  }
}
