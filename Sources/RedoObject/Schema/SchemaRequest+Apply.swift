// From a request to the definition of the next object. Whatever comes of it lacks nothing that a head has, keeps who created what,
// and takes no stamp that ends the clock (schemas, sections 1.3 and 1.4).

extension SchemaRequest {
  /// Applies the request.
  ///
  /// - Parameters:
  ///   - heads: the definitions of the heads, all of one name; none for a schema that is to be new.
  ///   - device: the device that edits.
  ///   - now: its clock.
  ///   - base: what two heads, by their places, have in common: the join of the definitions before both. Without it each difference
  ///     of two heads counts as a concurrent edit.
  /// - Returns: the next definition, if anything changes.
  /// - Throws: `SchemaFault`.
  package func apply(
    to heads: [SchemaDefinition], by device: UniqueID, now: WallTime,
    base: (Int, Int) -> SchemaDefinition? = { _, _ in nil }
  ) throws(SchemaFault) -> SchemaEdited {
    let editing = SchemaEditing(heads: heads, device: device, now: now)
    var field: UniqueID?
    let definition: SchemaDefinition?
    var warnings: [Finding] = []
    var settled: Set<FieldPair> = []
    if let name = heads.first?.name, name.isReserved, !isForReserved {
      throw .refused(.schemaReserved, "/id", name.text)
    }
    switch self {
    case .new(let name, let options): definition = try editing.new(name, options)
    case .import(let file, let hidesAbsent):
      definition = try editing.take(file, hidesAbsent: hidesAbsent, &warnings)
    case .merge(let picks) where picks.isEmpty: definition = try editing.merged()
    case .merge(let picks): definition = try editing.pick(picks, &settled)
    case .addField(let id, let type, let options):
      (definition, field) = try editing.addField(id, type, options)
    case .set(let options): definition = try editing.set(options)
    case .setField(let text, let options):
      (definition, field) = try editing.set(text, options)
    case .rename(let text, let name):
      var options = FieldOptions()
      options.displayName = name
      (definition, field) = try editing.set(text, options)
    case .show(let text, let visibility):
      (definition, field) = try editing.change(text) { $0.visibility = visibility }
    case .mergeFields(let source, let target):
      (definition, field) = try editing.mergeFields(source, target)
    case .splitField(let source):
      (definition, field) = try editing.change(source) { $0.mergedInto = nil }
    }
    var edited = try SchemaEdited(
      definition, after: heads, change, field: field, settled: settled, base: base)
    edited.warnings = warnings + edited.warnings
    return edited
  }
}

/// An edit that is being made.
private struct SchemaEditing {
  let heads: [SchemaDefinition]
  let device: UniqueID
  let now: WallTime

  /// Begins an edit of the heads, and of a file if there is one.
  private func begin(_ file: SchemaDefinition? = nil) throws(SchemaFault) -> SchemaEdit {
    let all = heads + (file.map { [$0] } ?? [])
    guard !all.isEmpty else { throw .absent }
    precondition(Set(all.map(\.name)).count == 1, "BUG: heads of different schemas")
    guard let edit = SchemaEdit(all, by: device, now: now) else {
      throw .refused(.schemaClockRange, "/version/timestamp")
    }
    return edit
  }

  // MARK: Schemas

  func new(
    _ name: SchemaDefinition.Name, _ options: SchemaOptions
  ) throws(SchemaFault) -> SchemaDefinition {
    guard heads.isEmpty else { throw .present }
    guard !name.isReserved else { throw .refused(.schemaReserved, "/id", name.text) }
    guard SchemaDefinition.isID(name.id) else {
      throw .refused(.schemaIDForm, "/id", name.id.text)
    }
    var metadata = SchemaDefinition.Metadata(
      displayName: name.id, iconSystemName: ByteText("doc.text"))
    let findings = options.set(&metadata)
    guard findings.isEmpty else { throw .refused(findings) }
    return try SchemaDefinition.begun(name, metadata, by: device, now: now)
  }

  func set(_ options: SchemaOptions) throws(SchemaFault) -> SchemaDefinition? {
    var edit = try begin()
    var findings: [Finding] = []
    edit.change { findings = options.set(&$0) }
    guard findings.isEmpty else { throw .refused(findings) }
    return edit.result
  }

  /// The join of the heads; `nil` for a single one.
  func merged() throws(SchemaFault) -> SchemaDefinition? {
    guard let join = SchemaDefinition.join(heads) else { throw .absent }
    return heads.count > 1 ? join : nil
  }

