// Why a task's state is what it is: for each member who wrote it, and who else did so without effect.

package import RedoObject

/// A node that wrote a member, or would have.
package struct MemberWriter: Sendable {
  /// The node.
  package let position: Int
  /// The value that the member had after it, RFC 8785.
  ///
  /// For a node without effect it is the value that it names; `nil` where it names no value of its own.
  package let value: [UInt8]?
  /// What it appended to notes, RFC 8785.
  package let appended: [UInt8]?
  /// By how many days it would have moved a deadline, had it had an effect.
  package let days: Int64?
  /// Whether this is the default that a CREATE took.
  package let isDefault: Bool
  /// How a MERGE decided: the strategy as RFC 8785 writes it, without quotes.
  package let strategy: [UInt8]?
}

/// What put one of two nodes, neither of which descends from the other, later in the total order.
package enum TieBreak: String, CaseIterable, Sendable {
  /// The greater lamport.
  case lamport
  /// The later wall time, the lamports being equal.
  case wall
  /// The greater id, the clocks being equal.
  case id
  /// Its parents, which come later, although its own clocks would put it first.
  case parents
}

/// Why the value is not the one that a node wrote.
package enum LossReason: Sendable {
  /// The winner descends from it.
  case earlier
  /// The winner does not descend from it, and comes later in the total order.
  case concurrent(TieBreak)
  /// It is a default, and something was set since.
  case isDefault
  /// A MERGE that was made automatically has no effect on members.
  case automaticMerge
  /// The node, or what it says about a todo, has no effect.
  case skipped(SkipReason)

  /// The name of the rule.
  package var rule: String {
    switch self {
    case .earlier: "earlier"
    case .concurrent: "concurrent"
    case .isDefault: "default"
    case .automaticMerge: "automatic-merge"
    case .skipped(let reason): reason.rawValue
    }
  }

  /// What decided between two nodes neither of which descends from the other.
  package var tieBreak: TieBreak? { if case .concurrent(let found) = self { found } else { nil } }
}

/// A node that wrote a member without effect.
package struct MemberLoser: Sendable {
  /// The node and its value.
  package let writer: MemberWriter
  /// Why it lost.
  package let reason: LossReason
}

/// One member and all nodes that wrote it.
package struct MemberExplanation: Sendable {
  /// The member.
  package let member: StateMember
  /// Its value in the state, RFC 8785; `nil` when it has none.
  package let value: [UInt8]?
  /// The node that wrote it; `nil` when none did with effect.
  package let winner: MemberWriter?
  /// Of notes that several nodes wrote together, these nodes, oldest first, the winner last.
  package let parts: [MemberWriter]
  /// The nodes that wrote it without effect, newest first.
  package let losers: [MemberLoser]
}

/// Why the state of a task is what it is.
package struct Explanation: Sendable {
  /// The task.
  package let task: TaskID
  /// The state; `nil` when the task has none.
  package let state: TaskState?
  /// The members in the order of the state, those of its todos after its own; then members that were only
  /// written without effect.
  package let members: [MemberExplanation]
  /// What has no effect, in total order.
  package let skips: [Skip]
  /// The DELETEs that do not descend from another one.
  package let deletes: [Int]
}
