// Tests/Vectors/log and Tests/Vectors/profile: letters, orphans, heads and total order of small
// logs, and the rules that stricter profiles add.

import RedoCrypto
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Own log vectors")
struct LogVectorTests {
  /// The keys that nodes have carried, by user; of two keys none is known.
  struct SeenKeys {
    private var keys: [UserID: Set<PublicKey>] = [:]

    mutating func verdict(_ node: Node) -> Verdict {
      if let key = node.publicKey { keys[node.userID, default: []].insert(key) }
      let seen = keys[node.userID] ?? []
      return node.verify(key: node.publicKey ?? (seen.count == 1 ? seen.first : nil))
    }
  }

  /// A log, read from the first line to the last.
  struct Log {
    var letters: [String] = []
    var ids: [String] = []
    var good: [Node] = []
    var findings: [(rule: String, pointer: String, id: ObjectID?)] = []

    init(_ lines: [[UInt8]], profile: Profile) {
      var decoder = NodeDecoder(profile: profile)
      var keys = SeenKeys()
      for line in lines {
        let node = decoder.decode(line.span)
        var verdict = node.map { keys.verdict($0) }
        let error = decoder.findings.first { profile.severity(of: $0.rule) == .error }
        if let error { verdict = .bad(error) }
        if let finding = verdict?.finding(under: profile) {
          let pointer = if case .pointer(let pointer) = finding.place { pointer } else { "" }
          findings.append((finding.rule.id, pointer, node?.id ?? decoder.statedID))
        }
        switch verdict {
        case .good(let form): letters.append("G \(form.rawValue)")
        case .bad(let finding): letters.append("B \(finding.rule.id)")
        case .unsigned: letters.append("N")
        case .keyUnknown: letters.append("E")
        case nil: letters.append("?")
        }
        let isGood = letters.last?.hasPrefix("B") == false
        ids.append(isGood ? node?.id.text ?? "-" : "-")
        if isGood, let node { good.append(node) }
      }
    }
  }

  static let folder = VectorFolder.own("log")

  @Test("letters, ids, orphans, heads and order of every log")
  func logs() throws {
    let rows = try Self.folder.table()
    let files = Set(rows.map { $0[0] }).sorted()
    #expect(files.count >= 26)
    for file in files {
      let mine = rows.filter { $0[0] == file }
      func values(_ kind: String) -> [String] { mine.filter { $0[1] == kind }.map { $0[3] } }
      let counts = Dictionary(
        uniqueKeysWithValues: mine.filter { $0[1] == "count" }.map { ($0[2], Int($0[3])) })

      let log = Log(try Self.folder.lines(file), profile: .v1)
      #expect(log.letters.count == counts["lines"], "\(file)")
      #expect(log.letters == values("letter"), "\(file)")
      #expect(log.ids == values("id"), "\(file)")

      let (accepted, orphans) = Self.accept(log.good)
      #expect(accepted.count == counts["nodes"], "\(file)")
      let order = TotalOrderTests.order(accepted).map(\.text)
      #expect(order == values("order"), "\(file)")
      guard counts["heads"] != nil else { continue }
      let orphanLines = log.ids.filter { id in orphans.contains { $0.text == id } }
      #expect(orphanLines == values("orphan"), "\(file)")
      let heads = Self.heads(accepted)
      let listed = mine.filter { $0[1] == "head" }.map { "\($0[2]) \($0[3])" }
      #expect(heads.sorted() == listed.sorted(), "\(file)")
      #expect(heads.count == counts["heads"], "\(file)")
      #expect(Set(heads.map { $0.prefix { $0 != " " } }).count == counts["tasks"], "\(file)")
    }
  }

  /// Divides nodes into those with all their ancestors, each once, and the orphans.
  static func accept(_ nodes: [Node]) -> (accepted: [Node], orphans: Set<ObjectID>) {
    var here: [Node] = []
    for node in nodes where !here.contains(where: { $0.id == node.id }) { here.append(node) }
    var orphans: Set<ObjectID> = []
    while true {
      var admission = Admission(profile: .v1)
      for (number, node) in here.enumerated() { admission.add(node, record: number) }
      let problems = admission.resolve { _ in nil }
      let gone = Set(problems.filter { $0.finding.rule == .parentMissing }.map(\.id))
      if gone.isEmpty { return (here, orphans) }
      orphans.formUnion(gone)
      here.removeAll { gone.contains($0.id) }
    }
  }

  /// `task id` for every head.
  static func heads(_ nodes: [Node]) -> [String] {
    var admission = Admission(profile: .v1)
    for (number, node) in nodes.enumerated() { admission.add(node, record: number) }
    _ = admission.resolve { _ in nil }
    return admission.headsChanges(heads: { _ in [] }, lookUp: { _ in nil }).flatMap { change in
      change.added.map { "\(change.task?.text ?? "-") \($0.text)" }
    }
  }

  @Test("the first broken rule of a profile, at its place, by its node")
  func profiles() throws {
    let folder = VectorFolder.own("profile")
    for row in try folder.table() {
      let (file, rule, pointer, id) = (row[0], row[3], row[4], row[5])
      let profile = try #require(Profile(rawValue: row[1]))
      let log = Log(try folder.lines(file), profile: profile)
      var found = log.findings.map { "\($0.rule)@\($0.pointer) \($0.id?.text ?? "-")" }
      var admission = Admission(profile: profile)
      for (number, node) in log.good.enumerated() { admission.add(node, record: number) }
      for problem in admission.resolve({ _ in nil }) {
        guard profile.severity(of: problem.finding.rule) == .error,
          case .pointer(let place) = problem.finding.place
        else { continue }
        found.append("\(problem.finding.rule.id)@\(place) \(problem.id.text)")
      }
      #expect(found == (row[2] == "valid" ? [] : ["\(rule)@\(pointer) \(id)"]), "\(file)")
      // None of them is wrong by the rules of v1.
      #expect(Log(try folder.lines(file), profile: .v1).findings.isEmpty, "\(file)")
    }
  }
}