  // MARK: Fields

  /// A field that a text names: as it is stored, and where.
  private func find(
    _ text: ByteText, in edit: SchemaEdit
  ) throws(SchemaFault) -> (id: UniqueID, place: Int) {
    switch edit.view.lookUp(text) {
    case .ambiguous(let ids): throw .fieldAmbiguous(text, ids)
    case .none: throw .fieldUnknown(text)
    case .found(let id):
      guard let pair = edit.view.pair(of: id),
        let place = edit.base.fields.firstIndex(where: { $0.pair == pair })
      else { throw .fieldUnknown(text) }
      return (id, place)
    }
  }

  func change(
    _ text: ByteText, _ body: (inout SchemaField) -> Void
  ) throws(SchemaFault) -> (SchemaDefinition?, UniqueID?) {
    var edit = try begin()
    let (id, place) = try find(text, in: edit)
    _ = edit.change(edit.base.fields[place].pair, body)
    return (edit.result, id)
  }

  func set(
    _ text: ByteText, _ options: FieldOptions
  ) throws(SchemaFault) -> (SchemaDefinition?, UniqueID?) {
    var edit = try begin()
    let (id, place) = try find(text, in: edit)
    var field = edit.base.fields[place]
    let findings = options.set(&field, at: "/fields/\(place)")
    guard findings.isEmpty else { throw .refused(findings) }
    _ = edit.change(field.pair) { $0 = field }
    return (edit.result, id)
  }

  func addField(
    _ id: NewFieldID, _ type: FieldType, _ options: FieldOptions
  ) throws(SchemaFault) -> (SchemaDefinition?, UniqueID?) {
    var edit = try begin()
    let base = edit.base
    var key: ByteText?
    if case .key(let text) = id {
      guard SchemaDefinition.isKey(text) else {
        throw .refused(.schemaKeyForm, "/keys/-", text.text)
      }
      key = text
    }
    // A new key may be another name of a field that is here.
    let names = SchemaNames(base.name.id, keys: base.keys + (key.map { [$0] } ?? []))
    let pair: FieldPair
    let name: ByteText
    switch id {
    case .id(let id): (pair, name) = (FieldPair(names.id(id), type), ByteText(id.text))
    case .key(let key):
      (pair, name) = (FieldPair(SchemaNames.id(of: key, in: base.name.id), type), key)
    }
    // The id of a twin, which is made of another one, names it for ever.
    let isOfTwin = edit.view.pair(of: pair.id).map { names.id($0.id) != pair.id } ?? false
    guard !isOfTwin, !base.fields.contains(where: { names.counted($0.pair) == pair }) else {
      throw .refused(.schemaFieldDuplicate, "/fields/-", "\(pair.id.text) \(type.rawValue)")
    }
    guard base.fields.count < SchemaLimit.fieldCount else {
      throw .refused(.schemaLimit, "/fields/-", "\(base.fields.count) fields are here")
    }
    let isBuiltIn = SchemaBuiltIns.fields(of: base.name.id).contains { $0.key == key }
    if isBuiltIn || key.map(base.keys.contains) ?? true { key = nil }
    guard key == nil || base.keys.count < SchemaLimit.fieldCount else {
      throw .refused(.schemaLimit, "/keys/-", "\(base.keys.count) keys are here")
    }
    var field = SchemaField(pair, displayName: name)
    let findings = options.set(&field, at: "/fields/-")
    guard findings.isEmpty else { throw .refused(findings) }
    _ = edit.add(field, key: key, hasPlace: options.displayOrder != nil)
    let result = edit.result
    let view = result.map { SchemaView($0) }
    return (result, view?.fields.first { view?.pair(of: $0.pair.id) == pair }?.pair.id)
  }

  func mergeFields(
    _ source: ByteText, _ target: ByteText
  ) throws(SchemaFault) -> (SchemaDefinition?, UniqueID?) {
    var edit = try begin()
    let (from, place) = try find(source, in: edit)
    let (into, targetPlace) = try find(target, in: edit)
    let types = [place, targetPlace].map { edit.base.fields[$0].pair.type.rawValue }
    let pointer = "/fields/\(place)/mergedInto"
    guard types[0] == types[1] else {
      throw .refused(.schemaTypeChanged, pointer, "\(types[0]) into \(types[1])")
    }
    var seen: Set<UniqueID> = []
    var next: UniqueID? = into
    while let id = next, seen.insert(id).inserted {
      next = edit.view.field(id).flatMap { edit.view.target(of: $0) }
    }
    guard !seen.contains(from) else { throw .refused(.schemaMergedCircle, pointer, into.text) }
    _ = edit.change(from) { $0.mergedInto = into }
    return (edit.result, from)
  }

