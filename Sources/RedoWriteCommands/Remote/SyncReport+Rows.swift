// The result of an exchange, as lines for people and rows for programs.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension SyncReport {
  /// The exit status of a command with this result.
  var exit: Exit { isWhole ? .ok : .no }

  /// Appends `<flag> <old> <new> <ref>` for each ref.
  ///
  /// - Parameters:
  ///   - end: the byte that ends a row.
  ///   - output: receives the rows.
  func appendPorcelain(end: UInt8, to output: inout [UInt8]) {
    for row in rows {
      output += "\(row.flag.rawValue) \((row.old ?? RefTransaction.zero).text) ".utf8
      output += "\(row.new.text) \(row.name)".utf8
      output.append(end)
    }
  }

  /// Appends a row of RFC 8785 JSON.
  ///
  /// - Parameters:
  ///   - command: the kind of exchange, which determines the members.
  ///   - end: the byte that ends the row.
  ///   - output: receives the row.
  func appendJSON(_ command: SyncSession.Kind, end: UInt8, to output: inout [UInt8]) {
    var row = JSONRow()
    if command == .sync { row.add("acknowledgedChangeIds", pushed, Self.append) }
    row.add("attempts", attempts)
    row.add("both", both)
    row.add("bytesReceived", bytesReceived)
    row.add("bytesSent", bytesSent)
    if let isEqual { row.add("equal", isEqual) }
    row.add("fetched", fetched, Self.append)
    row.add("heads", rows) { head, output in
      var row = JSONRow()
      row.add("flag", head.flag.rawValue)
      row.add("name", head.name)
      row.add("new", head.new.text)
      row.addIfAny("old", head.old?.text)
      row.append(to: &output)
    }
    row.add("healed", healed)
    if !held.isEmpty {
      row.add("held", held) { held, output in
        var row = JSONRow()
        row.add("detail", held.detail)
        row.add("id", held.id.text)
        row.add("rule", held.rule)
        row.append(to: &output)
      }
    }
    row.add("heldBackHere", heldHere, Self.append)
    if let heldThere { row.add("heldBackThere", heldThere, Self.append) }
    if objects != .node { row.add("keptThere", keptThere) }
    row.add("kind", "\(objects.name)")
    row.addIfAny("knownSince", knownSinceText)
    if lost > 0 { row.add("lost", lost) }
    if command == .sync {
      row.add("merged", merged, Self.append)
      row.add("missingChanges", fetched, Self.append)
    }
    row.add("nodesHere", countHere)
    row.add("notCome", notCome)
    row.add("onlyHere", onlyHere)
    row.add("onlyThere", onlyThere)
    row.add("orphans", orphans.map(\.id), Self.append)
    row.add("pushed", pushed, Self.append)
    if let cost { row.add("reads", cost.reads) }
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
    row.add("resent", resent)
    row.add("roundTrips", roundTrips)
    if let isVerified { row.add("verified", isVerified) }
    row.add("waiting", waiting)
    row.add("waitingThere", waitingThere)
    if let cost { row.add("writes", cost.writes) }
    row.append(to: &output)
    output.append(end)
  }

  /// When the nodes of the remote were listed last, if that is known and not now.
  var knownSinceText: String? {
    knownSince.flatMap { $0 > 0 ? WallTime(milliseconds: $0).text : nil }
  }

  /// Appends an object about nodes that are held back.
  static func append(_ held: HeldBack, to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("accepted", held.isAccepted)
    row.add("count", held.count)
    row.add("following", held.below)
    row.add("ids", held.ids.prefix(HeldBack.namedLimit), append)
    row.add("rule", held.rule)
    row.append(to: &output)
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
  ///   - said: what was said of the remote before; it is not said again.
  ///   - context: the surroundings.
  func say(
    _ settings: SyncSession.Options, after said: inout SaidOfRemotes, _ context: borrowing Context
  ) {
    let isNews = said.isNews(self)
    sayRefused(isNews: isNews, isQuiet: settings.isQuiet, context)
    guard !settings.isQuiet else { return }
    if settings.isVerbose {
      let since = knownSinceText.map { "; as known since \($0)" } ?? ""
      context.note(
        "'\(remote)': both have \(things(both)); only here: \(onlyHere); only there: "
          + "\(onlyThere)\(hasMore ? " or more" : "")\(since)")
      if let cost {
        context.note(
          "'\(remote)': \(roundTrips) round trip\(roundTrips == 1 ? "" : "s"), \(bytesSent) bytes sent, "
            + "\(bytesReceived) received; \(cost.reads) documents read, \(cost.writes) written")
      }
      for head in heads {
        context.note(
          " \(head.flag.rawValue) \(head.name) \(head.old?.text ?? "(none)") -> \(head.new.text)")
      }
    }
    if isNews, heldThere == nil, !showsPart {
      context.note("'\(remote)' does not say what it withholds")
    }
    let would = settings.isDryRun ? "would have " : ""
    if !fetched.isEmpty {
      let new = self.new(fetched.count, fetchedGroups.count)
      context.note("\(would)fetched \(new) from '\(remote)'")
    }
    if !pushed.isEmpty {
      context.note("\(would)pushed \(new(pushed.count)) to '\(remote)'")
    }
    if healed > 0 {
      context.note(
        "\(things(healed)) that could not be read here \(healed == 1 ? "is" : "are") replaced "
          + "by what '\(remote)' has")
    }
    if resent > 0 {
      context.note(
        "\(things(resent)) that '\(remote)' could not read \(resent == 1 ? "is" : "are") sent again"
      )
    }
    if isNews, waiting > 0, orphans.isEmpty, held.isEmpty || !settings.namesHeldAgain {
      let reason = isGuarded ? "" : " for \(waiting == 1 ? "its" : "their") parents"
      context.note(
        "\(Self.changes(waiting)) \(waiting == 1 ? "waits" : "wait") in the quarantine\(reason)")
    }
    if isNews, waitingThere > 0 {
      context.note(
        "\(Self.changes(waitingThere)) \(waitingThere == 1 ? "waits" : "wait") in the quarantine of "
          + "'\(remote)'")
    }
    sayPrivate(isNews: isNews, context)
    // Branches of a chain of receipts need nobody to bring them together.
    let united = objects == .node ? Set(heads.filter { $0.flag == .united }.map(\.name)) : []
    if !united.isEmpty, !settings.merges {
      let many = united.count != 1
      context.hint(
        "\(united.count) task\(many ? "s have" : " has") diverged; 'redo merge --all' brings "
          + "\(many ? "them" : "it") together")
    }
  }

  /// Reports what is held back, on either side, and how to accept that.
  func sayHeld(isQuiet: Bool, _ context: borrowing Context) {
    for held in toldHere { context.error(held.text(.here(remote: remote), things)) }
    for held in toldThere { context.error(held.text(.there(remote: remote), things)) }
    guard isNamed, !isQuiet else { return }
    // What cannot be read is to be repaired.
    let rules = Set((toldHere + toldThere).lazy.filter { !$0.isUnreadable }.map(\.rule))
    let choice = HeldBackChoice(rules.filter { HeldBackChoice([$0]) != nil })
    guard let choice, !choice.isEmpty else { return }
    context.hint(
      "'redo quarantine ignore \(remote) \(choice.words.joined(separator: " "))' accepts that")
  }

  /// How many nodes are named before the rest are only counted.
  private static let sayLimit = 20

  /// Reports what was not sent or not taken; refused nodes that arrived here have already been reported.
  private func sayRefused(isNews: Bool, isQuiet: Bool, _ context: borrowing Context) {
    if isNews { sayHeld(isQuiet: isQuiet, context) }
    if notCome > 0 {
      context.error("'\(remote)' has offered \(things(notCome)) more than it has sent")
    }
    let rows = refused.filter { !$0.isReceived && !$0.isHeldBack }
    for row in rows.prefix(Self.sayLimit) {
      let detail = row.detail.isEmpty ? "" : ": \(row.detail)"
      let fate = row.waitsForTrust ? "waits in the quarantine of" : "is refused by"
      context.error("'\(row.id.text)' \(fate) '\(remote)': \(row.rule)\(detail)")
    }
    if rows.count > Self.sayLimit {
      context.error("\(things(rows.count)) are refused in all")
      context.error("\(things(rows.count)) are not sent or refused in all")
    }
    let held = rows.count(where: \.waitsForTrust)
    if held > 0 {
      context.hint(
        "\(things(held)) wait\(held == 1 ? "s" : "") at '\(remote)' until the trust file there lets "
          + "\(held == 1 ? "its key" : "their keys") sign")
    }
    if rows.contains(where: { $0.rule == RefusedNode.otherAccount }) {
      context.hint(
        "documents of other accounts stand in the way, and the rules forbid everybody to change them; "
          + "use another project for this account, or the account that has written them")
    }
    if rows.contains(where: { $0.rule == Rule.signatureMissing.id }) {
      context.hint(
        "'--allow-unsigned' sends changes that nobody signed, where the remote allows it")
    }
  }

  /// Reports what stays where it is because it is private.
  private func sayPrivate(isNews: Bool, _ context: borrowing Context) {
    guard isNews else { return }
    for held in privateHere { context.note(held.privateText(things)) }
    guard keptThere > 0, !kind.pushes || kind.fetches else { return }
    context.note(
      "'\(remote)' keeps \(things(keptThere)) to itself, because \(keptThere == 1 ? "it is" : "they are") private"
    )
  }

  /// `3 changes`, or what else was exchanged.
  func things(_ count: Int) -> String {
    guard objects == .node else { return "\(count) \(objects.name)\(count == 1 ? "" : "s")" }
    return Self.changes(count)
  }

  /// `3 changes`.
  static func changes(_ count: Int) -> String { "\(count) change\(count == 1 ? "" : "s")" }

  /// `3 new changes of 2 tasks`, or the same of chains.
  private func new(_ count: Int, _ groups: Int = 0) -> String {
    let isNode = objects == .node
    let text = "\(count) new \(isNode ? "change" : "\(objects.name)")\(count == 1 ? "" : "s")"
    guard groups > 0 else { return text }
    return text + " of \(groups) \(objects.groupNoun)\(groups == 1 ? "" : "s")"
  }
}
