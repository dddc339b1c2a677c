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
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: is told of schemas that cannot be read.
  /// - Throws: as `Repository.namingSchemas`.
  package init(_ opened: Repository, _ effects: Effects) throws {
    let schemas = try opened.namingSchemas(effects)
    self.schemas = schemas.isEmpty ? nil : schemas
    self.opened = opened
  }

  /// The names of what a node writes.
  ///
  /// - Parameter node: the node.
  /// - Returns: `nil` where it is about no record.
  package mutating func names(for node: Node) -> RecordNames? {
    guard let schemas, let task = node.taskID, let action = node.action,
      action == .create || action == .update || action == .merge
    else { return nil }
    let members = RecordSchemas.members(of: node.content)
    guard members.contains(where: { RecordSchemas.isOther($0.name) }) else { return nil }
    if known[task] == nil {
      // Another node of the task may be damaged: this one is shown all the same.
      known[task] = .some(RecordNames((try? opened.state(of: task))?.state, schemas))
    }
    return (known[task] ?? nil) ?? RecordNames(members, schemas)
  }
}

extension Repository {
  /// A task as it is, and a function that says when its members were written.
  ///
  /// - Parameter task: the task.
  /// - Returns: `nil` when it has no state.
  /// - Throws: what reading its nodes throws.
  func state(
    of task: TaskID
  ) throws -> (state: TaskState, lastWrites: () -> [[UInt8]: Int])? {
    var snapshot = try snapshot()
    var reader = NodeReader()
    return try state(of: task, &snapshot, &reader)
  }
}
