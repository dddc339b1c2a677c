// The changes that make, change and take in records: nodes like any others, which say what was worked out from the state that they follow.

internal import CanonicalJSON
package import RedoHistory
package import RedoObject
internal import RedoStore

extension ChangeRequest {
  /// The CREATE of a record.
  ///
  /// - Parameters:
  ///   - members: what it says beside its title.
  ///   - title: the title, UTF-8; `nil` for that which its values give.
  ///   - schemas: the schemas of the store.
  package init(creating members: RecordMembers, title: [UInt8]? = nil, _ schemas: RecordSchemas) {
    self.init(action: Action.create.rawValue)
    var text: [UInt8] = []
    let said = title ?? schemas.title(of: members)
    JSONWriter.appendString(said.span, to: &text)
    content = RecordSchemas.content(members + [(name: Array("title".utf8), value: text)])
  }

  /// The UPDATE of a record.
  ///
  /// - Parameters:
  ///   - task: the record.
  ///   - members: what it says.
  ///   - parents: what it follows: that from which it was worked out.
  package init(updating task: TaskID, _ members: RecordMembers, after parents: [ObjectID]) {
    self.init(action: Action.update.rawValue)
    self.task = task
    self.parents = parents
    content = RecordSchemas.content(members)
    subject = "task \(task.text)"
  }
}

/// What records of files come to in a store.
package struct RecordIntake {
  /// The changes; of a record that is here as the file has it there is none.
  package private(set) var requests: [ChangeRequest] = []
  /// The records that were deleted here, and stay so.
  package private(set) var deleted: [TaskID] = []
  /// How many records are here as the files have them, or later.
  package private(set) var knownCount = 0

  /// Works out the changes.
  ///
  /// - Parameters:
  ///   - entries: the records; of several of one id the one that was changed last counts.
  ///   - opened: the store.
  ///   - effects: receives reports about nodes that are left out.
  /// - Throws: what reading the history throws.
  package init(_ entries: [RecordFile.Entry], _ opened: Repository, _ effects: Effects) throws {
    let reading = try RecordReading(opened)
    let schemas = reading.schemas
    var last: [TaskID: Int] = [:]
    for (place, entry) in entries.enumerated() {
      guard let id = entry.id else { continue }
      if let known = last[id], !entry.isLater(than: entries[known]) { continue }
      last[id] = place
    }
    var present: Set<TaskID> = []
    var snapshot = try opened.snapshot()
    for id in last.keys where try !snapshot.ids(of: .heads(of: id)).isEmpty { present.insert(id) }
    var updates: [TaskID: ChangeRequest?] = [:]
    if !present.isEmpty {
      let wanted = last.filter { present.contains($0.key) }.mapValues { entries[$0] }
      try reading.forEach(effects) { state, order, parents -> (TaskID, ChangeRequest?)? in
        guard let entry = wanted[state.id] else { return nil }
        let changes = schemas.changes(by: entry, to: state, order)
        return (
          state.id,
          changes.isEmpty ? nil : ChangeRequest(updating: state.id, changes, after: parents())
        )
      } _: { id, request in
        updates[id] = .some(request)
      }
    }
    for (place, entry) in entries.enumerated() {
      if let id = entry.id {
        guard last[id] == place else { continue }
        if present.contains(id) {
          switch updates[id] {
          case .some(.some(let request)): requests.append(request)
          case .some(.none): knownCount += 1
          case .none: deleted.append(id)
          }
          continue
        }
      }
      var request = ChangeRequest(creating: schemas.members(of: entry), schemas)
      request.task = entry.id
      request.subject = entry.id.map { "record \($0.text)" } ?? "record \(place + 1)"
      requests.append(request)
    }
  }
}
