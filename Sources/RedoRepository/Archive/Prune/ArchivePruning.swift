// Keeps those of many archives that a plan names. What counts is when this store received the nodes, which no author's
// clock can change; what is kept keeps what it needs, and nothing is removed that does not exist elsewhere.

package import RedoObject

/// Removes archives that a plan does not keep.
package enum ArchivePruning {
  /// What is pruned, and how.
  package struct Request: Sendable {
    /// The files.
    package var paths: [String]
    /// Which of them are kept.
    package var plan: RetentionPlan
    /// Whether nothing is removed.
    package var isDryRun: Bool
    /// Whether what the store itself has counts as a copy.
    package var storeCounts: Bool
    /// What opens encrypted ones.
    package var keys: SealKeys

    /// Files, and a plan for them.
    package init(
      _ paths: [String], _ plan: RetentionPlan, isDryRun: Bool = false, storeCounts: Bool = false,
      keys: SealKeys = SealKeys(asks: false)
    ) {
      self.keys = keys
      self.paths = paths
      self.plan = plan
      self.isDryRun = isDryRun
      self.storeCounts = storeCounts
    }
  }

  /// Why an archive that no plan keeps is still needed.
  package enum Need: Equatable, Sendable {
    /// This many of its nodes, or their signatures, are nowhere else.
    case nodes(Int)
    /// What the documents beside it say about this many of its nodes is nowhere else.
    case documents(Int)
    /// It, or one of those that stay, has changed since it was read.
    case changed
  }

  /// A reason to keep an archive that may have been meant to go.
  package enum Obstacle {
    /// It cannot be read; it stays, and takes nobody's place. If the receiver throws the error, the run ends.
    case unreadable(path: String, any Error)
    /// It is needed, though nothing that stays builds on it.
    case needed(path: String, Need)
    /// It stays, and lacks this many nodes that it needs, because they are in none of the archives; the first of them.
    case gap(path: String, missing: Int, ObjectID)
  }

  /// What became of all archives.
  package struct Outcome: Sendable {
    /// The archives in the order in which they were named; those without a reason are gone, or would be.
    package var archives: [PrunedArchive]
    /// Whether all could be read, have what they need, and none stays against the plan.
    package var isClean: Bool
  }

  /// Prunes archives.
  ///
  /// - Parameters:
  ///   - request: what is pruned.
  ///   - opened: the store.
  ///   - effects: the time, and where files are.
  ///   - tell: receives each obstacle as it is found.
  /// - Returns: what became of them.
  /// - Throws: `PruneFault`, `FileFault`, `Interruption`; what `tell` throws.
  package static func run(
    _ request: Request, _ opened: Repository, _ effects: Effects,
    tell: (Obstacle) throws -> Void
  ) throws -> Outcome {
    let received = try ReceivedTimes(opened, now: effects.clock())
    var archives: [PrunedArchive] = []
    var contents = PruneContents()
    var isClean = true
    for path in request.paths {
      var archive = PrunedArchive(path: path)
      do {
        try archive.read(received, &contents, request.keys, opened, effects)
      } catch {
        try tell(.unreadable(path: path, error))
        archive.reasons = [.unreadable]
        isClean = false
      }
      archives.append(archive)
    }
    try PrunedArchive.checkDistinct(archives)
    let counted = archives.indices.filter {
      archives[$0].time != nil && archives[$0].reasons.isEmpty
    }
    let reasons = request.plan.reasons(counted.compactMap { archives[$0].time })
    for (index, reasons) in zip(counted, reasons) { archives[index].reasons = reasons }
    let decision = try PruneDecision(archives, contents, request.storeCounts ? opened.objects : nil)
    for (index, ids) in decision.gaps {
      try tell(.gap(path: archives[index].path, missing: ids.count, ids[0]))
    }
    for (index, need) in decision.needs {
      try tell(.needed(path: archives[index].path, need))
    }
    isClean = isClean && decision.gaps.isEmpty && decision.needs.isEmpty
    var outcome = Outcome(archives: decision.archives, isClean: isClean)
    guard !request.isDryRun else { return outcome }
    for index in outcome.archives.indices where outcome.archives[index].reasons.isEmpty {
      try effects.checkInterrupt()
      let archive = outcome.archives[index]
      guard try !PruneRemoval.remove(archive, of: decision.archives, effects) else { continue }
      try tell(.needed(path: archive.path, .changed))
      outcome.archives[index].reasons = [.needed]
      outcome.isClean = false
    }
    return outcome
  }
}

/// What keeps archives from being pruned at all.
package enum PruneFault: Fault {
  /// An archive is not a regular file.
  case irregular(path: String)
  /// Two names stand for the same file, which would be its own copy.
  case same(path: String, other: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .irregular: .invalid
    case .same: .refused
    }
  }

  /// The file.
  package var subject: String? {
    switch self {
    case .irregular(let path), .same(let path, _): path
    }
  }
}
