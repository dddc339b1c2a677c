// Which objects may have which names (protocol, sections 2 and 7): an object that a ref names is in the store, heads
// name nodes of their task or receipts of their chain, and everything that the store's own heads reach is here.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Judges new values of refs.
///
/// A refusal is a value that says why; an error means that the answer could not be determined.
final class RefTargets {
  private let opened: Repository
  private var reader = NodeReader()

  init(_ opened: Repository) { self.opened = opened }

  /// Why an object may not be a value of a name, whatever its other values are.
  func refusal(of id: ObjectID, under name: RefName) throws -> RefRefusal? {
    guard let object = try reader.object(id, in: opened.objects) else {
      return .notInStore(id)
    }
    guard name.isMultiValued else { return nil }
    if let kind = name.kind, ObjectKind.grouped.contains(kind) {
      guard let group = reader.places.grouped(object)?.place.group, group.kind == kind else {
        return .otherKind(id, wanted: kind)
      }
      return name.names(group) ? nil : .otherGroup(id, group)
    }
    guard name.task != nil || name.isHeadsWithoutTask else {
      return .nameOfNoTask
    }
    guard let node = reader.decode(object) else {
      return .notANode(id)
    }
    return node.taskID == name.task ? nil : .otherTask(id, node.taskID)
  }

  /// Why some objects may not be the heads of a task, a chain or a schema of the store's own history.
  ///
  /// - Parameters:
  ///   - new: the new heads; each has passed `refusal(of:under:)`, or was a head already.
  ///   - name: the name of the heads.
  ///   - old: the present heads.
  ///   - lookUp: the history at this moment.
  ///   - received: receives the nodes that enter the history.
  /// - Returns: the reason; `nil` when they may.
  /// - Throws: `RefFault` or `StoreError` when something cannot be read.
  func refusal(
    ofHeads new: [ObjectID], under name: RefName, after old: [ObjectID], _ lookUp: HistoryLookUp,
    _ received: inout [ObjectID]
  ) throws -> RefRefusal? {
    if let kind = name.kind, ObjectKind.grouped.contains(kind) {
      return try refusal(of: kind, new, after: old, lookUp, &received)
    }
    var admission = Admission(profile: .v1)
    let added = new.filter { !old.contains($0) }
    for id in added {
      guard let node = try node(id) else { return .notANode(id) }
      if try !lookUp.isInHistory(id, of: node.taskID) { admission.add(node, record: 0) }
    }
    // Ancestors in the store that are outside the history enter it too.
    for problem in try lookUp.problems(of: &admission)
    where Profile.v1.severity(of: problem.finding) == .error {
      return .cannotEnter(problem.id, problem.finding)
    }
    if !added.isEmpty, let ancestor = try ancestor(among: new) {
      return .ancestor(ancestor)
    }
    for id in admission.ids where try !lookUp.isReceived(id) { received.append(id) }
    return nil
  }

  private func refusal(
    of kind: ObjectKind, _ new: [ObjectID], after old: [ObjectID], _ lookUp: HistoryLookUp,
    _ received: inout [ObjectID]
  ) throws -> RefRefusal? {
    var groups = try GroupLookUp(of: kind, opened, .v1, KeySources())
    var admission = GroupAdmission()
    let added = new.filter { !old.contains($0) }
    for id in added {
      guard let object = try grouped(id), let group = object.place.group, group.kind == kind else {
        return .otherKind(id, wanted: kind)
      }
      if try !groups.isInHistory(id, of: group) { admission.add(object) }
    }
    let problems = try admission.resolve { id throws in try groups.link(id) }
    for problem in problems where problem.isError(.v1) {
      return .cannotEnter(problem.id, problem.finding)
    }
    if !added.isEmpty, let ancestor = try ancestor(among: new) {
      return .ancestor(ancestor)
    }
    for id in admission.ids where try !lookUp.isReceived(id) { received.append(id) }
    return nil
  }

  /// Any of some objects that is an ancestor of another one, by any path.
  ///
  /// - Complexity: O(*n*) in the ancestors of the nodes; constant for a single one.
  private func ancestor(among ids: [ObjectID]) throws -> ObjectID? {
    guard ids.count > 1 else { return nil }
    let heads = Set(ids)
    var seen: Set<ObjectID> = []
    var pending = ids
    while let id = pending.popLast() {
      guard let object = try reader.storedNode(id, in: opened.objects),
        let place = reader.places.place(of: object)
      else { throw RefFault.unreadable(id) }
      for parent in place.parents where seen.insert(parent).inserted {
        if heads.contains(parent) { return parent }
        pending.append(parent)
      }
    }
    return nil
  }

  private func node(_ id: ObjectID) throws -> Node? {
    return try reader.node(id, in: opened.objects)
  }

  private func grouped(_ id: ObjectID) throws -> GroupedObject? {
    try reader.storedNode(id, in: opened.objects).flatMap { reader.places.grouped($0) }
  }
}
