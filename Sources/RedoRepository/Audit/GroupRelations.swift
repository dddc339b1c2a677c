// What the relations of receipts or schemas forbid, among those of one input: an archive or a file, which need not have
// everything.

internal import RedoHistory
internal import RedoObject

/// Judges receipts, or schemas, by what they follow.
struct GroupRelations {
  private let profile: Profile
  private var members = GroupAdmission()
  /// For each parent what it has to be, by what one of those that follow it says.
  private var stated: [ObjectID: GroupLink] = [:]

  init(_ profile: Profile) { self.profile = profile }

  /// Adds an object, in whatever order.
  mutating func add(_ object: GroupedObject) {
    members.add(object)
    for parent in object.place.parents where stated[parent] == nil {
      stated[parent] = object.kind == .schema ? .unknown : GroupLink(object, isInHistory: true)
    }
  }

  /// The broken rules of each; that a parent is missing only if the profile asks for parents.
  func findings() -> [ObjectID: [Finding]] {
    var members = members
    var findings: [ObjectID: [Finding]] = [:]
    for problem in members.resolve({ id in profile.checksParents ? nil : stated[id] }) {
      findings[problem.id, default: []].append(problem.finding)
    }
    return findings
  }
}
