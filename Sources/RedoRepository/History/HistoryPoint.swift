// A point in time (protocol, section 5) as it is given on a command line.

package import RedoHistory
package import RedoObject

/// A point, before the history is read.
package struct HistoryPoint {
  package enum Kind {
    case now
    case instant(WallTime, PointPolicy)
    case lamport(UInt64)
    case node(String)
  }

  /// What a point that no node precedes could be taken for.
  package enum Empty: String, Sendable {
    /// A state without anything in it.
    case state
    /// A history without nodes.
    case history
  }

  package let kind: Kind
  private let text: String
  /// Whether it is no fault that nothing counts.
  package let allowsEmpty: Bool
  private let empty: Empty?

  /// The present.
  package static let now = HistoryPoint(kind: .now, text: "", allowsEmpty: false, empty: nil)

  private init(kind: Kind, text: String, allowsEmpty: Bool, empty: Empty?) {
    self.kind = kind
    self.text = text
    self.allowsEmpty = allowsEmpty
    self.empty = empty
  }

  /// Reads a point.
  ///
  /// - Parameters:
  ///   - text: a time, `sha256:<id>`, a CID or `lamport:<n>`.
  ///   - policy: which nodes count at a time; `closed` when `nil`.
  ///   - allowsEmpty: whether a point that no node precedes is accepted.
  ///   - empty: what it is taken for then; `nil` when that cannot be requested.
  ///   - now: milliseconds since 1970, for times that are relative to it.
  /// - Throws: `PointFault` for a text that is not a point.
  package init(
    _ text: String, policy: PointPolicy?, allowsEmpty: Bool = false, empty: Empty? = nil,
    now: Int64
  ) throws {
    self.text = text
    self.allowsEmpty = allowsEmpty
    self.empty = empty
    if let name = Self.node(text) {
      kind = .node(name)
    } else if text.hasPrefix("lamport:") {
      let digits = text.dropFirst("lamport:".utf8.count)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
        let number = UInt64(digits), let lamport = Lamport(number)
      else { throw PointFault.lamport(text) }
      kind = .lamport(lamport.value)
    } else if let moment = Moment(text, .end, now: now) {
      kind = .instant(WallTime(milliseconds: moment.milliseconds), policy ?? .closed)
    } else {
      throw PointFault.malformed(text)
    }
  }

  /// The name of a node: with its prefix, or with all 64 digits, or a CID.
  ///
  /// A few digits alone may be meant as a year.
  private static func node(_ text: String) -> String? {
    if text.hasPrefix("sha256:") { return text }
    return ObjectID(name: Array(text.utf8).span) == nil ? nil : text
  }

  /// The same point, where it is as well no fault that nothing counts.
  package func allowingEmpty(_ isAllowed: Bool) -> HistoryPoint {
    HistoryPoint(kind: kind, text: text, allowsEmpty: allowsEmpty || isAllowed, empty: empty)
  }

  /// Whether the policies differ at this point.
  package var isInstant: Bool { if case .instant = kind { true } else { false } }

  /// Whether the nodes that count always include their ancestors.
  package var isClosed: Bool { if case .instant(_, .wall) = kind { false } else { true } }

  /// The moment for which urgency is computed.
  package func moment(or now: Int64) -> WallTime {
    if case .instant(let instant, _) = kind { instant } else { WallTime(milliseconds: now) }
  }

  /// The columns of the index that it needs.
  package var columns: GraphSegment.Columns {
    switch kind {
    case .now: []
    case .node: .parents
    case .instant, .lamport: [.parents, .clocks, .ids]
    }
  }

  /// The point as it is resolved, for records of what was done.
  package var resolvedText: String {
    switch kind {
    case .now: "now"
    case .instant(let instant, _): instant.text
    case .lamport, .node: text
    }
  }

  /// The point in a history; `nil` for the present.
  ///
  /// - Throws: `PointFault` when a node is not in the history.
  package func place(
    in log: some HistoryLog, _ opened: Repository?
  ) throws -> PointInTime? {
    switch kind {
    case .now: return nil
    case .instant(let instant, let policy): return .instant(instant, policy)
    case .lamport(let limit): return .lamport(limit)
    case .node(let name):
      guard let position = log.position(of: try id(name, opened)) else {
        throw PointFault.outside(name)
      }
      return .node(position)
    }
  }

  /// For each position whether the node counts; `nil` when all do.
  ///
  /// - Parameters:
  ///   - log: the nodes.
  ///   - history: for each position whether the node is in the history; `nil` when all are.
  ///   - opened: the store that names are looked up in.
  /// - Returns: the marks.
  /// - Throws: `PointFault` when a node is not in the history, or nothing counts and that is not allowed.
  package func members(
    of log: some HistoryLog, within history: [Bool]? = nil, _ opened: Repository?
  ) throws -> [Bool]? {
    guard let place = try place(in: log, opened) else { return nil }
    var members = place.members(of: log)
    if let history {
      for position in members.indices where !history[position] { members[position] = false }
    }
    guard allowsEmpty || members.contains(true) else {
      throw PointFault.empty(text, empty)
    }
    return members
  }

  private func id(_ name: String, _ opened: Repository?) throws -> ObjectID {
    if let opened { return try ObjectName.one(name, in: opened.objects) }
    guard let id = ObjectID(name: Array(name.utf8).span) else {
      throw PointFault.abbreviated(name)
    }
    return id
  }

  /// Reports which point was used, and by how many nodes the policies differ.
  ///
  /// - Parameters:
  ///   - members: the nodes that count.
  ///   - log: the nodes.
  ///   - history: for each position whether the node is in the history; `nil` when all are.
  ///   - hasReceived: whether it is known when nodes were received.
  ///   - effects: receives the report.
  package func say(
    _ members: [Bool], _ log: some HistoryLog, within history: [Bool]? = nil, hasReceived: Bool,
    _ effects: Effects
  ) {
    let count = members.count { $0 }
    let total = history?.count { $0 } ?? log.count
    guard case .instant(let instant, let policy) = kind else {
      effects.report(
        .point(
          UsedPoint(
            text: text, counted: count, total: total, policy: nil, differences: [])))
      return
    }
    // Without known receipts there is nothing to compare with.
    let others = PolicyDifference(members, policy, at: instant, log, within: history).others
      .filter { $0.policy != .received || hasReceived }
    effects.report(
      .point(
        UsedPoint(
          text: instant.text, counted: count, total: total, policy: policy,
          differences: others)))
  }
}

/// A point in time that was used, and what it left out.
package struct UsedPoint: Sendable {
  /// The point as it was written; for an instant, the resolved one.
  package let text: String
  /// How many nodes count.
  package let counted: Int
  /// How many there are.
  package let total: Int
  /// Which nodes count at an instant; `nil` at another point.
  package let policy: PointPolicy?
  /// By how much the other policies differ.
  package let differences: [PolicyDifference.Other]
}
