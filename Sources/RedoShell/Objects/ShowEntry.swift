// An object for people:
//
//   node sha256:5f0c...
//   Author:    Ada <ada@example.org> (6dae71b5c0ccc74dc3632f94f5bf65a6)
//   Device:    Ada's laptop (linux-laptop)
//   Wall:      2024-05-01T10:00:00.000Z
//   Lamport:   5
//   Received:  2024-05-02T07:31:12.904Z
//   Created:   2024-05-01T10:00:03.120Z (as a remote says)
//   Access:    ada bob
//   Task:      550e8400-e29b-41d4-a716-446655440000
//   Action:    UPDATE
//   Parent:    3d557e02f294 CREATE
//   Signature: G (good, over the body)
//
//       priority: 4
//       title: Water the plants
//
// A schema has its name and what led to it. A receipt has CID, author (a did), device, type, claimed time, and, if it changes another, parent and root.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoStore

/// The lines of one object; the last line has no terminator.
struct ShowEntry {
  private let object: StoredObject
  private let facts: ObjectFacts
  private let palette: Palette

  private let showsAll: Bool

  init(_ object: StoredObject, _ facts: ObjectFacts, _ palette: Palette, showsAll: Bool) {
    self.showsAll = showsAll
    self.object = object
    self.facts = facts
    self.palette = palette
  }

  /// How many of a blob's bytes are shown.
  private static let excerptCount = 16

  /// Appends the lines.
  func append(to output: inout [UInt8]) {
    palette.paint(.id, to: &output) { output in
      output.append(object.kind.name)
      output.append(" ")
      object.id.append(to: &output)
    }
    if let receipt = facts.receipt { return append(receipt, to: &output) }
    if let schema = facts.schema { return append(schema, to: &output) }
    let row = ObjectRow(object: object, node: facts.node)
    guard let node = facts.node, let text = NodeText(row) else {
      appendBlob(to: &output)
      return
    }
    line("Author", to: &output) { output in
      text.appendAuthor(to: &output)
      if text.hasAuthorName { output += " (\(node.userID.text))".utf8 }
    }
    line("Device", to: &output) { output in
      text.appendDevice(to: &output)
      guard text.hasDeviceName else { return }
      output.append(" (")
      row.append(.deviceID, to: &output)
      output.append(")")
    }
    line("Wall", to: &output) { row.append(.wall, to: &$0) }
    line("Lamport", to: &output) { row.append(.lamport, to: &$0) }
    appendReceived(to: &output)
    if let created = facts.created {
      line("Created", to: &output) { output in
        created.append(to: &output)
        output.append(" (as a remote says)")
      }
    }
    if let access = facts.access {
      line("Access", to: &output) { output in
        let accounts = access.accounts
        output += (accounts.isEmpty ? "nobody" : Escape.text(accounts.joined(separator: " "))).utf8
      }
    }
    if node.taskID != nil { line("Task", to: &output) { row.append(.task, to: &$0) } }
    line("Action", to: &output) { row.append(.action, to: &$0) }
    for parent in facts.parents {
      line("Parent", to: &output) { output in
        output += "\(NodeText.short(parent.id)) ".utf8
        switch parent.action {
        case .success(let action): output += Escape.text(action).utf8
        case .failure(let state): output += "(\(state.rawValue))".utf8
        }
      }
    }
    appendVerdict(to: &output)
    appendContent(of: node, to: &output)
  }

  /// Appends the lines of a receipt.
  private func append(_ receipt: Receipt, to output: inout [UInt8]) {
    var row = ObjectRow(object: object, node: nil)
    row.receipt = receipt
    line("CID", to: &output) { row.append(.cid, to: &$0) }
    line("Author", to: &output) { row.append(.did, to: &$0) }
    if receipt.deviceID != nil { line("Device", to: &output) { row.append(.deviceID, to: &$0) } }
    line("Type", to: &output) { row.append(.type, to: &$0) }
    if let wall = receipt.wall { line("Claimed", to: &output) { wall.append(to: &$0) } }
    appendReceived(to: &output)
    if let parent = receipt.parent {
      line("Parent", to: &output) { $0 += parent.cidText(as: .receipt).utf8 }
      line("Root", to: &output) { row.append(.root, to: &$0) }
    }
    appendVerdict(to: &output)
    let payload = receipt.payloadJSON
    let members = Array(JSONMembers(payload[...]))
    guard !members.isEmpty else {
      // An integer may be one that readers of JSON do not take.
      if !payload.isEmpty { output += "\n\n    \(Escape.text(payload))".utf8 }
      return
    }
    output.append("\n")
    for member in members { MemberLayout.append(member, to: &output) }
  }

