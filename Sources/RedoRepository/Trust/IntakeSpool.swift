// What an input brings, kept beside the transaction until it is known what has to wait because of the trust file: a stream is read
// once, and which objects follow one that waits is known only at its end. Made only where objects may have to wait.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The objects of an input, in packs that vanish with the process.
struct IntakeSpool: ~Copyable {
  private let quarantine: Quarantine
  private var maker: WirePacks
  private var packs: [IncomingPack] = []
  private var coming: IncomingPack?
  private var seen: Set<ObjectID> = []
  private var decoder = PlaceDecoder()

  /// A spool without objects.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - quarantine: where their blocks are; without one there is no spool.
  init?(of kind: ObjectKind, _ quarantine: Quarantine?) {
    guard let quarantine else { return nil }
    self.quarantine = quarantine
    maker = WirePacks(kind)
  }

  /// Adds objects that are good by themselves.
  ///
  /// - Throws: the error when they cannot be written.
  mutating func add(_ objects: [StoredObject]) throws {
    for object in objects where seen.insert(object.id).inserted {
      guard let entry = PackEntry(object, &decoder) else { continue }
      var pieces: [PackPiece] = []
      try maker.add(entry) { piece in pieces.append(piece) }
      try write(pieces)
    }
  }

  private mutating func write(_ pieces: [PackPiece]) throws {
    for piece in pieces {
      switch piece {
      case .bytes(let bytes):
        let pack = try coming ?? quarantine.makePack(isKept: false)
        try pack.append(bytes)
        coming = pack
      case .end:
        if let pack = coming {
          _ = try pack.end()
          packs.append(pack)
        }
        coming = nil
      }
    }
  }

  /// Keeps what has to wait in the quarantine.
  ///
  /// - Parameters:
  ///   - held: what has to wait; receives what does.
  ///   - opened: the store.
  /// - Returns: what there is no room for.
  /// - Throws: `SyncFault` when another synchronisation does not end; the error when the quarantine cannot be written.
  consuming func keep(
    _ held: inout [UntrustedObject], _ opened: Repository
  ) throws -> [RefusedNode] {
    guard !held.isEmpty else { return [] }
    var pieces: [PackPiece] = []
    try maker.end { piece in pieces.append(piece) }
    try write(pieces)
    let right = try quarantine.hold(
      .admitting, timeoutMilliseconds: try opened.refsOptions().lockTimeoutMilliseconds)
    defer { extendLifetime(right) }
    var waiting = try quarantine.orphans()
    let wanted = held.map { WaitingObject($0) }
    var refused: [RefusedNode] = []
    let kept = Set(try quarantine.keep(wanted, of: packs, nil, &waiting, &refused))
    held.removeAll { !kept.contains($0.id) }
    return refused
  }
}
