// What a schema is to its parents (schemas, section 1.4): it lacks nothing that they have, keeps who created what, and does not
// end the clock. What breaks one of the errors enters no history.

/// A definition and those that it follows.
struct SchemaSuccession {
  private let child: SchemaDefinition
  private let parents: [SchemaDefinition]
  /// What the parents have of each pair.
  private let inherited: [FieldPair: [SchemaField]]

  /// A definition after others of its name.
  init(_ child: SchemaDefinition, after parents: [SchemaDefinition]) {
    self.child = child
    self.parents = parents
    var inherited: [FieldPair: [SchemaField]] = [:]
    for field in parents.flatMap(\.fields) { inherited[field.pair, default: []].append(field) }
    self.inherited = inherited
  }

  // MARK: Errors

  /// The broken rules that are errors.
  ///
  /// - Parameter pointer: where the definition stands.
  /// - Returns: each place once.
  func errors(at pointer: String) -> [Finding] {
    lost(pointer) + provenance(pointer) + clockRange(pointer)
  }

  /// Rule `schema-lost`.
  private func lost(_ pointer: String) -> [Finding] {
    var found: [Finding] = []
    var told: Set<String> = []
    func report(_ place: String, _ detail: String = "") {
      let finding = Finding(.schemaLost, at: .pointer(pointer + place), detail: detail)
      if told.insert("\(place) \(detail)").inserted { found.append(finding) }
    }
    let places = places
    for parent in parents {
      guard let join = parent.joined(with: child), join != child else { continue }
      if join.version != child.version { report("/version") }
      if join.isBuiltIn != child.isBuiltIn { report("/isBuiltIn") }
      let (said, own) = (join.metadata, child.metadata)
      if said.displayName != own.displayName { report("/displayName") }
      if said.iconSystemName != own.iconSystemName { report("/iconSystemName") }
      if said.description != own.description { report("/description") }
      if said.others != own.others { report("/x") }
      if said == own, join.metaVersion != child.metaVersion { report("/metaVersion") }
      for key in Set(join.keys).subtracting(child.keys).sorted() { report("/keys", key.text) }
      for field in join.fields {
        guard let place = places[field.pair] else {
          report("/fields", "\(field.pair.id.text) \(field.pair.type.rawValue)")
          continue
        }
        if child.fields[place] != field { report("/fields/\(place)", field.pair.id.text) }
      }
    }
    return found
  }

