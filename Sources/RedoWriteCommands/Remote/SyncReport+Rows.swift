// The result of an exchange, as lines for people and rows for programs.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension SyncReport {
  /// The exit status of a command with this result.
  var exit: Exit { isWhole ? .ok : .no }

  /// Appends `<flag> <old> <new> <ref>` for each ref.
  func appendPorcelain(to output: inout [UInt8]) {
    for row in rows {
      output += "\(row.flag.rawValue) \((row.old ?? RefTransaction.zero).text) ".utf8
      output += "\(row.new.text) \(row.name)\n".utf8
    }
  }

  /// Appends one line of RFC 8785 JSON.
  ///
  /// - Parameters:
  ///   - command: the kind of exchange, which determines the members.
  ///   - output: receives the line.
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
  /// Reports the result to people.
  ///
  /// - Parameters:
  ///   - settings: the options of the exchange.
  ///   - context: the surroundings.
  func say(_ settings: SyncSession.Options, _ context: borrowing Context) {
    sayRefused(context)
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

  /// How many nodes are named before the rest are only counted.
  private static let sayLimit = 20

  /// Reports what was not sent or not taken; refused nodes that arrived here have already been reported.
  private func sayRefused(_ context: borrowing Context) {
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