  func pick(
    _ picks: [SchemaPick], _ settled: inout Set<FieldPair>
  ) throws(SchemaFault) -> SchemaDefinition? {
    var edit = try begin()
    let names = SchemaNames(edit.base.name.id, keys: edit.base.keys)
    for pick in picks {
      let (_, place) = try find(pick.field, in: edit)
      let pair = edit.base.fields[place].pair
      var chosen: SchemaField?
      for field in pick.head.fields where names.counted(field.pair) == names.counted(pair) {
        if let known = chosen, !field.outranks(known) { continue }
        chosen = field
      }
      guard let chosen else { throw .fieldUnknown(pick.field) }
      edit.say(pair, chosen)
      settled.insert(pair)
    }
    // There is nothing to choose of one head.
    return heads.count > 1 ? edit.result : nil
  }

  // MARK: Import

  func take(
    _ file: SchemaDefinition, hidesAbsent: Bool, _ warnings: inout [Finding]
  ) throws(SchemaFault) -> SchemaDefinition? {
    guard !file.name.isReserved || file.name == .devices else {
      throw .refused(.schemaReserved, "/id", file.name.text)
    }
    guard let join = SchemaDefinition.join(heads) else {
      guard heads.isEmpty else { preconditionFailure("BUG: heads of different schemas") }
      return file
    }
    let file = join.keepingProvenance(file)
    guard let both = join.joined(with: file) else {
      throw .refused(.schemaIDMismatch, "/id", file.name.text)
    }
    let names = SchemaNames(both.name.id, keys: both.keys)
    let there = Set(file.fields.map { names.counted($0.pair) })
    let view = SchemaView(join)
    let absent = view.fields.filter(\.isVisible).compactMap { view.pair(of: $0.pair.id) }
      .filter { !there.contains(names.counted($0)) }
    guard hidesAbsent, !absent.isEmpty else {
      warnings = absent.map { Finding(.schemaFieldAbsent, detail: $0.id.text) }
      return both == join ? nil : both
    }
    var edit = try begin(file)
    for pair in absent { _ = edit.change(pair) { $0.visibility = .hidden } }
    return edit.result
  }
}

extension SchemaField {
  fileprivate var isVisible: Bool { visibility != .hidden }
}

extension SchemaNames {
  /// The pair that a stored one counts as.
  func counted(_ pair: FieldPair) -> FieldPair { FieldPair(id(pair.id), pair.type) }
}

extension SchemaDefinition {
  /// A definition that follows none.
  ///
  /// - Parameters:
  ///   - name: what it is called.
  ///   - metadata: what is said of it as a whole.
  ///   - device: the device that makes it.
  ///   - now: its clock.
  ///   - fields: its fields; their stamps become those of the device.
  /// - Returns: its first version.
  /// - Throws: `SchemaFault` at the end of the clock.
  package static func begun(
    _ name: Name, _ metadata: Metadata, by device: UniqueID, now: WallTime,
    fields: [SchemaField] = []
  ) throws(SchemaFault) -> SchemaDefinition {
    guard let version = SchemaVersion.next(after: [], by: device, now: now) else {
      throw .refused(.schemaClockRange, "/version/timestamp")
    }
    let stamp = FieldStamp(by: device, at: min(now, SchemaVersion.clockEnd))
    let stamped = fields.map { field in
      var field = field
      field.created = stamp
      field.updated = stamp
      return field
    }
    return SchemaDefinition(
      name, metadata, isBuiltIn: false, version: version, fields: stamped, keys: [])
  }

  /// A file's definition whose fields were created when those of the same pairs here were.
  fileprivate func keepingProvenance(_ file: SchemaDefinition) -> SchemaDefinition {
    let created = Dictionary(
      fields.map { ($0.pair, $0.created) }, uniquingKeysWith: { first, _ in first })
    let fields = file.fields.map { field in
      var field = field
      field.created = created[field.pair] ?? field.created
      return field
    }
    return SchemaDefinition(
      file.name, file.metadata, isBuiltIn: file.isBuiltIn, version: file.version,
      metaVersion: file.metaVersion, fields: fields, keys: file.keys)
  }
}
