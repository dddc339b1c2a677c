// What the tests of nodes share: the functions under test with arrays for spans, which the macros
// of Swift Testing cannot take apart.

import RedoCrypto
import RedoObject
import TestSupport

/// What became of a text.
struct Decoded {
  var node: Node?
  var findings: [Finding]
  var statedID: ObjectID?
  var computedID: ObjectID?
  var profile: Profile

  /// The broken rules of one severity as `rule@pointer`, sorted; the whole node is an empty
  /// pointer.
  func listed(_ severity: Severity) -> [String] {
    findings.filter { profile.severity(of: $0.rule) == severity }.map(place).sorted()
  }
}

/// `rule@pointer`, or `rule@offset` for a text that is not JSON.
func place(_ finding: Finding) -> String {
  switch finding.place {
  case .whole: "\(finding.rule.id)@"
  case .pointer(let pointer): "\(finding.rule.id)@\(pointer)"
  case .offset(let offset): "\(finding.rule.id)@\(offset)"
  }
}

/// Decodes a text.
func decode(
  _ text: [UInt8], profile: Profile = .v1, envelope: NodeDecoder.Envelope = .refuse
) -> Decoded {
  var decoder = NodeDecoder(profile: profile, envelope: envelope)
  let node = decoder.decode(text.span)
  return Decoded(
    node: node, findings: decoder.findings, statedID: decoder.statedID,
    computedID: node?.id ?? decoder.mismatch?.computed, profile: profile)
}

func decode(_ text: String, profile: Profile = .v1) -> Decoded {
  decode(Array(text.utf8), profile: profile)
}

/// The keys that nodes have carried, by user; of two keys none is known.
struct SeenKeys {
  private var keys: [UserID: Set<PublicKey>] = [:]

  mutating func note(_ node: Node) {
    if let key = node.publicKey { keys[node.userID, default: []].insert(key) }
  }

  func key(of node: Node) -> PublicKey? {
    if let key = node.publicKey { return key }
    let seen = keys[node.userID] ?? []
    return seen.count == 1 ? seen.first : nil
  }
}

extension Verdict {
  /// `G body`, `G digest`, `N`, `E` or `B <rule>`.
  var columns: String {
    switch self {
    case .good(let form): "G \(form.rawValue)"
    case .bad(let finding): "B \(finding.rule.id)"
    case .unsigned: "N"
    case .keyUnknown: "E"
    }
  }
}

/// The whole node as canonical JSON.
func whole(_ node: Node) -> [UInt8] {
  var output: [UInt8] = []
  node.appendWhole(to: &output)
  return output
}

/// A valid node's text, with members replaced or taken out (`nil`) by name.
func nodeText(_ changes: [String: String?] = [:]) -> String {
  var members: [String: String] = [
    "action": #""UPDATE""#,
    "author": #"{"deviceId":"d","userId":"00112233445566778899aabbccddeeff"}"#,
    "data": #"{"fields":{"title":"t"}}"#,
    "parents": "[]",
    "taskId": #""7a000000-0000-4000-8000-000000000001""#,
    "timestamp": #"{"lamport":1,"wall":"2025-03-01T08:00:00.000Z"}"#,
    "version": "1",
  ]
  for (name, value) in changes { members[name] = value }
  let sorted = members.sorted { $0.key < $1.key }
  return "{" + sorted.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
}
