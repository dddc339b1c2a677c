// Tidying a store: the leftovers of interrupted work are removed, unknown nodes and blobs too if requested, and loose objects
// are packed.

internal import RedoStore

/// Tidies stores.
package enum StoreTidying {
  /// What is removed, and where nodes are moved to.
  package struct Request: Sendable {
    /// The instant before which unfinished files and unknown nodes must have been written, in milliseconds
    /// since 1970.
    package var limit: Int64
    /// The file that unknown nodes are moved to; `nil` when they stay.
    package var expireTo: String?
    /// Whether blobs that nothing names go.
    package var removesBlobs: Bool
    /// Whether nothing is changed.
    package var isDryRun: Bool
    /// Whether removals that are finished on the way go unreported.
    package var isQuiet: Bool

    /// Creates a request to remove what is older than an instant.
    package init(
      before limit: Int64, expireTo: String? = nil, removesBlobs: Bool = false,
      isDryRun: Bool = false, isQuiet: Bool = false
    ) {
      self.limit = limit
      self.expireTo = expireTo
      self.removesBlobs = removesBlobs
      self.isDryRun = isDryRun
      self.isQuiet = isQuiet
    }
  }

  /// Tidies a store.
  ///
  /// - Parameters:
  ///   - request: what goes.
  ///   - opened: the store.
  ///   - effects: the time, and the files.
  ///   - tell: receives each step that is done, and each obstacle.
  /// - Throws: when something cannot be read or written; `LocalFault` when blobs are to go and not all rows can be read
  ///   that may name them, before anything is done; `Interruption`; what `tell` throws.
  package static func run(
    _ request: Request, _ opened: Repository, _ effects: Effects,
    tell: (TidyStep) throws -> Void
  ) throws {
    let isDryRun = request.isDryRun
    let local = opened.localDamage()
    if request.removesBlobs, let local { throw local }
    if !isDryRun { try ArchiveRemoval.complete(opened, isQuiet: request.isQuiet, effects) }
    let leftovers = GcLeftovers(opened, isDryRun: isDryRun)
    do {
      // Nobody writes objects meanwhile, so nobody is using what seems to be left over.
      let objects = try opened.holdObjects(isDryRun ? .shared : .alone)
      defer { extendLifetime(objects) }
      let packs = isDryRun ? nil : try opened.holdPacks()
      defer { extendLifetime(packs) }
      try leftovers.removeFiles(before: request.limit, effects, tell)
      if let target = request.expireTo {
        var expiry = GcExpiry(
          opened, before: request.limit, to: target, isDryRun: isDryRun, effects)
        try expiry.run(effects, tell)
      }
      if request.removesBlobs {
        let blobs = GcBlobs(opened, before: request.limit, isDryRun: isDryRun)
        try blobs.run(effects, tell)
      }
    }
    do {
      let objects = try opened.holdObjects()
      defer { extendLifetime(objects) }
      let packs = isDryRun ? nil : try opened.holdPacks()
      defer { extendLifetime(packs) }
      var run = RepackRun(
        opened, .geometric(PackGeometry.usualFactor), isDryRun: isDryRun, effects)
      try run.run(tell, effects)
    }
    if let local { try tell(.damaged(.local(local))) }
    let bytes = try opened.store.local.compact(try opened.refsOptions(), isDryRun: isDryRun)
    if bytes > 0 { try tell(.local(bytes: bytes)) }
    try leftovers.removeDirectories(effects, tell)
  }
}

/// What keeps nodes from being moved out of a store.
package enum GcFault: Fault {
  /// The archive does not read back as it was written; nothing was removed.
  case differs(path: String)

  /// The kind of error.
  package var code: RedoError.Code { .corrupt }

  /// The archive.
  package var subject: String? {
    switch self {
    case .differs(let path): path
    }
  }
}
