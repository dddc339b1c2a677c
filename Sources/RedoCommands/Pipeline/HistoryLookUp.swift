// What is known of a node of the store: its task, parents and clock, and whether a head reaches it.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Questions to a store and its refs at one moment.
///
/// A class, because the same answers are asked for by several closures at once.
final class HistoryLookUp {
  private let objects: ObjectStore?
  private let opened: OpenRepository?
  private var refs: RefsSnapshot?
  private var received: Set<ObjectID>?
  /// Whether tasks have heads, those that were asked for; all once they are known.
  private var hasHeads: [TaskID?: Bool] = [:]
  private var knowsAllHeads = false
  private var reader = NodeReader()
  private var strict: NodeDecoder
  private let profile: Profile

  /// Questions to a store whose refs count.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - profile: what a node outside of the history must satisfy to count as being here.
  /// - Throws: `fatal` when its refs cannot be read.
  init(_ opened: OpenRepository, _ profile: Profile) throws(CommandError) {
    self.opened = opened
    self.profile = profile
    strict = NodeDecoder(profile: profile)
    objects = opened.objects
    refs = try opened.snapshot()
  }

  /// Questions to objects alone: all of them count as history.
  init(objects: ObjectStore?, _ profile: Profile) {
    self.objects = objects
    self.profile = profile
    strict = NodeDecoder(profile: profile)
    opened = nil
    refs = nil
  }

  /// The bytes of the received log at this moment.
  var receivedBytes: Int { refs?.receivedBytes ?? 0 }

  /// What is known of a node; `nil` when it is not here.
  func node(_ id: ObjectID) throws(CommandError) -> KnownNode? {
    guard let objects else { return nil }
    let object: StoredObject?
    do throws(StoreError) {
      object = try objects.read(id, &reader.workspace)
    } catch {
      throw .fatal(error)
    }
    guard let object, object.kind == .node, let node = reader.decode(object) else { return nil }
    let isHead = try heads(of: node.taskID).contains(id)
    let isInHistory = isHead ? true : try isReceived(id)
    // What would enter the history behind its child is judged as strictly as the child.
    guard isInHistory || profile == .v1 || passes(object) else { return nil }
    return KnownNode(node, isInHistory: isInHistory)
  }

  private func passes(_ object: StoredObject) -> Bool {
    strict.decode(object)?.verify().isGood ?? false
  }

  /// Finds the parents of a set, and judges it: every broken rule, warnings included.
  func problems(of admission: inout Admission) throws(CommandError) -> [Admission.Problem] {
    var problems = try admission.resolve { id throws(CommandError) in try self.node(id) }
    guard profile.isGenesis else { return problems }
    for create in admission.createProblems {
      // A task of which the history has heads has its CREATE.
      let task = admission.task(of: create)
      if try !heads(of: task).isEmpty { problems.append(create) }
    }
    return problems
  }

  /// The heads of a task; of `nil` those of the nodes without a task.
  func heads(of task: TaskID?) throws(CommandError) -> [ObjectID] {
    guard refs != nil else { return [] }
    do throws(RefsError) {
      return try refs?.ids(of: .heads(of: task)) ?? []
    } catch {
      throw .fatal(error)
    }
  }

  /// Whether a node has been accepted into the history.
  func isReceived(_ id: ObjectID) throws(CommandError) -> Bool {
    guard let opened else { return true }
    if received == nil { received = try loadReceived(opened) }
    return received?.contains(id) ?? false
  }

  private func loadReceived(_ opened: OpenRepository) throws(CommandError) -> Set<ObjectID> {
    do throws(RefsError) {
      return try opened.repository.received.load(to: receivedBytes)
    } catch {
      // A wipe shortens the log: to those who do not hold the objects it may look cut off.
      let newer = try opened.snapshot()
      guard case .corrupt = error, newer.generation != refs?.generation else {
        throw .fatal(error)
      }
      do throws(RefsError) {
        return try opened.repository.received.load(to: newer.receivedBytes)
      } catch {
        throw .fatal(error)
      }
    }
  }

  /// Up to how many tasks are looked up one by one.
  private static let fewTasks = 64

  /// Whether a node is in the history: accepted once, and not taken out of it since together with all
  /// heads of its task, as the undoing of an import does.
  func isInHistory(_ id: ObjectID, of task: TaskID?) throws(CommandError) -> Bool {
    guard try isReceived(id) else { return false }
    guard refs != nil else { return true }
    if let known = hasHeads[task] { return known }
    if !knowsAllHeads, hasHeads.count < Self.fewTasks {
      let found = try !heads(of: task).isEmpty
      hasHeads[task] = found
      return found
    }
    if !knowsAllHeads {
      knowsAllHeads = true
      do throws(RefsError) {
        try refs?.forEach(prefix: "heads/") { (ref) throws(RefsError) in
          if ref.name.isHeadsWithoutTask {
            hasHeads.updateValue(true, forKey: nil)
          } else if let task = ref.name.task {
            hasHeads[task] = true
          }
          return true
        }
      } catch {
        throw .fatal(error)
      }
    }
    return hasHeads[task] ?? false
  }

  /// The nodes that others have taken into the history after an earlier moment.
  func receivedSince(_ bytes: Int) throws(CommandError) -> Set<ObjectID> {
    guard let opened, bytes < receivedBytes else { return [] }
    var ids: Set<ObjectID> = []
    do throws(RefsError) {
      try opened.repository.received.forEach(from: bytes, to: receivedBytes) { id, note in
        if note == .forgotten { ids.remove(id) } else { ids.insert(id) }
        return true
      }
    } catch {
      throw .fatal(error)
    }
    return ids
  }
}

extension RefName {
  /// The name under which the heads of a task stand.
  static func heads(of task: TaskID?) -> RefName {
    guard let name = RefName("heads/" + (task?.text ?? "-")) else {
      preconditionFailure("BUG: a task's id is no ref name")
    }
    return name
  }
}
