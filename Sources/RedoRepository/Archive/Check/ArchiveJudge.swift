// The nodes of an archive, judged one by one and compared with what the archive says of itself.

internal import RedoObject
internal import RedoStore

/// Judges the nodes of an archive, and what it says of them.
struct ArchiveJudge: ~Copyable {
  private let profile: Profile
  private let path: String
  private var intake: Intake
  private var parents: ParentCheck
  private var tally = PackTally(.node)
  private var decoder = NodeDecoder()
  /// The nodes that have no child in the archive.
  private(set) var heads = HeadTally()
  /// All nodes, in the order of the archive.
  private(set) var ids: [ObjectID] = []

  init(_ profile: Profile, _ path: String) {
    self.profile = profile
    self.path = path
    intake = Intake(Intake.Options(profile: profile, identity: .required), KeySources())
    parents = ParentCheck(profile, nil)
  }

  /// The rows of those nodes of a frame that need to be reported.
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
    var packed: [PackEntry] = []
    for (node, judged) in zip(nodes, judged) {
      if let valid = judged.node {
        packed.append(PackEntry(node, valid))
      } else if let broken = decoder.decodeBroken(node) {
        packed.append(PackEntry(node, HistoryPlace(broken)))
      } else {
        throw ArchiveExamFault.invalid(node.id, node.kind, path: path)
      }
    }
    for node in packed {
      heads.add(node.object.id, parents: node.parents)
      ids.append(node.object.id)
    }
    if let fault = tally.add(packed, fileBytes: fileBytes) {
      throw ArchiveExamFault.misordered(fault, path: path)
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
    try ArchiveExamFault.check(tally.finish(), stated, path: path)
  }
}
