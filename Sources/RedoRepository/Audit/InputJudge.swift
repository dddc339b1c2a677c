// Nodes and receipts from outside a store. Nodes are judged as they are read: under a profile that asks for parents a node waits
// for those that have not come yet; what still waits at the end lacks one. Receipts are judged at the end, because the card of
// a device may come after what it signed, and another one after that.

package import RedoObject
package import RedoStore

/// Judges the values of inputs.
package struct InputJudge: ~Copyable {
  /// A row and the text that it is about.
  package struct Row {
    /// The row.
    package let row: VerdictRow
    /// The text as it was read.
    package let text: ArraySlice<UInt8>
  }

  private let profile: Profile
  private var intake: Intake
  private var parents: ParentCheck
  private var trust: NodeTrust?
  private var groups: GroupIntake
  private let groupTrust: GroupTrust?
  private let takesGroups: Bool
  /// The receipts that have come, or why there is none.
  private var lines: [(read: Result<IncomingObject, Finding>, place: InputPlace, text: [UInt8])] =
    []
  private var count = 0
  /// Nodes that wait for a parent, by their number among all values.
  private var waiting: [Int: (judged: Judged, place: InputPlace, text: [UInt8])] = [:]
  /// Which of them wait for a node.
  private var children: [ObjectID: [Int]] = [:]

  /// - Parameters:
  ///   - profile: the rules that apply.
  ///   - envelope: how the extra members of a remote's copy are treated.
  ///   - keys: where the keys of users are looked for, in addition to the input.
  ///   - trust: what the trust file says, if there is one.
  ///   - store: where parents may be, in addition to the input.
  ///   - takesGroups: whether lines of receipts and schemas are judged as such.
  package init(
    _ profile: Profile, envelope: NodeDecoder.Envelope, _ keys: KeySources, _ trust: NodeTrust?,
    parentsIn store: ObjectStore?, takesGroups: Bool = false
  ) {
    self.takesGroups = takesGroups
    groups = GroupIntake(profile, verifies: true, keys)
    groupTrust = keys.trust.map { GroupTrust($0, keys.store) }
    self.profile = profile
    self.trust = trust
    intake = Intake(
      Intake.Options(profile: profile, envelope: envelope, identity: .required), keys)
    parents = ParentCheck(profile, store)
  }

  /// Judges a batch.
  ///
  /// - Returns: the rows of what waits for nothing, each followed by those that waited for it.
  package mutating func judge(
    _ batch: RecordBatch, from source: RecordSources.Source
  ) throws -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(batch.records.count)
    for (record, judged) in zip(batch.records, try intake.judge(batch)) {
      let place = InputPlace(record, in: source)
      let text = batch.bytes[record.range]
      count += 1
      let kind =
        takesGroups && record.state != .tooLong
        ? ObjectLine.kind(of: batch.bytes.span.extracting(record.range)) : .node
      if kind != .node {
        let line = Array(text)
        let read = Result { () throws(Finding) in try ObjectLine.read(line, as: kind) }
        lines.append((read, place, line))
        continue
      }
      guard profile.checksParents, let awaited = try awaited(by: judged) else {
        try settle(judged, place, text, &rows)
        continue
      }
      waiting[count] = (judged, place, Array(text))
      children[awaited, default: []].append(count)
    }
    return rows
  }

  /// The rows of what has waited in vain, in the order in which it was read.
  package mutating func finish() throws -> [Row] {
    var rows: [Row] = []
    let came = Set(waiting.values.compactMap { $0.judged.node?.id })
    for number in waiting.keys.sorted() {
      guard let (judged, place, text) = waiting[number] else { continue }
      var lost = judged
      if let finding = try finding(lost, came) { lost.refuse(finding) }
      try add(&lost, place, text[...], &rows)
    }
    waiting = [:]
    children = [:]
    return try rows + finishGroups()
  }

  /// The rows of the receipts and schemas, in the order in which they were read.
  private mutating func finishGroups() throws -> [Row] {
    guard !lines.isEmpty else { return [] }
    var judged = try groups.judge(lines.compactMap { try? $0.read.get() })
    var problems: [ObjectID: [Finding]] = [:]
    for kind in ObjectKind.grouped {
      var relations = GroupRelations(profile)
      for row in judged {
        if let object = row.object, object.kind == kind { relations.add(object) }
      }
      problems.merge(relations.findings()) { $0 + $1 }
    }
    for index in judged.indices {
      for finding in judged[index].id.flatMap({ problems[$0] }) ?? [] {
        judged[index].add(finding, profile)
      }
    }
    if var trust = groupTrust { try trust.stand(&judged) }
    var next = 0
    let rows = lines.map { line in
      let row: JudgedObject
      switch line.read {
      case .success:
        row = judged[next]
        next += 1
      case .failure(let finding): row = JudgedObject(nil, id: nil, [finding])
      }
      return Row(row: VerdictRow(row, profile, at: line.place), text: line.text[...])
    }
    lines = []
    return rows
  }

  /// The first parent of a node that has not come, if it needs any.
  private func awaited(by judged: Judged) throws -> ObjectID? {
    guard !judged.isRefused, let node = judged.node else { return nil }
    return try node.parents.first { try parents.known($0) == nil }
  }

  /// Judges a node that waits for nothing, and those that waited for it.
  private mutating func settle(
    _ judged: Judged, _ place: InputPlace, _ text: ArraySlice<UInt8>, _ rows: inout [Row]
  ) throws {
    guard profile.checksParents else {
      var judged = judged
      return try add(&judged, place, text, &rows)
    }
    var pending = [(judged, place, text)]
    while let (next, place, text) = pending.popLast() {
      var one = [next]
      try parents.check(&one)
      try add(&one[0], place, text, &rows)
      guard !one[0].isRefused, let id = one[0].node?.id else { continue }
      for number in (children.removeValue(forKey: id) ?? []).reversed() {
        guard let (child, place, text) = waiting[number] else { continue }
        if let awaited = try awaited(by: child) {
          children[awaited, default: []].append(number)
        } else {
          waiting[number] = nil
          pending.append((child, place, text[...]))
        }
      }
    }
  }

  private mutating func add(
    _ judged: inout Judged, _ place: InputPlace, _ text: ArraySlice<UInt8>, _ rows: inout [Row]
  ) throws {
    try judged.stand(&trust)
    rows.append(Row(row: VerdictRow(judged, profile, at: place), text: text))
  }

  /// Which parent of a node is nowhere; if none is, which of them came and was refused, or lacks one itself.
  ///
  /// - Parameters:
  ///   - judged: the node.
  ///   - came: what is there, and waits in vain.
  /// - Returns: the finding; `nil` when all parents are good.
  /// - Throws: what the store answers that parents are looked up in.
  private func finding(_ judged: Judged, _ came: Set<ObjectID>) throws -> Finding? {
    var refused: Finding?
    for (place, parent) in (judged.node?.parents ?? []).enumerated()
    where try parents.known(parent) == nil {
      let isThere = parents.isRefused(parent) || came.contains(parent)
      let finding = Finding(
        isThere ? .parentRefused : .parentMissing, at: .pointer("/parents/\(place)"),
        detail: parent.text)
      guard isThere else { return finding }
      refused = refused ?? finding
    }
    return refused
  }
}
