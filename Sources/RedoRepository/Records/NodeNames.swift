// The names for people of what nodes write to records: found by the schema that the task has now, else by that which the node itself names.

package import RedoHistory
package import RedoObject

/// Finds names of members.
package struct NodeNames {
  private let opened: Repository
  /// `nil` for a store without schemas, where nothing is looked up.
  private let schemas: RecordSchemas?
  private var known: [TaskID: RecordNames?] = [:]

  /// Prepares to find names.
  ///
  /// - Parameter opened: the store.
  /// - Throws: as `Repository.recordSchemas`.
  package init(_ opened: Repository) throws {
    let schemas = try opened.recordSchemas()
    self.schemas = schemas.isEmpty ? nil : schemas
    self.opened = opened
  }

  /// The names of what a node writes.
  ///
  /// - Parameter node: the node.
  /// - Returns: `nil` where it is about no record.
  /// - Throws: what reading its task throws.
  package mutating func names(for node: Node) throws -> RecordNames? {
    guard let schemas, let task = node.taskID, let action = node.action,
      action == .create || action == .update || action == .merge
    else { return nil }
    let members = RecordSchemas.members(of: node.content)
    guard members.contains(where: { RecordSchemas.isOther($0.name) }) else { return nil }
    if known[task] == nil {
      known[task] = .some(RecordNames(try opened.state(of: task)?.state, schemas))
    }
    return (known[task] ?? nil) ?? RecordNames(members, schemas)
  }
}

extension Repository {
  /// A task as it is, and when its members were written.
  ///
  /// - Parameter task: the task.
  /// - Returns: `nil` when it has no state.
  /// - Throws: what reading its nodes throws.
  func state(
    of task: TaskID
  ) throws -> (state: TaskState, lastWrites: [[UInt8]: Int])? {
    var snapshot = try snapshot()
    return try state(of: task, &snapshot)
  }
}
