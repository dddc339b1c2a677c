// redo archive verify: everything that can be known of an archive with nothing but its file.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive verify [--profile=<profile>] [--json] [-z] <file>...`.
enum ArchiveVerify: Command {
  static let name = "verify"
  static let summary = "check archives: every byte, every id, every signature"
  static var usage: [String] {
    [
      "redo-archive verify [--profile=<profile>] [--prerequisites] [--json] [-z] [<keys>]\n"
        + "             <file>..."
    ]
  }
  private static let prerequisites = OptionSpec(
    "prerequisites", help: "say which nodes that they need are not in the store")
  static var options: [OptionSpec] {
    [.profile, prerequisites, .json, .nul] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let profile = try options.choice(.profile, as: Profile.self) ?? .v1
    var output = VerifyOutput(
      profile: profile, isJSON: options.has(.json), end: options.rowEnd)
    let keys = try SealKeys(options)
    let store = options.has(prerequisites) ? try context.effects.openRepository().objects : nil
    var isSound = true
    for path in options.arguments {
      do {
        if try !verify(path, keys, profile, store, &output, &context) { isSound = false }
      } catch {
        let error = CommandError(error)
        // One damaged archive does not keep the others from being looked at.
        guard error.kind == .fatal else { throw error }
        try context.output.flush()
        context.report(
          CommandError(.refused, error.message, hints: error.hints), asJSON: output.isJSON)
        isSound = false
      }
    }
    _ = try output.finish(&context)
    return isSound ? .ok : .no
  }

  /// Prints what an archive needs from elsewhere and the store does not have.
  ///
  /// - Returns: whether the store has it all.
  private static func verifyNeeds(
    _ directory: PackDirectory, _ store: ObjectStore, isJSON: Bool, end: UInt8,
    _ context: inout Context
  ) throws -> Bool {
    let missing = try ArchiveNeeds.missing(directory.prerequisites, in: store)
    for id in missing {
      try context.output.append { output throws in
        output += (isJSON ? "{\"missing\":\"\(id.text)\"}" : "missing node \(id.text)").utf8
        output.append(end)
      }
    }
    return missing.isEmpty
  }

  /// Prints the rows of nodes of which there is something to say.
  ///
  /// - Returns: whether no node breaks a rule that is an error under the profile.
  /// - Throws: `fatal` when the archive is damaged, or not what it says.
  private static func verify(
    _ path: String, _ keys: SealKeys, _ profile: Profile, _ store: ObjectStore?,
    _ output: inout VerifyOutput, _ context: inout Context
  ) throws -> Bool {
    let file = try ArchiveFile(path, keys, context.effects)
    try file.check()
    var isSound = true
    var judge = ArchiveJudge(profile, path)
    try file.forEachFrame(context.effects) { nodes, fileBytes in
      for row in try judge.judge(nodes, fileBytes: fileBytes) {
        if row.finding != nil { isSound = false }
        try output.write(row, &context)
      }
    }
    let heads = judge.heads.sorted
    try judge.finish(file.reader.directory)
    var rows = try ManifestCheck.rows(
      path, file.reader.directory, isSealed: file.row.isSealed, heads: heads, &context)
    if let row = try ArchiveDocuments.row(path, file.reader.directory, context) {
      rows.append(row)
    }
    if !rows.isEmpty { isSound = false }
    try RowWriter(ManifestRow.columns, isJSON: output.isJSON, end: output.end).write(rows, &context)
    if let store,
      try !verifyNeeds(
        file.reader.directory, store, isJSON: output.isJSON, end: output.end, &context)
    {
      isSound = false
    }
    return isSound
  }
}

/// What archives need from elsewhere.
enum ArchiveNeeds {
  /// Those of some nodes that a store does not have, in their order.
  static func missing(
    _ ids: [ObjectID], in store: ObjectStore
  ) throws -> [ObjectID] {
    var missing: [ObjectID] = []
    for id in ids {
      if try !store.contains(id) { missing.append(id) }
    }
    return missing
  }
}

/// Judges the nodes of an archive, and what it says of them.
struct ArchiveJudge: ~Copyable {
  private let profile: Profile
  private let path: String
  private var intake: Intake
  private var parents: ParentCheck
  private var tally = PackTally()
  private var decoder = NodeDecoder()
  /// The nodes that have no child in the archive.
  private(set) var heads = HeadTally()

  init(_ profile: Profile, _ path: String) {
    self.profile = profile
    self.path = path
    intake = Intake(Intake.Options(profile: profile, identity: .required), KeySources())
    parents = ParentCheck(profile, nil)
  }

  /// The rows of those nodes of a frame of which there is something to say.
  mutating func judge(
    _ nodes: [StoredObject], fileBytes: Int
  ) throws -> [VerdictRow] {
    let texts = nodes.map { node in
      var text: [UInt8] = []
      node.appendContents(to: &text)
      return text
    }
    var judged = try intake.judge(texts: texts)
    try parents.check(&judged)
    var packed: [PackNode] = []
    for (node, judged) in zip(nodes, judged) {
      if let valid = judged.node {
        packed.append(PackNode(node, valid))
      } else if let broken = decoder.decodeBroken(node) {
        packed.append(PackNode(node, broken))
      } else {
        throw CommandError.fatal(
          "'\(path)' has an object that is no node: '\(node.id.text)'")
      }
    }
    for node in packed { heads.add(node.object.id, parents: node.parents) }
    if let fault = tally.add(packed, fileBytes: fileBytes) {
      throw CommandError.fatal("'\(path)' is no archive: \(fault.rawValue)")
    }
    for index in judged.indices where !profile.checksParents {
      guard let greatest = tally.greatestLamport(ofParentsOf: packed[index]),
        packed[index].lamport.value <= greatest
      else { continue }
      judged[index].findings.append(
        Finding(.lamportNotIncreasing, at: .pointer("/timestamp/lamport")))
    }
    return judged.filter { $0.verdict?.isGood != true || !$0.findings.isEmpty }
      .map { VerdictRow($0, profile) }
  }

  /// Compares what was found with what the archive says of itself.
  consuming func finish(_ stated: PackDirectory) throws {
    let path = path
    let found = tally.finish()
    guard found != stated else { return }
    let what =
      if found.name != stated.name {
        "its name is not that of its nodes"
      } else if found.prerequisites != stated.prerequisites {
        "the parents that it lacks are not those that it names"
      } else { "the counts and times of its directory are not those of its nodes" }
    throw CommandError.fatal("'\(path)' is damaged: \(what)")
  }
}
