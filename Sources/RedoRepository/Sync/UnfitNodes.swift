// The nodes of a history that are not exchanged: those that do not pass the profile `sync`, as far as the index of the
// history tells, and their descendants.

package import RedoHistory
package import RedoObject

/// Nodes that are not compared, and why.
///
/// It takes 5 bytes for each node of the history if there are any, otherwise nothing.
package struct UnfitNodes: Sendable {
  /// A node that is not compared.
  package struct Entry: Equatable, Sendable {
    /// The node.
    package let id: ObjectID
    /// The rule that it, or its ancestor, breaks.
    package let rule: Rule
    /// The ancestor that breaks the rule, if it is not the node itself.
    package let ancestor: ObjectID?
  }

  /// The state of a node.
  private enum Standing: UInt8 {
    case fit, outside, broken, unsigned, notIncreasing, jump, unreadable, descendant

    /// The rule that the node itself breaks.
    var rule: Rule? {
      switch self {
      case .fit, .outside, .unreadable, .descendant: nil
      // Only reading the node shows which rule it breaks.
      case .broken: .nodeType
      case .unsigned: .signatureMissing
      case .notIncreasing: .lamportNotIncreasing
      case .jump: .lamportJump
      }
    }
  }

  private let graph: Graph
  private var standings: [Standing] = []
  /// For each descendant, the position of the ancestor that breaks a rule, or of another descendant of it.
  private var causes: [UInt32] = []
  /// How many of the requested nodes are not compared.
  package private(set) var count = 0
  private let asked: [Bool]?
  /// What keeps nodes from being read.
  private let unreadable: [ObjectID: Finding]
  /// The nodes that the index lacks, because they or ancestors of theirs cannot be read.
  private let lost: [ReadableHistory.Lost]

  /// Judges a history.
  ///
  /// - Parameters:
  ///   - graph: the history; the columns `parents` and `clocks` have been checked.
  ///   - members: the nodes that count; all when `nil`.
  ///   - asked: which nodes are requested themselves; all when `nil`.
  ///   - allowsUnsigned: whether nodes without a signature pass.
  ///   - unreadable: the nodes that are known to be unreadable, and why.
  ///   - lost: the nodes that the index lacks for that reason.
  /// - Complexity: O(*n*) in nodes and parents.
  package init(
    _ graph: Graph, members: [Bool]?, asked: [Bool]?, allowsUnsigned: Bool,
    unreadable: [ObjectID: Finding] = [:], lost: [ReadableHistory.Lost] = []
  ) {
    self.lost = lost
    count = lost.count
    self.graph = graph
    self.asked = asked
    self.unreadable = unreadable
    let unread = Set(unreadable.keys.compactMap { graph.position(of: $0) })
    var standings = [Standing](repeating: .fit, count: graph.count)
    var causes: [UInt32] = []
    for position in 0..<graph.count {
      guard members?[position] ?? true else {
        standings[position] = .outside
        continue
      }
      var greatest: UInt64 = 0
      var cause: Int?
      graph.forEachParent(at: position) { parent in
        greatest = max(greatest, graph.lamport(at: parent).value)
        if standings[parent] != .fit { cause = cause ?? parent }
      }
      let marks = graph.marks(at: position)
      let lamport = graph.lamport(at: position).value
      if !unread.isEmpty, unread.contains(position) {
        standings[position] = .unreadable
      } else if marks.contains(.isBroken) {
        standings[position] = .broken
      } else if !allowsUnsigned, !marks.contains(.isSigned) {
        standings[position] = .unsigned
      } else if lamport <= greatest {
        standings[position] = .notIncreasing
      } else if lamport - greatest > Lamport.jumpLimit {
        standings[position] = .jump
      } else if let cause {
        standings[position] = .descendant
        if causes.isEmpty { causes = [UInt32](repeating: 0, count: graph.count) }
        causes[position] = standings[cause] == .descendant ? causes[cause] : UInt32(cause)
      } else {
        continue
      }
      if asked?[position] ?? true { count += 1 }
      isPresent = true
    }
    if isPresent { self.standings = standings }
    self.causes = causes
  }

  /// Whether there are any.
  package private(set) var isPresent = false

  /// Whether a node of the history is not exchanged.
  ///
  /// - Parameter position: its position in the index.
  /// - Returns: `false` also for a node outside the history.
  package func contains(_ position: Int) -> Bool {
    guard isPresent else { return false }
    switch standings[position] {
    case .fit, .outside: return false
    case .broken, .unsigned, .notIncreasing, .jump, .unreadable, .descendant: return true
    }
  }

  /// What keeps a node from being read; `nil` when that is not known of it.
  func finding(of id: ObjectID) -> Finding? { unreadable[id] }

  /// Hands on the requested ones, ancestors before descendants.
  ///
  /// - Parameter body: receives each.
  /// - Throws: what the closure throws.
  package func forEach<Failure: Error>(_ body: (Entry) throws(Failure) -> Void) throws(Failure) {
    for one in lost {
      guard let rule = unreadable[one.ancestor ?? one.id]?.rule else { continue }
      try body(Entry(id: one.id, rule: rule, ancestor: one.ancestor))
    }
    guard isPresent else { return }
    for position in 0..<graph.count where contains(position) && asked?[position] ?? true {
      let isDescendant = standings[position] == .descendant
      let cause = isDescendant ? Int(causes[position]) : position
      let isUnreadable = standings[cause] == .unreadable
      let unreadable = isUnreadable ? finding(of: graph.id(at: cause))?.rule : nil
      guard let rule = standings[cause].rule ?? unreadable else {
        preconditionFailure("BUG: a node is held back by one that is fit")
      }
      try body(
        Entry(
          id: graph.id(at: position), rule: rule,
          ancestor: isDescendant ? graph.id(at: cause) : nil))
    }
  }
}
