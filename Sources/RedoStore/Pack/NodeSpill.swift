// Nodes that were read before it is their turn, and for which memory has no room: in a file without a name,
// which disappears with the process.
//
//   for each: 4 bytes its canonical bytes, 1 byte its kind, 1 byte 1 if it is signed, 64 bytes the signature if
//   so, the canonical bytes

internal import RedoCrypto
internal import RedoObject

/// Nodes by the places at which they are wanted.
///
/// It takes 8 bytes a place.
struct NodeSpill: ~Copyable {
  private let temporary: TemporaryFile
  /// Where each node begins; -1 for one that is not here.
  private var offsets: [Int]
  private var end = 0

  /// The bytes that are written together.
  private static let pieceBytes = 1 << 20
  /// What the first call reads of a node: most have fewer bytes.
  private static let usualBytes = 1024
  private static let headBytes = 6

  /// No nodes yet.
  ///
  /// - Parameters:
  ///   - directory: the directory of the file.
  ///   - count: the number of places.
  /// - Throws: what the calls answered.
  init(in directory: borrowing Directory, count: Int) throws(SystemError) {
    let temporary = try TemporaryFile(
      in: directory, prefix: PackStore.temporaryPrefix, mode: 0o600)
    try directory.unlink(temporary.name)
    self.temporary = temporary
    offsets = Array(repeating: -1, count: count)
  }

  /// Puts nodes away.
  ///
  /// - Throws: what write(2) answered.
  mutating func add(_ nodes: some Sequence<(key: Int, value: StoredObject)>) throws(SystemError) {
    var bytes: [UInt8] = []
    for (place, node) in nodes {
      offsets[place] = end + bytes.count
      bytes.append(littleEndian: UInt64(node.canonical.count), bytes: 4)
      bytes.append(node.kind.rawValue)
      bytes.append(node.signature == nil ? 0 : 1)
      if let signature = node.signature { bytes.append(signature.bytes.span) }
      bytes.append(node.canonical.span)
      if bytes.count >= Self.pieceBytes { try write(&bytes) }
    }
    try write(&bytes)
  }

  private mutating func write(_ bytes: inout [UInt8]) throws(SystemError) {
    try temporary.file.writeAll(bytes)
    end += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes a node back.
  ///
  /// - Parameters:
  ///   - place: the place where it is wanted.
  ///   - id: which it is.
  /// - Returns: `nil` when it is not here.
  /// - Throws: `system`; `corrupt` when the file has not kept it.
  func node(at place: Int, _ id: ObjectID) throws(StoreError) -> StoredObject? {
    let offset = offsets[place]
    guard offset >= 0 else { return nil }
    var bytes = try mapSystem { () throws(SystemError) in
      try temporary.file.read(Self.usualBytes, at: offset)
    }
    let lost = StoreError.corrupt(
      id, path: temporary.file.path, reason: "a temporary file has lost it")
    guard bytes.count > Self.headBytes else { throw lost }
    let count = Int(bytes.littleEndian(at: 0, bytes: 4))
    let start = Self.headBytes + (bytes[5] == 1 ? 64 : 0)
    guard let kind = ObjectKind(rawValue: bytes[4]), bytes[5] <= 1, count <= PackFormat.nodeLimit
    else { throw lost }
    if bytes.count < start + count {
      bytes = try mapSystem { () throws(SystemError) in
        try temporary.file.read(start + count, at: offset)
      }
    }
    guard bytes.count >= start + count else { throw lost }
    let body = Array(bytes[start..<start + count])
    guard SHA256.digest(of: body.span) == id.digest else { throw lost }
    var signature: Signature?
    if start > Self.headBytes {
      signature = Signature(bytes: InlineArray { bytes[Self.headBytes + $0] })
    }
    return StoredObject(id: id, kind: kind, canonical: body, signature: signature)
  }
}
