// Which archives stay besides those that a plan keeps: what these need, whatever it is that needs it, and what would be
// lost. An archive that lacks something it needs, because it is in none of the files, is nobody's second copy.

internal import RedoObject
internal import RedoStore

/// Decides which of many archives can go.
struct PruneDecision {
  /// The archives; those without a reason to stay can go.
  private(set) var archives: [PrunedArchive]
  /// What they lack: the archive, and the prerequisites of it that are in none of them.
  private(set) var gaps: [(index: Int, ids: [ObjectID])] = []
  /// The archives that have to stay although nothing builds on them, and why.
  private(set) var needs: [(index: Int, need: ArchivePruning.Need)] = []

  private let contents: PruneContents
  /// The store, if it counts as a copy.
  private let store: ObjectStore?
  /// Whether each archive, with others of those that are named, has all that it needs.
  private var isWhole: [Bool] = []
  /// What those that stay have.
  private var kept = NumberSet()
  /// What those that stay and have all they need, have.
  private var safe = NumberSet()
  private var statements = NumberSet()

  /// Decides.
  ///
  /// - Parameters:
  ///   - archives: what was read; those that stay by themselves or by a plan have their reasons.
  ///   - contents: the numbers of what they hold.
  ///   - store: the store, if it counts as a copy.
  /// - Throws: when the store cannot be read.
  init(_ archives: [PrunedArchive], _ contents: PruneContents, _ store: ObjectStore?) throws {
    self.archives = archives
    self.contents = contents
    self.store = store
    isWhole = [Bool](repeating: false, count: archives.count)
    try findWhole()
    for index in archives.indices where !archives[index].reasons.isEmpty { add(index) }
    try addPrerequisites(of: archives.indices.filter { !archives[$0].reasons.isEmpty })
    // The newest first: it is most likely to have what the others have.
    let order = archives.indices.filter { archives[$0].reasons.isEmpty }
      .sorted { (archives[$1].time ?? 0, $0) < (archives[$0].time ?? 0, $1) }
    for index in order where self.archives[index].reasons.isEmpty {
      guard let need = try need(for: index) else { continue }
      // A point in time that an increment stands for is that of all before it.
      if !isBuiltUpon(index) { needs.append((index, need)) }
      self.archives[index].reasons = [.needed]
      add(index)
      try addPrerequisites(of: [index])
    }
  }

  /// Finds the archives whose prerequisites are in others that are whole.
  private mutating func findWhole() throws {
    var known = NumberSet()
    var left = archives.indices.filter { archives[$0].isRead }
      .sorted { (archives[$0].time ?? 0) < (archives[$1].time ?? 0) }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      var still: [Int] = []
      for index in left {
        var isComplete = true
        for id in archives[index].prerequisites where isComplete {
          isComplete = try contents.contains(id, in: known) || isStored(id)
        }
        guard isComplete else {
          still.append(index)
          continue
        }
        isWhole[index] = true
        known.formUnion(archives[index].nodes)
        hasChanged = true
      }
      left = still
    }
  }

  private func isStored(_ id: ObjectID) throws -> Bool { try store?.own.contains(id) ?? false }

  private mutating func add(_ index: Int) {
    kept.formUnion(archives[index].nodes)
    guard isWhole[index] else { return }
    safe.formUnion(archives[index].nodes)
    statements.formUnion(archives[index].statements)
  }

  /// Keeps what archives that stay need, and what that needs.
  private mutating func addPrerequisites(of indices: [Int]) throws {
    var queue = indices
    var next = 0
    while next < queue.count {
      let index = queue[next]
      next += 1
      var absent: [ObjectID] = []
      for id in archives[index].prerequisites {
        if contents.contains(id, in: kept) { continue }
        if try isStored(id) { continue }
        guard let holder = holder(of: id) else {
          absent.append(id)
          continue
        }
        archives[holder].reasons = [.prerequisite]
        add(holder)
        queue.append(holder)
      }
      // What a registered archive needs is up to the store that reads it.
      if !absent.isEmpty, archives[index].reasons != [.registered] { gaps.append((index, absent)) }
    }
  }

  /// The archive to keep for a node: one that has all it needs, of these one that needs nothing, of these the newest.
  private func holder(of id: ObjectID) -> Int? {
    func rank(_ index: Int) -> (Int, Int, Int64) {
      (
        isWhole[index] ? 1 : 0, archives[index].prerequisites.isEmpty ? 1 : 0,
        archives[index].time ?? 0
      )
    }
    return archives.indices.filter {
      archives[$0].reasons.isEmpty && contents.contains(id, in: archives[$0].nodes)
    }.max { rank($0) < rank($1) }
  }

  /// What would be lost with an archive.
  private func need(for index: Int) throws -> ArchivePruning.Need? {
    var reader = NodeReader()
    var count = 0
    for number in contents.missing(of: archives[index].nodes, in: safe) {
      // The store itself: a registered archive may be the file that goes.
      let copy = (try? store?.own.read(contents.ids[number], &reader.workspace)) ?? nil
      if let copy, copy.kind.hasHistory, contents.isCopy(copy.signature, of: number) { continue }
      count += 1
    }
    if count > 0 { return .nodes(count) }
    let lost = archives[index].statements.subtracting(statements).count
    return lost > 0 ? .documents(lost) : nil
  }

  /// Whether an archive that stays and is not older is an increment.
  private func isBuiltUpon(_ index: Int) -> Bool {
    guard let time = archives[index].time else { return false }
    return archives.contains {
      !$0.reasons.isEmpty && !$0.prerequisites.isEmpty && ($0.time ?? .min) >= time
    }
  }
}
