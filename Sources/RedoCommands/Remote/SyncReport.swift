// What an exchange has done: values, from which commands make lines for people and rows for programs.

internal import CanonicalJSON
internal import RedoObject
internal import RedoStore

/// What was done with one remote.
struct SyncReport {
  /// A node that a side did not take.
  struct Refused {
    let id: ObjectID
    /// The rule that it breaks.
    let rule: String
    /// What else is to be said; not escaped.
    let detail: String
    /// Whether it was this side that refused it.
    let isHere: Bool
    /// The node because of which it was held back, if it was not its own fault.
    var because: ObjectID?
    /// Whether it came from the remote; otherwise it was not sent.
    var isReceived = false
  }

  /// What the remote is called.
  let remote: String
  /// Where it is.
  let url: String
  /// How often it was tried.
  var attempts = 1
  var roundTrips = 0
  var bytesSent = 0
  var bytesReceived = 0
  /// How many nodes both had, and only this store, when they were compared.
  var both = 0
  var onlyHere = 0
  /// How many only the remote had, at least.
  var onlyThere = 0
  /// Whether there were more.
  var hasMore = false
  /// The new nodes, oldest first.
  var fetched: [ObjectID] = []
  /// The tasks that they are of.
  var fetchedTasks: Set<TaskID?> = []
  /// The nodes that the remote has acknowledged.
  var pushed: [ObjectID] = []
  var refused: [Refused] = []
  /// Nodes that came and wait for parents.
  var orphans: [ObjectID] = []
  /// The heads that moved.
  var moved = MovedNames()
  /// The nodes that a merge made.
  var merged: [ObjectID] = []
  /// Whether the remote has everything, if that was looked at.
  var isVerified: Bool?

  /// Whether all of it was done.
  var isWhole: Bool {
    refused.isEmpty && orphans.isEmpty && isVerified ?? true
  }
  /// How a command ends that did this.
  var exit: Exit { isWhole ? .ok : .no }

  /// What was done with the same remote after that.
  mutating func add(_ later: SyncReport) {
    attempts += later.attempts - 1
    roundTrips += later.roundTrips
    bytesSent += later.bytesSent
    bytesReceived += later.bytesReceived
    fetched += later.fetched
    fetchedTasks.formUnion(later.fetchedTasks)
    pushed += later.pushed
    // What was refused is refused again.
    refused += later.refused.filter { row in !refused.contains { $0.id == row.id } }
    orphans = later.orphans
    moved.add(later.moved.all)
    isVerified = later.isVerified ?? isVerified
  }
}

/// Heads of tasks that moved, however often, as one move of each.
struct MovedNames {
  private var places: [RefName: Int] = [:]
  private(set) var all: [MovedHeads] = []

  /// Adds what moved after that.
  mutating func add(_ moved: some Sequence<MovedHeads>) {
    for heads in moved {
      guard let place = places[heads.name] else {
        places[heads.name] = all.count
        all.append(heads)
        continue
      }
      all[place] = MovedHeads(name: heads.name, before: all[place].before, after: heads.after)
    }
  }
}

/// A head that moved.
struct HeadRow {
  /// How.
  enum Flag: String {
    /// The task is new.
    case new = "*"
    /// It follows the old one.
    case forward = " "
    /// It stands beside the old one.
    case united = "+"
    /// It did not: the node was refused.
    case refused = "!"
  }

  let flag: Flag
  /// The ref.
  let name: String
  let old: ObjectID?
  let new: ObjectID

  /// How the heads of a task moved.
  ///
  /// - Parameters:
  ///   - name: the ref.
  ///   - old: its ids before.
  ///   - new: its ids after.
  /// - Returns: a row for each new id, and for each old one that is gone.
  static func rows(_ name: RefName, old: [ObjectID], new: [ObjectID]) -> [HeadRow] {
    let added = new.filter { !old.contains($0) }.sorted()
    let gone = old.filter { !new.contains($0) }.sorted()
    guard let last = added.last else { return [] }
    var rows: [HeadRow] = []
    for index in 0..<max(added.count, gone.count) {
      let id = index < added.count ? added[index] : last
      if index < gone.count {
        rows.append(HeadRow(flag: .forward, name: name.text, old: gone[index], new: id))
      } else if old.isEmpty {
        rows.append(HeadRow(flag: .new, name: name.text, old: nil, new: id))
      } else {
        rows.append(HeadRow(flag: .united, name: name.text, old: old.min(), new: id))
      }
    }
    return rows
  }
}

extension SyncReport {
  /// The heads that moved.
  var heads: [HeadRow] {
    moved.all.flatMap { HeadRow.rows($0.name, old: $0.before, new: $0.after) }
  }

  /// The heads that moved, and what came and was not taken.
  var rows: [HeadRow] {
    let left = refused.filter(\.isReceived).map(\.id) + orphans
    return heads + left.map { HeadRow(flag: .refused, name: "-", old: nil, new: $0) }
  }

