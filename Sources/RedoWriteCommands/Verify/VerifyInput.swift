// Nodes from outside a store.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Judges nodes as they arrive.
struct VerifyInput: ~Copyable {
  private let profile: Profile
  private var intake: Intake
  private var parents: ParentCheck
  private var trust: NodeTrust?

  init(
    _ profile: Profile, _ opened: Repository?, _ trust: NodeTrust?
  ) throws {
    self.profile = profile
    intake = Intake(
      Intake.Options(profile: profile, envelope: .refuse, identity: .required),
      KeySources(store: opened?.objects, trust: trust?.list))
    self.trust = trust
    parents = ParentCheck(profile, opened?.objects)
  }

  /// The rows of a batch, in its order.
  mutating func judge(_ batch: RecordBatch) throws -> [VerdictRow] {
    var judged = try intake.judge(batch)
    try parents.check(&judged)
    for index in judged.indices { try judged[index].stand(&trust) }
    return judged.map { VerdictRow($0, profile) }
  }
}
