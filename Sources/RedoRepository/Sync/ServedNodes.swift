// The nodes of a store, for a server that shows them in another form and takes in others: the news in the history since
// the last look, single nodes, and incoming nodes, checked like everything that is pushed.

internal import RedoHistory
package import RedoObject
internal import RedoRemote
package import RedoStore
internal import Synchronization

/// Which access lists may be replaced.
package enum AccessReplacing: Sendable {
  /// None: only nodes without a list get one.
  case none
  /// Those of all nodes.
  case all
}

/// The nodes of one store that is served.
///
/// A class, because the threads of a server share the open store.
package final class ServedNodes: Sendable {
  /// A position in the history up to which somebody knows it.
  package struct Place: Sendable {
    fileprivate var mark: RefsMark?
    fileprivate var bytes = 0
    fileprivate var last: [UInt8]?

    /// Creates the position before everything.
    package init() {}
  }

  /// The changes of the history.
  package struct Changes: Sendable {
    /// Whether `received` is the whole history, because it was rewritten.
    package fileprivate(set) var isWhole = false
    /// The nodes, and the objects of other kinds, that are in it, each with the time when it was received, in milliseconds since 1970.
    package fileprivate(set) var received: [(id: ObjectID, milliseconds: Int64)] = []
    /// The nodes that were wiped.
    package fileprivate(set) var forgotten: [ObjectID] = []
  }

  /// The results for incoming nodes.
  package struct Admission: Sendable {
    /// The nodes that are in the history now.
    package fileprivate(set) var taken: Set<ObjectID> = []
    /// The nodes that wait in the quarantine for their parents.
    package fileprivate(set) var waiting: Set<ObjectID> = []
    /// The nodes that cannot be taken, and the rule that each breaks.
    package fileprivate(set) var refused: [(id: ObjectID, rule: String)] = []
    /// The events that were reported.
    package fileprivate(set) var events: [RedoEvent] = []

    /// Creates an empty result.
    package init() {}
  }

  private let stores: ServedStores
  private let path: String
  private let opened: Mutex<Repository>
  /// Knows the access lists, so that they are read once.
  private let writer = Mutex<AccessWriter?>(nil)

  /// Creates access to the nodes of a store.
  ///
  /// - Parameters:
  ///   - stores: how stores are opened.
  ///   - path: the absolute path of the store.
  /// - Throws: `RemoteFault` when there is none, `StoreDirectoryError` when it cannot be opened.
  package init(_ stores: ServedStores, path: String) throws {
    self.stores = stores
    self.path = path
    opened = Mutex(try stores.open(path))
  }

  /// The description of an error for people.
  package func describe(_ error: any Error) -> String { stores.effects.describe(error) }

  private var current: Repository { opened.withLock { $0 } }

  /// Opens the store again: others may have moved its objects into packs.
  private func reopen() throws -> Repository {
    let new = try stores.open(path)
    opened.withLock { $0 = new }
    return new
  }

  /// Opens the log of documents of the store.
  ///
  /// - Parameter visit: receives each payload and where it begins in the log.
  /// - Returns: the log, and how many bytes of a torn record were cut off.
  /// - Throws: `SyncFault` when another server holds it or it is damaged, `DocumentLogError` when it cannot be used.
  package func documents(
    _ visit: (DocumentLog, [UInt8], Int) throws(DocumentLogError) -> Void
  ) throws -> (log: DocumentLog, cutBytes: Int) {
    let opened = current
    let options = try opened.refsOptions()
    do throws(DocumentLogError) {
      return try DocumentLog.open(
        in: opened.store.directory, options.sync,
        timeoutMilliseconds: options.lockTimeoutMilliseconds, visit)
    } catch {
      switch error {
      case .locked: throw SyncFault.busyDocuments(error)
      case .corrupt: throw SyncFault.damagedDocuments(error)
      case .system, .tooLarge, .broken: throw error
      }
    }
  }

  // MARK: Reading

  /// The changes since an earlier position.
  ///
  /// - Parameter place: the position up to which the caller knows the history; moved to its end.
  /// - Returns: `nil` when nothing has changed.
  /// - Throws: `RefsError` when the history cannot be read.
  package func changes(since place: inout Place) throws -> Changes? {
    let opened = current
    let mark = try opened.store.refs.mark()
    guard mark != place.mark else { return nil }
    let received = opened.store.received
    let end = try opened.store.refs.snapshot().receivedBytes
    let last = end == 0 ? nil : try received.lastBytes(to: end)
    if end == place.bytes, last == place.last {
      place.mark = mark
      return nil
    }
    var changes = Changes()
    let isLonger = place.bytes > 0 && end > place.bytes
    if isLonger { changes.isWhole = try received.lastBytes(to: place.bytes) != place.last }
    if !isLonger { changes.isWhole = true }
    if end > 0 {
      try received.forEach(from: changes.isWhole ? nil : place.bytes, to: end) { id, note in
        switch note {
        case .received(let milliseconds): changes.received.append((id, milliseconds))
        case .forgotten: changes.forgotten.append(id)
        }
        return true
      }
    }
    if !changes.forgotten.isEmpty {
      // The last record of an ID counts; to find it, all records are read again.
      changes.forgotten = []
      changes.isWhole = true
      changes.received = try Self.present(received, to: end)
    }
    place.mark = mark
    place.bytes = end
    place.last = last
    return changes
  }

  /// The nodes that are in the history after all records about them.
  private static func present(
    _ received: borrowing Received, to end: Int
  ) throws(RefsError) -> [(id: ObjectID, milliseconds: Int64)] {
    var times: [ObjectID: Int64] = [:]
    var order: [ObjectID] = []
    try received.forEach(to: end) { id, note in
      switch note {
      case .received(let milliseconds):
        if times.updateValue(times[id] ?? milliseconds, forKey: id) == nil { order.append(id) }
      case .forgotten: times[id] = nil
      }
      return true
    }
    var rows: [(id: ObjectID, milliseconds: Int64)] = []
    for id in order {
      if let time = times.removeValue(forKey: id) { rows.append((id, time)) }
    }
    return rows
  }

  /// Transforms each of some nodes, on all processors; those that cannot be read, and what is no node, are left out.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - transform: turns a node into an output.
  ///   - visit: receives the outputs, in the order of the nodes.
  /// - Throws: the error when the store cannot be opened.
  package func forEach<Output: Sendable>(
    _ ids: [ObjectID], _ transform: @Sendable (StoredObject) -> Output, _ visit: (Output) -> Void
  ) throws {
    for start in stride(from: 0, to: ids.count, by: 65_536) {
      let part = Array(ids[start..<min(start + 65_536, ids.count)])
      var made: [Output] = []
      do {
        // What was received may be of any kind; only nodes are shown.
        try HistoryWalk.forEach(part, current.objects, of: nil) { object, _ in
          object.kind == .node ? transform(object) : nil
        } _: { output in
          if let output { made.append(output) }
        }
      } catch {
        // Others have moved it into a pack, or it is missing or damaged; `redo verify` shows which.
        let opened = try reopen()
        made = part.compactMap { id in
          guard let object = try? opened.objects.read(id), object.kind == .node else { return nil }
          return transform(object)
        }
      }
      made.forEach(visit)
    }
  }

  /// A node.
  ///
  /// - Parameter id: its id.
  /// - Returns: `nil` when it does not exist.
  /// - Throws: `StoreError` when it cannot be read.
  package func node(_ id: ObjectID) throws -> StoredObject? {
    if let object = try? current.objects.read(id) { return object.kind == .node ? object : nil }
    let opened = try reopen()
    guard let object = try opened.objects.read(id), object.kind == .node else { return nil }
    return object
  }

  /// Which of some nodes are missing or damaged; it is noted of them.
  ///
  /// - Parameter ids: nodes of the history.
  /// - Returns: those; a node that cannot be read for another reason, such as want of memory, is none.
  package func unreadable(_ ids: some Sequence<ObjectID>) -> [ObjectID] {
    let opened = current
    let found = ids.filter { id in
      do {
        return try opened.objects.read(id)?.kind != .node
      } catch {
        return UnreadableNode.finding(error) != nil
      }
    }
    opened.note(unreadable: found)
    return found
  }

  /// Which of some nodes are good by themselves: nodes by form and content, with a signature that counts here.
  ///
  /// What somebody posts under the id of a node is none of these unless it is that node.
  ///
  /// - Parameter nodes: the nodes; their ids are those of their bodies.
  /// - Returns: the ids of the good ones.
  /// - Throws: the error when settings, the trust file or the keys of others cannot be read.
  package func good(_ nodes: [StoredObject]) throws -> Set<ObjectID> {
    guard !nodes.isEmpty else { return [] }
    let opened = current
    let options = Intake.Options(
      profile: .sync, allowsUnsigned: try opened.servesUnsigned(stores.allowsUnsigned))
    var intake = Intake(options, try stores.effects.keySources(opened))
    var judged = Intake.judge(nodes, options)
    try intake.settle(&judged)
    return Set(zip(nodes, judged).filter { !$0.1.isRefused }.map(\.0.id))
  }

  /// The quotas of each account of the store.
  ///
  /// - Throws: `ConfigError` when one of them is not a number.
  package func quota() throws -> ServeQuota { try current.serveQuota() }

  // MARK: Access lists

  /// Notices which access lists have changed.
  ///
  /// - Parameter known: the lists as they were known; then as they are.
  /// - Returns: the nodes whose lists may be others now; all of them have none when the file is damaged.
  package func follow(_ known: inout AccessNotes.Found) -> [ObjectID] {
    current.store.access.update(&known)
  }

  /// Notes who may see nodes that were posted here.
  ///
  /// - Parameters:
  ///   - rows: the nodes, and their lists.
  ///   - replacing: whether lists may be replaced; otherwise a node that has one keeps it.
  /// - Throws: `ConfigError` or `RefsError` when it cannot be noted.
  package func note(
    _ rows: [AccessNotes.Row], _ replacing: AccessReplacing
  ) throws {
    let opened = current
    let options = try opened.refsOptions()
    try writer.withLock { writer in
      let known = writer ?? AccessWriter(in: opened.store.directory, options)
      writer = known
      try known.append(rows) { replacing == .all || $1 == nil }
    }
  }

  // MARK: Taking in

  /// Takes nodes into the store: each is checked by the profile `sync`, and waits in the quarantine if a parent is
  /// missing.
  ///
  /// - Parameters:
  ///   - nodes: the nodes, parents before children if both arrive.
  ///   - client: the name of the sender in the reflog and in messages.
  ///   - isCounted: whether what waits counts for that account.
  /// - Returns: the results.
  /// - Throws: `SyncFault` when another synchronisation does not end; the error when the store cannot be used.
  package func admit(
    _ nodes: [StoredObject], from client: String, isCounted: Bool
  ) throws -> Admission {
    let opened = try stores.open(path)
    let quota = try opened.serveQuota().quarantine
    let log = EventLog()
    let effects = stores.effects.telling(log)
    var options = Receiver.Options()
    options.tellsCollisions = false
    options.message = "firestore \(client)"
    options.peer = client
    options.isAlone = false
    if isCounted {
      options.quota = QuarantineQuota(account: client, limit: quota, coversComing: false)
    }
    options.allowsUnsigned = try opened.servesUnsigned(stores.allowsUnsigned)
    let receiver = try Receiver(opened, options, effects)
    var admission = Admission()
    var sent: [ObjectID] = []
    do throws(RemoteError) {
      var packs = WirePacks()
      var decoder = PlaceDecoder()
      for object in nodes {
        guard let node = PackEntry(object, &decoder) else {
          admission.refused.append((object.id, Rule.nodeType.id))
          continue
        }
        sent.append(object.id)
        try packs.add(node) { piece throws(RemoteError) in try receiver.take(piece) }
      }
      try packs.end { piece throws(RemoteError) in try receiver.take(piece) }
      _ = try receiver.finish()
    } catch {
      throw receiver.failure ?? error
    }
    admission.refused += receiver.report.refused.map { ($0.id, $0.rule) }
    admission.waiting = Set(receiver.report.orphans.map(\.id) + receiver.report.held.map(\.id))
    let refused = Set(admission.refused.map(\.id))
    admission.taken = Set(
      sent.filter { !refused.contains($0) && !admission.waiting.contains($0) })
    admission.events = log.events
    return admission
  }
}
