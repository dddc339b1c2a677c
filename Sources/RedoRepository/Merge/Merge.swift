// Merging diverged tasks: each gets a MERGE that follows its living heads.

package import RedoObject

/// Which tasks are to be merged, and how.
package struct TaskMerge {
  /// The tasks to merge, by ID or prefix; all when there are none.
  package let tasks: [String]
  /// How their members are decided.
  package let decider: MergeDecider
  /// The head that is ours, for `ours` and `theirs`: a revision.
  package let own: String?

  /// Creates a value with these members.
  package init(tasks: [String], decider: MergeDecider, own: String?) {
    (self.tasks, self.decider, self.own) = (tasks, decider, own)
  }

  /// The result of a merge.
  package struct Outcome {
    /// The tasks that had several living heads.
    package let found: [MergeTasks.Found]
    /// The MERGEs; `nil` when one of them breaks a rule, which was reported, and nothing is written.
    package let nodes: [Node]?
  }
}

extension Repository {
  /// The diverged tasks, and what would merge them.
  ///
  /// - Parameters:
  ///   - merge: which tasks, and how.
  ///   - effects: the surroundings.
  /// - Returns: tasks and their MERGEs, by id.
  /// - Throws: `MergeFault`; the error when a name matches nothing, or a node is missing or corrupt.
  package func diverged(
    _ merge: TaskMerge, _ effects: Effects
  ) throws -> [MergeTasks.Found] {
    let tasks = try MergeTasks(self, names: merge.tasks)
    let own = try merge.own.map { name throws in
      try Revisions(self, now: effects.clock()).one(name)
    }
    return try effects.trace.measure("plan") { try tasks.plans(merge.decider, own: own) }
  }

  /// Merges the diverged tasks, all or none.
  ///
  /// - Parameters:
  ///   - merge: which tasks, and how.
  ///   - recording: how the MERGEs are recorded.
  ///   - effects: the surroundings.
  /// - Returns: the tasks, and the nodes that merge them.
  /// - Throws: what `diverged` throws; the error when nodes cannot be recorded.
  package func merge(
    _ merge: TaskMerge, _ recording: CommitWriter.Options, _ effects: Effects
  ) throws -> TaskMerge.Outcome {
    let found = try diverged(merge, effects)
    return TaskMerge.Outcome(found: found, nodes: try self.merge(found, recording, effects))
  }

  /// Merges tasks that were found to be diverged, all or none.
  ///
  /// - Parameters:
  ///   - found: the tasks.
  ///   - recording: how the MERGEs are recorded.
  ///   - effects: the surroundings.
  /// - Returns: the MERGEs; `nil` when one of them breaks a rule, which was reported.
  /// - Throws: the error when nodes cannot be recorded.
  package func merge(
    _ found: [MergeTasks.Found], _ recording: CommitWriter.Options, _ effects: Effects
  ) throws -> [Node]? {
    guard !found.isEmpty else { return [] }
    var writer = try CommitWriter(self, recording, effects)
    return try writer.commit(found.map(\.request), effects)
  }
}