  private var places: [FieldPair: Int] {
    Dictionary(
      child.fields.enumerated().map { ($0.element.pair, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Rule `schema-provenance`.
  private func provenance(_ pointer: String) -> [Finding] {
    child.fields.enumerated().compactMap { place, field in
      guard let before = inherited[field.pair],
        !before.contains(where: { $0.created == field.created })
      else { return nil }
      let isDeviceKept = before.contains { $0.created.by == field.created.by }
      return Finding(
        .schemaProvenance,
        at: .pointer("\(pointer)/fields/\(place)/\(isDeviceKept ? "createdAt" : "createdBy")"),
        detail: isDeviceKept ? field.created.at.text : field.created.by.text)
    }
  }

  /// Rule `schema-clock-range`.
  private func clockRange(_ pointer: String) -> [Finding] {
    var found: [Finding] = []
    if !child.version.timestamp.isInRange(after: parents.map(\.version.timestamp)) {
      found.append(
        Finding(
          .schemaClockRange, at: .pointer("\(pointer)/version/timestamp"),
          detail: child.version.timestamp.text))
    }
    for (place, field) in child.fields.enumerated() {
      let before = inherited[field.pair] ?? []
      guard !field.updated.at.isInRange(after: before.map(\.updated.at)) else { continue }
      found.append(
        Finding(
          .schemaClockRange, at: .pointer("\(pointer)/fields/\(place)/updatedAt"),
          detail: field.updated.at.text))
    }
    return found
  }

  // MARK: Warnings

  /// Rule `schema-stamp-author`: stamps that no parent has in their place are those of one device.
  func foreignStamps(_ device: UniqueID, at pointer: String) -> [Finding] {
    var found: [Finding] = []
    func report(_ place: String, _ other: UniqueID) {
      found.append(
        Finding(.schemaStampAuthor, at: .pointer(pointer + place), detail: other.text))
    }
    if child.version.deviceID != device, !parents.contains(where: { $0.version == child.version }) {
      report("/version/deviceId", child.version.deviceID)
    }
    for (place, field) in child.fields.enumerated() {
      let before = inherited[field.pair] ?? []
      if field.created.by != device, !before.contains(where: { $0.created == field.created }) {
        report("/fields/\(place)/createdBy", field.created.by)
      }
      if field.updated.by != device, !before.contains(where: { $0.updated == field.updated }) {
        report("/fields/\(place)/updatedBy", field.updated.by)
      }
    }
    return found
  }

  /// Rule `schema-clock-ahead`: stamps that no parent has in their place are no later than an instant.
  func stamps(after end: WallTime, at pointer: String) -> [Finding] {
    var found: [Finding] = []
    func check(_ time: WallTime, _ before: [WallTime], _ place: String) {
      guard time > end, !before.contains(time) else { return }
      found.append(
        Finding(.schemaClockAhead, at: .pointer(pointer + place), detail: time.text))
    }
    check(child.version.timestamp, parents.map(\.version.timestamp), "/version/timestamp")
    for (place, field) in child.fields.enumerated() {
      let before = inherited[field.pair] ?? []
      check(field.created.at, before.map(\.created.at), "/fields/\(place)/createdAt")
      check(field.updated.at, before.map(\.updated.at), "/fields/\(place)/updatedAt")
    }
    return found
  }
}

extension Schema {
  /// How far a stamp may be ahead of the receipt, a day.
  private static let toleranceMilliseconds: Int64 = 86_400_000

  /// Judges the schema by its parents.
  ///
  /// - Parameters:
  ///   - parents: in the order of the body; `nil` for an object that is no schema.
  ///   - milliseconds: when the schema was first received, since 1970; `nil` when that is unknown.
  /// - Returns: every broken rule, errors first; those about the logical time are errors whatever the profile says.
  package func findings(parents: [Schema?], received milliseconds: Int64?) -> [Finding] {
    precondition(parents.count == self.parents.count, "BUG: a parent too many or too few")
    var found: [Finding] = []
    var before: [SchemaDefinition] = []
    for (place, parent) in parents.enumerated() {
      if let parent, parent.definition.name == definition.name {
        before.append(parent.definition)
      } else {
        found.append(
          Finding(
            .schemaParent, at: .pointer("/parents/\(place)"),
            detail: parent.map { "a schema '\($0.definition.name.text)'" } ?? "no schema"))
      }
    }
    found += lamportFindings(parents.compactMap { $0?.lamport.value }.max() ?? 0)
    let succession = SchemaSuccession(definition, after: before)
    let pointer = "/definition"
    found += succession.errors(at: pointer)
    if change.source != .import { found += succession.foreignStamps(device, at: pointer) }
    if let milliseconds {
      let end = WallTime(milliseconds: milliseconds + Self.toleranceMilliseconds)
      found += succession.stamps(after: end, at: pointer)
    }
    return found
  }

  private func lamportFindings(_ greatest: UInt64) -> [Finding] {
    let rule: Rule? =
      if lamport.value <= greatest {
        .lamportNotIncreasing
      } else if lamport.value - greatest
        > Lamport.jumpLimit
      { .lamportJump } else { nil }
    guard let rule else { return [] }
    return [
      Finding(
        rule, at: .pointer("/timestamp/lamport"),
        detail: "\(lamport.value), the greatest of the parents is \(greatest)", isFatal: true)
    ]
  }
}
