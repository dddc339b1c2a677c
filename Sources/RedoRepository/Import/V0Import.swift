// redo import --from=v0: all inputs are read first, because an ID can only be computed after those of the parents; then
// the changes are converted, parents before children.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// Changes of version 0 on their way into a transaction.
package struct V0Import: ~Copyable {
  /// What was done, for people and for `--json`.
  package struct Summary {
    /// How many changes became nodes, by the layout they came in.
    package var converted: [V0Document.Layout: Int] = [:]
    /// How many of them had their content directly in `data`.
    package var flat = 0
    /// How many signatures became notes.
    package var signatures = 0

    package var total: Int { converted.values.reduce(0, +) }
  }

  private struct Item {
    let document: V0Document
    let change: V0Change
    let input: String

    /// Its name in messages.
    var subject: String { "\(input)', byte '\(document.offset)" }
  }

  private var items: [Item] = []
  private var decoder: NodeDecoder
  /// The new ids by the keys of the old ones.
  private var newIDs: [String: ObjectID] = [:]
  /// Notes on signatures and IDs that could not be kept.
  package private(set) var notes = V0Notes()
  package private(set) var summary = Summary()

  /// How many nodes are handed on together.
  private static let batchCount = 4096

  /// - Parameter profile: the rules for the nodes.
  package init(_ profile: Profile) { decoder = NodeDecoder(profile: profile, envelope: .strip) }

  /// Reads the changes of an input.
  ///
  /// - Throws: `ImportFault.malformed` when it is not JSON.
  package mutating func read(
    _ text: [UInt8], _ name: String, _ effects: Effects
  ) throws {
    var finder = V0Finder()
    do throws(JSONError) {
      try finder.find(text)
    } catch {
      throw ImportFault.malformed(Finding(error), name: name)
    }
    let isEmpty = text.allSatisfy { [0x20, 0x0A, 0x0D, 0x09, 0x5B, 0x5D].contains($0) }
    if finder.documents.isEmpty, !isEmpty { effects.report(.importing(.empty(name: name))) }
    for document in finder.documents {
      items.append(Item(document: document, change: V0Change(document), input: name))
    }
  }

  /// Converts everything, and hands it on.
  ///
  /// - Throws: `StoreError` when the store cannot be written, `Interruption` when a signal arrived.
  package mutating func convert(
    into transaction: inout NodeTransaction, _ effects: Effects
  ) throws {
    var batch = RecordBatch()
    var owners: [Int] = []
    for position in try order(&transaction, effects) {
      try effects.checkInterrupt()
      let item = items[position]
      if owners.last.map({ items[$0].input != item.input }) == true
        || owners.count == Self.batchCount
      {
        try take(&batch, &owners, into: &transaction, effects)
      }
      guard let text = convert(item, &transaction, effects) else { continue }
      let start = batch.bytes.count
      batch.bytes += text
      batch.records.append(
        LineRecord(
          range: start..<batch.bytes.count, offset: item.document.offset, byteCount: text.count,
          number: position + 1, state: .complete))
      owners.append(position)
    }
    try take(&batch, &owners, into: &transaction, effects)
    transaction.notes = notes
  }

  /// The changes in an order in which each comes after those that it names.
  private mutating func order(
    _ transaction: inout NodeTransaction, _ effects: Effects
  ) throws -> [Int] {
    var first: [String: Int] = [:]
    var isLeftOut = [Bool](repeating: false, count: items.count)
    for (position, item) in items.enumerated() {
      guard let other = first[item.change.key] else {
        first[item.change.key] = position
        continue
      }
      isLeftOut[position] = true
      if items[other].document.text != item.document.text {
        refuse(
          Finding(.idForm, at: .pointer("/id"), detail: "\(item.change.oldID)' of another change"),
          item, &transaction, effects)
      }
    }
    var waiting = [Int](repeating: 0, count: items.count)
    var children = [[Int]](repeating: [], count: items.count)
    for (position, item) in items.enumerated() where !isLeftOut[position] {
      for key in Set(item.change.references) {
        guard let place = first[key] else { continue }
        children[place].append(position)
        waiting[position] += 1
      }
    }
    var order = items.indices.filter { waiting[$0] == 0 && !isLeftOut[$0] }
    var next = 0
    while next < order.count {
      for child in children[order[next]] {
        waiting[child] -= 1
        if waiting[child] == 0 { order.append(child) }
      }
      next += 1
    }
    // A change that is its own ancestor never gets an ID.
    for position in items.indices where waiting[position] > 0 {
      refuse(
        Finding(.parentsForm, at: .pointer("/parents"), detail: "its own descendant"),
        items[position], &transaction, effects)
    }
    return order
  }

  /// Converts one change.
  ///
  /// - Returns: `nil` when it is refused.
  private mutating func convert(
    _ item: Item, _ transaction: inout NodeTransaction, _ effects: Effects
  ) -> [UInt8]? {
    let change = item.change
    if let (place, parent) = change.missingParent(newIDs) {
      refuse(
        Finding(.parentMissing, at: .pointer("/parents/\(place)"), detail: parent), item,
        &transaction, effects)
      return nil
    }
    var text = change.converted(newIDs)
    guard let node = decoder.decode(text.span) else {
      let profile = decoder.profile
      let errors = decoder.findings.filter { profile.severity(of: $0) == .error }
      transaction.refuse(errors, of: item.subject, effects)
      return nil
    }
    newIDs[change.key] = node.id
    summary.converted[item.document.layout, default: 0] += 1
    if change.isFlat { summary.flat += 1 }
    // If nothing had to be converted, the signature may still be good.
    if node.id.hex == change.key, let signature = change.signature,
      let hex = V0Change.hex(signature, count: 64)
    {
      let signed = text.dropLast() + Array(",\"signature\":\"\(hex)\"}".utf8)
      if let whole = decoder.decode(Array(signed).span), whole.verify().isKept {
        text = Array(signed)
        if change.oldID == node.id.text { return text }
        notes.rows.append(
          V0Notes.Row(id: node.id, oldID: change.oldID, publicKey: nil, signature: nil))
        return text
      }
    }
    if change.signature != nil { summary.signatures += 1 }
    if change.oldID != node.id.text || change.signature != nil {
      notes.rows.append(
        V0Notes.Row(
          id: node.id, oldID: change.oldID, publicKey: change.publicKey,
          signature: change.signature))
    }
    return text
  }

  private mutating func take(
    _ batch: inout RecordBatch, _ owners: inout [Int], into transaction: inout NodeTransaction,
    _ effects: Effects
  ) throws {
    guard let owner = owners.first else { return }
    let source = RecordSources.Source(input: items[owner].input, unit: .bytes)
    for refused in try transaction.take(batch, from: source) {
      transaction.refuse(refused.findings, of: source.name(refused.record), effects)
      let id = newIDs.removeValue(forKey: items[refused.record.number - 1].change.key)
      notes.rows.removeAll { $0.id == id }
    }
    batch = RecordBatch()
    owners = []
  }

  private func refuse(
    _ finding: Finding, _ item: Item, _ transaction: inout NodeTransaction,
    _ effects: Effects
  ) {
    transaction.refuse([finding], of: item.subject, effects)
  }
}

extension V0Change {
  /// The first parent that was not converted.
  fileprivate func missingParent(_ newIDs: [String: ObjectID]) -> (place: Int, parent: String)? {
    for (place, parent) in parents.enumerated() where newIDs[V0Change.key(parent)] == nil {
      return (place, parent)
    }
    return nil
  }
}

extension Verdict {
  /// Whether a signature may be stored.
  fileprivate var isKept: Bool {
    switch self {
    case .good, .keyUnknown: true
    case .bad, .unsigned: false
    }
  }
}
