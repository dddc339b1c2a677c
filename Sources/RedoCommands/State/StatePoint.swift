// The point in time that a state is asked for (protocol, section 5), as it was written.

internal import RedoHistory
internal import RedoObject

/// A point, before the history is read.
struct StatePoint {
  enum Kind {
    case now
    case instant(WallTime, PointPolicy)
    case lamport(UInt64)
    case node(String)
  }

  let kind: Kind
  private let text: String
  private let allowsEmpty: Bool

  /// Reads `--as-of`, `--policy` and `--allow-empty`.
  ///
  /// - Throws: `fatal` for what is no point; `usage` for options that make no sense together.
  init(_ options: ParsedOptions, now: Int64) throws(CommandError) {
    text = options.value(State.asOf) ?? ""
    allowsEmpty = options.has(State.allowEmpty)
    let policy = try options.choice(State.policy, as: PointPolicy.self)
    guard options.has(State.asOf) else {
      guard policy == nil else { throw .usage("'--policy' is about '--as-of', which is not given") }
      kind = .now
      return
    }
    if let name = Self.node(text) {
      kind = .node(name)
    } else if text.hasPrefix("lamport:") {
      let digits = text.dropFirst("lamport:".utf8.count)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
        let number = UInt64(digits), let lamport = Lamport(number)
      else { throw .fatal("not a logical time from 1 to 2^48: '\(text)'") }
      kind = .lamport(lamport.value)
    } else if let moment = Moment(text, .end, now: now) {
      kind = .instant(WallTime(milliseconds: moment.milliseconds), policy ?? .closed)
      return
    } else {
      throw .fatal(
        "not a point in time: '\(text)'",
        hints: [Moment.forms, "or 'sha256:<id>', or 'lamport:<n>'"])
    }
    guard policy == nil || policy == .closed else {
      throw .usage("'--policy' is about a time: '\(text)' is none")
    }
  }

  /// The name of a node: with its prefix, or all 64 digits.
  ///
  /// A few digits alone may be meant as a year.
  private static func node(_ text: String) -> String? {
    if text.hasPrefix("sha256:") { return text }
    return ObjectID(hex: Array(text.utf8).span) == nil ? nil : text
  }

  /// Whether the policies differ at this point.
  var isInstant: Bool { if case .instant = kind { true } else { false } }

  /// Whether the nodes that count have all their ancestors with them.
  var isClosed: Bool { if case .instant(_, .wall) = kind { false } else { true } }

  /// The moment at which urgency is asked for.
  func moment(or now: Int64) -> WallTime {
    if case .instant(let instant, _) = kind { instant } else { WallTime(milliseconds: now) }
  }

  /// For each position whether the node counts; `nil` when all do.
  ///
  /// - Throws: `fatal` when a node is not in the history, or nothing counts and that is not allowed.
  func members(
    of log: some HistoryLog, _ source: StateSource
  ) throws(CommandError) -> [Bool]? {
    let point: PointInTime
    switch kind {
    case .now: return nil
    case .instant(let instant, let policy): point = .instant(instant, policy)
    case .lamport(let limit): point = .lamport(limit)
    case .node(let name):
      guard let position = log.position(of: try id(name, source)) else {
        throw .fatal("node '\(name)' is not in the history")
      }
      point = .node(position)
    }
    let members = point.members(of: log)
    guard allowsEmpty || members.contains(true) else {
      throw .fatal(
        "no node precedes '\(text)'", hints: ["'--allow-empty' takes it for an empty state"])
    }
    return members
  }

  private func id(_ name: String, _ source: StateSource) throws(CommandError) -> ObjectID {
    if let opened = source.opened { return try ObjectName.one(name, in: opened.objects) }
    guard let id = ObjectID(text: name) ?? ObjectID(hex: Array(name.utf8).span) else {
      throw .fatal("not a whole id: '\(name)'")
    }
    return id
  }

  /// Says which point was used, and by how many nodes the policies differ.
  func say(
    _ members: [Bool], _ log: some HistoryLog, _ source: StateSource, _ context: inout Context
  ) {
    let count = members.count { $0 }
    let nodes = "\(count) of \(log.count) nodes"
    guard case .instant(let instant, let policy) = kind else {
      context.note("as of \(text): \(nodes)")
      return
    }
    var parts = ["policy \(policy.rawValue)"]
    for other in PolicyDifference(members, policy, at: instant, log).others {
      // Where nothing is known of receipts, there is nothing to compare with.
      if other.policy == .received, !source.hasReceived { continue }
      parts.append("\(other.policy.rawValue) has \(other.more) more and \(other.fewer) fewer")
    }
    context.note("as of \(instant.text): \(nodes), \(parts.joined(separator: "; "))")
  }
}
