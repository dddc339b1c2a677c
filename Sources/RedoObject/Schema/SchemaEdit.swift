// What an edit makes of the heads of a schema (schemas, section 1.3): their join, and then the change, with stamps that are
// later than all that they follow, whatever the clock says.

/// An edit of a schema.
package struct SchemaEdit: Sendable {
  /// The join of the heads.
  package let base: SchemaDefinition
  /// The fields of the join, as people see them.
  package let view: SchemaView
  private let version: SchemaVersion
  private let device: UniqueID
  private let now: WallTime
  private var metadata: SchemaDefinition.Metadata
  private var changed: [FieldPair: SchemaField] = [:]
  private var keys: [ByteText] = []

  /// Begins an edit; `nil` for heads of different names, and when the last instant is taken.
  ///
  /// - Parameters:
  ///   - heads: the definitions of the heads, one at least.
  ///   - device: the device that edits.
  ///   - now: its clock.
  package init?(_ heads: [SchemaDefinition], by device: UniqueID, now: WallTime) {
    guard let base = SchemaDefinition.join(heads),
      let version = SchemaVersion.next(after: heads.map(\.version), by: device, now: now)
    else { return nil }
    self.base = base
    self.version = version
    self.device = device
    self.now = now
    view = SchemaView(base)
    metadata = base.metadata
  }

  /// Changes what is said of the schema as a whole.
  package mutating func change(metadata body: (inout SchemaDefinition.Metadata) -> Void) {
    body(&metadata)
  }

  /// Changes a field.
  ///
  /// - Parameters:
  ///   - id: as it is shown.
  ///   - body: changes it; its id, type and stamps stay what they are.
  /// - Returns: whether there is such a field.
  package mutating func change(_ id: UniqueID, _ body: (inout SchemaField) -> Void) -> Bool {
    view.pair(of: id).map { change($0, body) } ?? false
  }

  /// Changes a field.
  ///
  /// - Parameters:
  ///   - pair: under which it is stored.
  ///   - body: changes it; its id, type and stamps stay what they are.
  /// - Returns: whether there is such a field.
  package mutating func change(_ pair: FieldPair, _ body: (inout SchemaField) -> Void) -> Bool {
    guard let stored = stored(pair) else { return false }
    var field = changed[pair] ?? stored
    body(&field)
    put(field, over: stored)
    if changed[pair]?.isSaid(as: stored) ?? false { changed[pair] = nil }
    return true
  }

  /// Says a field anew, also if it says what it said before, so that it counts among those of the heads.
  ///
  /// - Parameters:
  ///   - pair: under which it is stored; there is such a field.
  ///   - field: what it says from now on but for id, type and stamps.
  package mutating func say(_ pair: FieldPair, _ field: SchemaField) {
    if let stored = stored(pair) { put(field, over: stored) }
  }

  private func stored(_ pair: FieldPair) -> SchemaField? {
    base.fields.first { $0.pair == pair }
  }

  private mutating func put(_ field: SchemaField, over stored: SchemaField) {
    var field = field
    field.pair = stored.pair
    field.created = stored.created
    field.updated = stored.updated
    changed[stored.pair] = field.stamped(by: device, now: now)
  }

  /// Adds a field, after all that are there unless it has a place.
  ///
  /// - Parameters:
  ///   - field: the field; its stamps become those of the edit.
  ///   - key: the text that its id is made of, if it is.
  ///   - hasPlace: whether its place is chosen.
  /// - Returns: `false` when a field of its id and type is there.
  package mutating func add(_ field: SchemaField, key: ByteText? = nil, hasPlace: Bool) -> Bool {
    guard !base.fields.contains(where: { $0.pair == field.pair }), changed[field.pair] == nil
    else { return false }
    var field = field
    if !hasPlace {
      let last = (base.fields + changed.values).map(\.displayOrder).max()
      // No integer of JSON is larger without becoming another one.
      field.displayOrder = last.map { min($0, SchemaVersion.counterLimit - 1) + 1 } ?? 1
    }
    field.created = FieldStamp(by: device, at: min(now, SchemaVersion.clockEnd))
    field.updated = field.created
    changed[field.pair] = field
    if let key { keys.append(key) }
    return true
  }

  /// The definition after the edit; `nil` when nothing has changed.
  package var result: SchemaDefinition? {
    base.edited(version, metadata: metadata, fields: Array(changed.values), keys: keys)
  }
}