  /// Appends the lines of a schema.
  private func append(_ schema: Schema, to output: inout [UInt8]) {
    var row = ObjectRow(object: object, node: nil)
    row.schema = schema
    line("Schema", to: &output) { $0 += Escape.text(schema.definition.name.text).utf8 }
    line("Author", to: &output) { row.append(.userID, to: &$0) }
    line("Device", to: &output) { output in
      row.append(.deviceName, to: &output)
      if schema.deviceName != nil { output.append(" (") }
      row.append(.deviceID, to: &output)
      if schema.deviceName != nil { output.append(")") }
    }
    line("Wall", to: &output) { row.append(.wall, to: &$0) }
    line("Lamport", to: &output) { row.append(.lamport, to: &$0) }
    appendReceived(to: &output)
    line("Change", to: &output) {
      $0 += "\(schema.change.op) (\(schema.change.source.rawValue))".utf8
    }
    for parent in schema.parents {
      line("Parent", to: &output) { $0 += NodeText.short(parent).utf8 }
    }
    appendVerdict(to: &output)
    output.append("\n")
    for member in JSONMembers(schema.definition.canonical[...]) {
      MemberLayout.append(member, to: &output)
    }
  }

  private func appendReceived(to output: inout [UInt8]) {
    line("Received", to: &output) { output in
      guard let received = facts.received else {
        output.append("never: it is not in the history")
        return
      }
      WallTime(milliseconds: received).append(to: &output)
    }
  }

  private func line(
    _ label: StaticString, to output: inout [UInt8], _ write: (inout [UInt8]) -> Void
  ) {
    output.append("\n")
    output.append(label)
    output.append(":")
    for _ in label.utf8CodeUnitCount..<10 { output.append(" ") }
    write(&output)
  }

  private func appendVerdict(to output: inout [UInt8]) {
    guard let verdict = facts.verdict else { return }
    line("Signature", to: &output) { output in
      palette.paint(verdict.isGood ? .good : .bad, to: &output) { output in
        output += "\(verdict.letter)".utf8
      }
      output += " (\(Escape.text(reason(verdict))))".utf8
    }
    for finding in verdict.findings where finding != verdict.finding {
      line("Warning", to: &output) { output in
        palette.paint(.odd, to: &output) { $0 += Escape.text(Diagnosis.text(finding)).utf8 }
      }
    }
  }

  private func reason(_ verdict: VerdictRow) -> String {
    if let finding = verdict.finding { return "bad: \(Diagnosis.text(finding))" }
    switch verdict.standing?.reason {
    case .untrusted: return "good, but the signer is not trusted"
    case .expired: return "good, but not at a time for which the signer is trusted"
    case .revoked: return "good, but the key is revoked"
    case .trusted, .stays, nil: break
    }
    switch verdict.form {
    case .body: return facts.receipt == nil ? "good, over the body" : "good, over the bytes"
    case .digest: return "good, over the digest of the body"
    case nil: return verdict.letter == "N" ? "not signed" : "signed, but the key is not known"
    }
  }

  /// Appends the content member by member, and what a merge records about its conflicts.
  private func appendContent(of node: Node, to output: inout [UInt8]) {
    var members = Array(JSONMembers(node.content))
    members += JSONMembers(node.data).filter { $0.name.elementsEqual("conflictResolution".utf8) }
    guard !members.isEmpty else { return }
    output.append("\n")
    guard let names = facts.names else {
      for member in members { MemberLayout.append(member, to: &output) }
      return
    }
    append(members, names, to: &output)
  }

  /// Appends the members of a record: those of fields under their names, in the order of the schema, after the others.
  private func append(
    _ members: [JSONMembers.Member], _ names: RecordNames, to output: inout [UInt8]
  ) {
    let named = members.map { member in
      (member, names.name(of: member.escapedName, Array(member.value)))
    }
    for (member, name) in named where name == nil { MemberLayout.append(member, to: &output) }
    var hidden = 0
    for (member, name) in named.sorted(by: { ($0.1?.place ?? 0) < ($1.1?.place ?? 0) }) {
      guard let name else { continue }
      guard showsAll || name.visibility != .hidden else {
        hidden += 1
        continue
      }
      MemberLayout.append(
        RecordLabel.text(name, Escape.text(member.name)),
        json: names.value(of: member.escapedName, Array(member.value)), to: &output)
    }
    guard hidden > 0 else { return }
    output += "\n\n    \(RecordLabel.hidden(hidden))".utf8
  }

  /// Appends what is known about a blob's bytes.
  private func appendBlob(to output: inout [UInt8]) {
    let bytes = object.canonical
    line("Size", to: &output) { $0 += "\(bytes.count) bytes".utf8 }
    line("Content", to: &output) { output in
      if bytes.isEmpty {
        output.append("nothing")
      } else if String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) {
        let lines = bytes.count { $0 == UInt8(ascii: "\n") }
        output += "text in UTF-8, \(lines) line feed\(lines == 1 ? "" : "s")".utf8
      } else {
        output.append("binary, begins with")
        for byte in bytes.prefix(Self.excerptCount) {
          output += ((byte < 0x10 ? " 0" : " ") + String(byte, radix: 16)).utf8
        }
      }
    }
  }
}
