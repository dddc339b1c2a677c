// The mark of signatures, `objects/info/signatures`: 32 random hex digits, which change whenever another signature
// of some node is kept. Only one signature of a node is kept, and this mark shows that what was derived with it, the
// index of the history, is out of date.
//
// It is renewed before a file gets the name of another one, so that a crash between the two leaves nothing
// that looks current, and again afterwards, for those who have read the old file meanwhile.

internal import RedoCrypto
internal import RedoObject

/// The mark of a directory of objects.
enum SignatureMark {
  /// Its file, below the directory of objects.
  static let name = "signatures"
  private static let folder = "info"
  /// More bytes than anybody writes.
  private static let limit = 256

  /// Reads the mark.
  ///
  /// - Parameter objects: the directory of objects.
  /// - Returns: the contents; empty if no signature was ever replaced.
  /// - Throws: what the calls answered.
  static func read(in objects: borrowing Directory) throws(SystemError) -> [UInt8] {
    try objects.readFile("\(folder)/\(name)", limit: limit, isFollowing: false) ?? []
  }

  /// Changes it.
  ///
  /// - Parameters:
  ///   - objects: the directory of objects.
  ///   - policy: how much a write waits for the disk.
  /// - Throws: what the calls answered; the old one stays then.
  static func renew(
    in objects: borrowing Directory, _ policy: SyncPolicy
  ) throws(SystemError) {
    try objects.makeDirectory(folder)
    let info = try objects.openSubdirectory(folder)
    var temporary = try TemporaryFile(in: info, prefix: FileCheck.temporaryPrefix, mode: 0o644)
    try temporary.file.writeAll(Array("\(Random.hex16())\(Random.hex16())\n".utf8).span)
    if policy != .none { try temporary.file.sync() }
    _ = try temporary.commit(as: name, replacing: .always)
    if policy != .none { try info.sync() }
  }
}

extension ObjectStore {
  /// What is another once another signature of some node counts than before, in any layer.
  ///
  /// - Returns: 32 bytes.
  /// - Throws: `system` when a mark cannot be read.
  package func signatureMark() throws(StoreError) -> [UInt8] {
    var hash = SHA256()
    for (number, layer) in layers.enumerated() {
      let mark = try mapSystem { () throws(SystemError) in
        try SignatureMark.read(in: layer.loose.directory)
      }
      // Most stores have no mark; so it does not matter which store names which alternates.
      guard !mark.isEmpty else { continue }
      hash.update([UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: mark.count)].span)
      hash.update(mark.span)
    }
    var bytes: [UInt8] = []
    bytes.append(hash.finalize().bytes.span)
    return bytes
  }

  /// Notes that another signature of some node may count than before.
  ///
  /// - Throws: `system` when that cannot be written.
  package func renewSignatureMark() throws(StoreError) {
    try mapSystem { () throws(SystemError) in
      try SignatureMark.renew(in: primary.directory, primary.syncPolicy)
    }
  }
}
