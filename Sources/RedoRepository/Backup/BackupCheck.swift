// Reads backups from the first byte to the last.

internal import RedoObject
internal import RedoStore

/// Checks backups.
package enum BackupCheck {
  /// Checks every point of a directory.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - keys: what opens encrypted points.
  ///   - effects: says where relative paths begin.
  ///   - tell: receives what is wrong.
  /// - Returns: the points that can be read, in the order of time.
  /// - Throws: `FileFault` when the directory cannot be read, `BackupFault.empty`; what `tell` throws.
  package static func run(
    _ path: String, _ keys: SealKeys, _ effects: Effects, tell: (any Error) throws -> Void
  ) throws -> [BackupShelf.Point] {
    let shelf = try BackupShelf(path, .reading, keys, effects)
    let points = try shelf.points(tell: tell)
    guard try !shelf.names().isEmpty else { throw BackupFault.empty(path: path) }
    for point in points {
      if let fault = shelf.fault(of: point) { try tell(fault) }
      guard point.missing != nil else { continue }
      // Its bytes may still be right.
      try telling(tell) { _ = try BackupFile(point.name, in: shelf).check(effects) }
    }
    let restorable = points.filter { $0.missing == nil }
    let needed = Set(restorable.compactMap { $0.manifest.needs?.name })
    var compared: Set<String> = []
    // A point that others build on is read with them.
    for point in restorable where !needed.contains(point.name) {
      var reading = BackupReading()
      for name in try shelf.chain(to: point, in: points) {
        guard try telling(tell, { try reading.add(name, of: shelf, effects) { _ in } }) else {
          break
        }
        guard compared.insert(name).inserted else { continue }
        try telling(tell) { _ = try reading.finish(shelf) }
      }
    }
    return points
  }

  /// Whether an error is about a point, so that others may be whole; a key that is away is none.
  static func isOfPoint(_ error: any Error) -> Bool {
    if let error = error as? SealFault { return !error.isLocked }
    return error is BackupFault || error is FileFault
  }

  /// Tells of what is wrong with a point, and goes on.
  ///
  /// - Returns: whether nothing is.
  @discardableResult
  private static func telling(
    _ tell: (any Error) throws -> Void, _ work: () throws -> Void
  ) throws -> Bool {
    do {
      try work()
      return true
    } catch let error where isOfPoint(error) {
      try tell(error)
      return false
    }
  }

  /// Reads the chain of the newest point.
  static func verifyNewest(
    _ shelf: borrowing BackupShelf, _ effects: Effects
  ) throws -> BackupManifest {
    let points = try shelf.points { error in throw error }
    guard let last = points.last else { throw BackupFault.empty(path: shelf.path) }
    var reading = BackupReading()
    for name in try shelf.chain(to: last, in: points) {
      try reading.add(name, of: shelf, effects) { _ in }
    }
    _ = try reading.finish(shelf)
    guard let manifest = reading.manifest else { throw BackupFault.empty(path: shelf.path) }
    return manifest
  }
}
