// What interrupted work leaves in a store: unfinished files, indexes without packs, empty directories.

internal import RedoStore

/// The removal of what interrupted commands left.
struct GcLeftovers {
  private let opened: Repository
  private let isDryRun: Bool

  init(_ opened: Repository, isDryRun: Bool) {
    self.opened = opened
    self.isDryRun = isDryRun
  }

  /// Removes unfinished files and indexes without packs; the caller must hold the locks of objects and packs.
  ///
  /// - Parameters:
  ///   - limit: the instant before which unfinished files must have been last written, in milliseconds since 1970.
  ///   - effects: says whether the work is cancelled.
  ///   - tell: receives each file.
  /// - Throws: when something cannot be read or removed; `Interruption`.
  func removeFiles(
    before limit: Int64, _ effects: Effects, _ tell: (TidyStep) throws -> Void
  ) throws {
    let leftovers = Leftovers(in: opened.store.directory, opened.objects.primary)
    let (nanoseconds, isOver) = limit.multipliedReportingOverflow(by: 1_000_000)
    let unfinished = try leftovers.unfinished(before: isOver ? .min : nanoseconds)
    for path in unfinished {
      guard try remove(path, leftovers, effects) else { continue }
      try tell(.unfinished(path: path))
    }
    let indexes = try leftovers.strayIndexes()
    for path in indexes {
      guard try remove(path, leftovers, effects) else { continue }
      try tell(.index(path: path))
    }
  }

  private func remove(
    _ path: String, _ leftovers: borrowing Leftovers, _ effects: Effects
  ) throws -> Bool {
    try effects.checkInterrupt()
    guard !isDryRun else { return true }
    return try leftovers.remove(file: path)
  }

  /// Removes empty directories of objects, unless somebody is writing: then the next run will do it.
  func removeDirectories(
    _ effects: Effects, _ tell: (TidyStep) throws -> Void
  ) throws {
    var options = try opened.refsOptions()
    options.lockTimeoutMilliseconds = 0
    var hold: LockFile?
    do throws(RefsError) {
      hold = try opened.store.refs.holdObjects(isDryRun ? .shared : .alone, options)
    } catch {
      guard case .locked = error else { throw error }
      return
    }
    defer { extendLifetime(hold) }
    let leftovers = Leftovers(in: opened.store.directory, opened.objects.primary)
    let paths = try leftovers.emptyShards()
    var count = 0
    for path in paths {
      try effects.checkInterrupt()
      let isGone = try isDryRun ? true : leftovers.remove(directory: path)
      if isGone { count += 1 }
    }
    if count > 0 { try tell(.empty(directories: count)) }
  }
}
