// Keeps those points of a backup that a plan names, and whatever these need.

internal import RedoCrypto
internal import RedoStore

/// A point, and what becomes of it.
package struct PrunedPoint: Sendable {
  /// The point.
  package let point: BackupShelf.Point
  /// Why it stays; empty for one that goes.
  package fileprivate(set) var reasons: [PrunedArchive.Reason]
}

/// Removes points that a plan does not keep.
package enum BackupPruning {
  /// Prunes a directory.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - plan: which points are kept.
  ///   - isDryRun: whether nothing is removed.
  ///   - timeoutMilliseconds: how long to wait for others.
  ///   - keys: what opens encrypted points.
  ///   - effects: says where relative paths begin.
  ///   - tell: receives what cannot be read: it stays.
  /// - Returns: what became of each point, the earliest first.
  /// - Throws: `BackupFault`, `FileFault`; what `tell` throws.
  package static func run(
    _ path: String, _ plan: RetentionPlan, isDryRun: Bool, timeoutMilliseconds: Int,
    _ keys: SealKeys, _ effects: Effects, tell: (any Error) throws -> Void
  ) throws -> [PrunedPoint] {
    let shelf = try BackupShelf(
      path, isDryRun ? .reading : .writing(makes: false, timeoutMilliseconds), keys, effects)
    guard try !shelf.names().isEmpty else { throw BackupFault.empty(path: path) }
    return try run(plan, in: shelf, isDryRun: isDryRun, effects, tell: tell)
  }

  static func run(
    _ plan: RetentionPlan, in shelf: borrowing BackupShelf, isDryRun: Bool, _ effects: Effects,
    tell: (any Error) throws -> Void
  ) throws -> [PrunedPoint] {
    var points = try shelf.points(tell: tell)
    let names = try shelf.names()
    var digests: [String: Digest] = [:]
    while true {
      let known = Set(points.map(\.name))
      let unknown = names.filter { !known.contains($0) }
      let pruned = choose(plan, points, unknown: unknown)
      // Nothing goes before every byte of what stays has been read.
      if pruned.contains(where: { $0.reasons.isEmpty }) {
        let damaged = try read(pruned, &digests, shelf, effects, tell: tell)
        guard damaged.isEmpty else {
          points = BackupShelf.linked(points.filter { !damaged.contains($0.name) })
          continue
        }
      }
      try say(pruned, blind(points, unknown), shelf, tell)
      if !isDryRun { try remove(pruned, shelf, effects) }
      return pruned
    }
  }

  /// Decides what stays.
  ///
  /// - Parameters:
  ///   - plan: which points are kept.
  ///   - points: those that can be read, the earliest first.
  ///   - unknown: the names of those that cannot.
  /// - Returns: all points with the reasons for which they stay.
  static func choose(
    _ plan: RetentionPlan, _ points: [BackupShelf.Point], unknown: [String]
  ) -> [PrunedPoint] {
    // What cannot be restored takes nobody's place, and stays for whoever finds the file that it lacks.
    let counted = points.indices.filter { points[$0].missing == nil }
    let reasons = plan.reasons(counted.map { points[$0].manifest.time })
    var pruned = points.map { PrunedPoint(point: $0, reasons: []) }
    for (index, reasons) in zip(counted, reasons) { pruned[index].reasons = reasons }
    let places = Dictionary(points.indices.map { (points[$0].name, $0) }) { first, _ in first }
    let blind = blind(points, unknown) ?? ""
    var isLacking = false
    for index in points.indices.reversed() {
      let point = points[index]
      if point.missing != nil {
        pruned[index].reasons = [.unreadable]
      } else if pruned[index].reasons.isEmpty {
        if point.name < blind { pruned[index].reasons = [.prerequisite] }
        // What a point lacks is in those before it, back to the last one that lacks nothing.
        if isLacking { pruned[index].reasons = [.needed] }
      }
      guard !pruned[index].reasons.isEmpty else { continue }
      if point.missing == nil {
        // Who is restored up to a later point has what this one lacks from there.
        isLacking = point.lacking > 0 && (isLacking || pruned[index].reasons != [.prerequisite])
      }
      if let base = point.manifest.needs.flatMap({ places[$0.name] }),
        pruned[base].reasons.isEmpty
      {
        pruned[base].reasons = [.prerequisite]
      }
    }
    return pruned
  }

  /// Reads what stays and has not been read yet.
  ///
  /// - Returns: the names of the files that are not what they should be.
  private static func read(
    _ pruned: [PrunedPoint], _ digests: inout [String: Digest], _ shelf: borrowing BackupShelf,
    _ effects: Effects, tell: (any Error) throws -> Void
  ) throws -> Set<String> {
    var damaged: Set<String> = []
    for point in pruned where !point.reasons.isEmpty {
      let (name, needs) = (point.point.name, point.point.manifest.needs)
      do {
        if digests[name] == nil { digests[name] = try BackupFile(name, in: shelf).digest(effects) }
        // What it needs is from before, and stays: it has been read.
        if let needs, let found = digests[needs.name], found != needs.digest {
          throw BackupFault.replaced(
            path: joinPath(shelf.path, name), other: joinPath(shelf.path, needs.name))
        }
      } catch let error where BackupCheck.isOfPoint(error) {
        damaged.insert(name)
        try tell(error)
      }
    }
    return damaged
  }

  /// Says what stays for other reasons than the plan's.
  private static func say(
    _ pruned: [PrunedPoint], _ blind: String?, _ shelf: borrowing BackupShelf,
    _ tell: (any Error) throws -> Void
  ) throws {
    for point in pruned.map(\.point) where point.missing != nil {
      if let fault = shelf.fault(of: point) { try tell(fault) }
    }
    if let blind, pruned.contains(where: { $0.point.name < blind }) {
      try tell(BackupFault.mayNeed(path: joinPath(shelf.path, blind)))
    }
  }

  private static func remove(
    _ pruned: [PrunedPoint], _ shelf: borrowing BackupShelf, _ effects: Effects
  ) throws {
    // The newest first: whatever an interruption leaves can be restored.
    for point in pruned.reversed() where point.reasons.isEmpty {
      try effects.checkInterrupt()
      let name = point.point.name
      try FileFault.naming(joinPath(shelf.path, name)) {
        _ = try shelf.directory.unlink(name)
        try shelf.directory.sync()
      }
    }
  }

  /// The latest file that cannot be read, or is away: nobody knows which of the points before it it needs.
  private static func blind(_ points: [BackupShelf.Point], _ unknown: [String]) -> String? {
    (unknown + points.compactMap(\.missing)).max()
  }
}
