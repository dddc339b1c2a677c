// What is known about a receipt or a schema of the store: its group, its parents, and whether a head reaches it.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// Answers questions about the objects of one kind of a store and its refs at one moment.
package struct GroupLookUp: ~Copyable {
  private let kind: ObjectKind
  private let objects: ObjectStore?
  private var refs: RefsSnapshot?
  private var workspace = LooseStore.Workspace()
  private var decoder = PlaceDecoder()
  /// Judges a parent outside of the history as strictly as its child.
  private var intake: GroupIntake
  private let profile: Profile
  /// The store, where objects of it that cannot be read count as absent.
  private let tolerant: Repository?
  /// What was received, if the heads do not tell because something on the way cannot be read.
  private var received: [ObjectID: Int64]?
  private var hasMetDamage = false
  /// For each group that was asked about, the objects that its heads reach.
  private var reached: [HistoryPlace.Group: Set<ObjectID>] = [:]

  /// Creates a look-up for a store.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - opened: the store; without one nothing is known.
  ///   - profile: the rules that an object outside of the history must satisfy to count as present.
  ///   - keys: where keys are looked for.
  ///   - isTolerant: whether objects of the store that cannot be read count as absent.
  /// - Throws: `RefsError` when the refs cannot be read.
  package init(
    of kind: ObjectKind, _ opened: Repository?, _ profile: Profile, _ keys: KeySources,
    isTolerant: Bool = false
  ) throws {
    self.kind = kind
    tolerant = isTolerant ? opened : nil
    objects = opened?.objects
    refs = try opened?.snapshot()
    self.profile = profile
    intake = GroupIntake(profile, verifies: profile.requiresSignature, keys)
  }

  /// What is known about an object; `nil` when it is not here, or nothing may follow it.
  package mutating func link(_ id: ObjectID) throws -> GroupLink? {
    guard let stored = try stored(id) else { return nil }
    guard stored.kind == kind else { return .other }
    guard let object = decoder.grouped(stored), let group = object.place.group else { return nil }
    let isInHistory = try isInHistory(id, of: group)
    if !isInHistory, profile != .v1 {
      var strict = PlaceDecoder(profile: profile)
      var judged = [GroupIntake.judge(stored, &strict)]
      try intake.settle(&judged)
      guard !judged[0].isRefused else { return nil }
    }
    return GroupLink(object, isInHistory: isInHistory)
  }

  /// The heads of a group.
  package mutating func heads(of group: HistoryPlace.Group) throws -> [ObjectID] {
    guard refs != nil else { return [] }
    return try refs?.ids(of: .heads(of: group)) ?? []
  }

  /// Whether the heads of a group reach an object.
  package mutating func isInHistory(_ id: ObjectID, of group: HistoryPlace.Group) throws -> Bool {
    if reached[group] == nil {
      var seen = Set(try heads(of: group))
      var pending = Array(seen)
      while let id = pending.popLast() {
        for parent in try object(id)?.place.parents ?? [] where seen.insert(parent).inserted {
          pending.append(parent)
        }
      }
      reached[group] = seen
    }
    if reached[group]?.contains(id) ?? false { return true }
    guard hasMetDamage, let tolerant else { return false }
    if received == nil { received = try tolerant.receivedTimes() }
    return received?[id] != nil
  }

  private mutating func object(_ id: ObjectID) throws -> GroupedObject? {
    guard let stored = try stored(id), stored.kind == kind else { return nil }
    return decoder.grouped(stored)
  }

  private mutating func stored(_ id: ObjectID) throws -> StoredObject? {
    do throws(StoreError) {
      let found = try objects?.read(id, &workspace)
      hasMetDamage = hasMetDamage || found == nil
      return found
    } catch {
      guard tolerant != nil, UnreadableNode.finding(error) != nil else { throw error }
      hasMetDamage = true
      return nil
    }
  }
}