  /// Appends `<flag> <old> <new> <ref>` for each.
  func appendPorcelain(to output: inout [UInt8]) {
    for row in rows {
      output += "\(row.flag.rawValue) \((row.old ?? RefTransaction.zero).text) ".utf8
      output += "\(row.new.text) \(row.name)\n".utf8
    }
  }

  /// Appends one line of RFC 8785 JSON.
  ///
  /// - Parameters:
  ///   - command: what was done, which settles the members.
  ///   - output: receives it.
  func appendJSON(_ command: SyncSession.Kind, to output: inout [UInt8]) {
    var row = JSONRow()
    if command == .sync { row.add("acknowledgedChangeIds", pushed, Self.append) }
    row.add("attempts", attempts)
    row.add("bytesReceived", bytesReceived)
    row.add("bytesSent", bytesSent)
    row.add("fetched", fetched, Self.append)
    row.add("heads", rows) { head, output in
      var row = JSONRow()
      row.add("flag", head.flag.rawValue)
      row.add("name", head.name)
      row.add("new", head.new.text)
      row.addIfAny("old", head.old?.text)
      row.append(to: &output)
    }
    if command == .sync {
      row.add("merged", merged, Self.append)
      row.add("missingChanges", fetched, Self.append)
    }
    row.add("orphans", orphans, Self.append)
    row.add("pushed", pushed, Self.append)
    row.add("refused", refused) { refused, output in
      var row = JSONRow()
      row.addIfAny("because", refused.because?.text)
      row.addIfAny("detail", refused.detail)
      row.add("id", refused.id.text)
      row.add("rule", refused.rule)
      row.add("where", refused.isHere ? "here" : "there")
      row.append(to: &output)
    }
    row.add("remote", remote)
    row.add("roundTrips", roundTrips)
    if let isVerified { row.add("verified", isVerified) }
    row.append(to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  private static func append(_ id: ObjectID, to output: inout [UInt8]) {
    JSONWriter.appendString(id.text, to: &output)
  }
}

extension SyncReport {
  /// Says what was done to people.
  ///
  /// - Parameters:
  ///   - settings: how it was done.
  ///   - context: where.
  func say(_ settings: SyncSession.Options, _ context: inout Context) {
    sayRefused(&context)
    guard !settings.isQuiet else { return }
    if settings.isVerbose {
      context.note(
        "'\(remote)': both have \(Self.changes(both)); only here: \(onlyHere); only there: "
          + "\(onlyThere)\(hasMore ? " or more" : "")")
      for head in heads {
        context.note(
          " \(head.flag.rawValue) \(head.name) \(head.old?.text ?? "(none)") -> \(head.new.text)")
      }
    }
    let would = settings.isDryRun ? "would have " : ""
    if !fetched.isEmpty {
      let new = Self.new(fetched.count, fetchedTasks.count)
      context.note("\(would)fetched \(new) from '\(remote)'")
    }
    if !pushed.isEmpty {
      context.note("\(would)pushed \(Self.new(pushed.count)) to '\(remote)'")
    }
    let united = Set(heads.filter { $0.flag == .united }.map(\.name))
    if !united.isEmpty, !settings.merges {
      let many = united.count != 1
      context.hint(
        "\(united.count) task\(many ? "s have" : " has") diverged; 'redo merge --all' brings "
          + "\(many ? "them" : "it") together")
    }
  }

  /// How many nodes are named before the rest is only counted.
  private static let sayLimit = 20

  /// Says what was not sent or not taken; what came has been told where it was judged.
  private func sayRefused(_ context: inout Context) {
    let rows = refused.filter { !$0.isReceived }
    for row in rows.prefix(Self.sayLimit) {
      let detail = row.detail.isEmpty ? "" : ": \(row.detail)"
      if let because = row.because {
        context.error(
          "'\(row.id.text)' is held back: it follows '\(because.text)', which is refused: "
            + row.rule)
      } else if row.isHere {
        context.error("'\(row.id.text)' is not sent: \(row.rule)\(detail)")
      } else {
        context.error("'\(row.id.text)' is refused by '\(remote)': \(row.rule)\(detail)")
      }
    }
    if rows.count > Self.sayLimit {
      context.error("\(rows.count) changes are not sent or refused in all")
    }
    if rows.contains(where: { $0.rule == Rule.signatureMissing.id }) {
      context.hint(
        "'--allow-unsigned' sends changes that nobody signed, where the remote allows it")
    }
  }

  /// `3 changes`.
  static func changes(_ count: Int) -> String { "\(count) change\(count == 1 ? "" : "s")" }

  /// `3 new changes of 2 tasks`.
  static func new(_ count: Int, _ tasks: Int = 0) -> String {
    let text = "\(count) new change\(count == 1 ? "" : "s")"
    return tasks == 0 ? text : text + " of \(tasks) task\(tasks == 1 ? "" : "s")"
  }
}
