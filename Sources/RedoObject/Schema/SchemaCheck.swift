// What should be settled in a schema by another edit (schemas, section 3), as rows that a command prints.

/// Something to be settled, or a difference that counts.
package struct SchemaProblem: Equatable, Sendable {
  /// The rule.
  package let rule: Rule
  /// The field, as it is shown; `nil` for the schema as a whole.
  package let field: UniqueID?
  /// The other field of a pair.
  package let other: UniqueID?
  /// What is wrong, for people; texts of the schema unescaped.
  package let text: String
  /// What to do about it.
  package let hint: String?

  /// A problem of its parts.
  package init(
    _ rule: Rule, _ field: UniqueID?, _ other: UniqueID?, _ text: String, hint: String? = nil
  ) {
    self.rule = rule
    self.field = field
    self.other = other
    self.text = text
    self.hint = hint
  }

  /// The columns of its row: rule, schema, field, other field, text; `-` for what there is none of.
  package func columns(of schema: SchemaDefinition.Name) -> [String] {
    [rule.id, schema.text, field?.text ?? "-", other?.text ?? "-", text]
  }
}

/// Looks for what should be settled.
package struct SchemaCheck {
  /// Of more fields of one name each is paired with the first only, so that a schema cannot make rows without end.
  package static let pairLimit = 100

  private let view: SchemaView
  private let heads: [SchemaDefinition]
  private let deviceName: (UniqueID) -> String

  /// A check of a schema.
  ///
  /// - Parameters:
  ///   - heads: the definitions of its heads, one at least, all of one name.
  ///   - deviceName: the name of a device.
  package init(_ heads: [SchemaDefinition], deviceName: @escaping (UniqueID) -> String) {
    guard let join = SchemaDefinition.join(heads) else {
      preconditionFailure("BUG: no heads, or heads of different schemas")
    }
    self.heads = heads
    self.deviceName = deviceName
    view = SchemaView(join)
  }

  /// What is found.
  ///
  /// - Parameters:
  ///   - counts: how many records have a value of a field, by the id with which it is shown.
  ///   - base: what two heads have in common, as in `SchemaDivergence.find`.
  /// - Returns: rule by rule, in the order in which fields are shown.
  package func problems(
    counts: [UniqueID: Int] = [:], base: (Int, Int) -> SchemaDefinition? = { _, _ in nil }
  ) -> [SchemaProblem] {
    collisions() + twins() + divergences(base) + circles() + deprecated(counts)
  }

  private func field(_ id: UniqueID) -> SchemaField {
    guard let field = view.field(id) else { preconditionFailure("BUG: a field that is not shown") }
    return field
  }

  private func name(_ id: UniqueID) -> String { "'\(field(id).displayName.text)'" }

  // MARK: Names

  private func collisions() -> [SchemaProblem] {
    view.collisions.flatMap { name, ids in
      var pairs: [(UniqueID, UniqueID)] = []
      for (place, one) in ids.enumerated() where place == 0 || ids.count <= Self.pairLimit {
        for other in ids[(place + 1)...] { pairs.append((one, other)) }
      }
      return pairs.map { one, other in
        SchemaProblem(
          .schemaNameCollision, one, other,
          "two fields named '\(name.text)' (\(origins(field(one), field(other))))",
          hint: "'rename' one of them, or 'merge-fields'")
      }
    }
  }

  /// Where two fields come from.
  private func origins(_ one: SchemaField, _ other: SchemaField) -> String {
    let (first, second) = (origin(one), origin(other))
    if first == second { return "both \(first)" }
    guard one.created.by != .zero, other.created.by != .zero else {
      return "\(first) and \(second)"
    }
    return "from \(deviceName(one.created.by)) and \(deviceName(other.created.by))"
  }

  private func origin(_ field: SchemaField) -> String {
    if field.created.by != .zero { return "from \(deviceName(field.created.by))" }
    return field.created.at == .earliest ? "built in" : "from an unknown device"
  }

  // MARK: Twins

  private func twins() -> [SchemaProblem] {
    view.fields.flatMap { field in
      let line = view.twins(of: field.pair.id)
      guard line.count > 1, line[0].pair == field.pair else { return [SchemaProblem]() }
      return line.dropFirst().map { twin in
        SchemaProblem(
          .schemaTwins, field.pair.id, twin.pair.id,
          "\(name(field.pair.id)) (\(field.pair.type.rawValue)) and \(name(twin.pair.id)) "
            + "(\(twin.pair.type.rawValue)) have one id")
      }
    }
  }

  // MARK: Heads

  private func divergences(
    _ base: (Int, Int) -> SchemaDefinition?
  ) -> [SchemaProblem] {
    let found = SchemaDivergence.find(heads, base)
    guard !found.isEmpty else { return [] }
    var shown: [FieldPair: UniqueID] = [:]
    for field in view.fields {
      if let pair = view.pair(of: field.pair.id) { shown[pair] = field.pair.id }
    }
    func devices(_ stamps: [FieldStamp]) -> String {
      var names: [String] = []
      for name in stamps.map({ device($0.by) }) where !names.contains(name) { names.append(name) }
      return names.joined(separator: ", ")
    }
    func rows(
      _ concern: SchemaDivergence.Concern, _ rule: Rule, _ text: (SchemaDivergence) -> String
    ) -> [SchemaProblem] {
      found.filter { $0.concern == concern }.map {
        SchemaProblem(rule, shown[$0.pair] ?? $0.pair.id, nil, text($0))
      }
    }
    return rows(.content, .schemaFieldDiverged) {
      "of the edits of '\($0.name.text)' that of \(device($0.winner.by)) counts, "
        + "not that of \(devices($0.losers))"
    }
      + rows(.provenance, .schemaProvenanceDiverged) {
        "'\($0.name.text)' was created by \(device($0.winner.by)) and by \(devices($0.losers))"
      }
  }

  private func device(_ id: UniqueID) -> String {
    id == .zero ? "an unknown device" : deviceName(id)
  }

  // MARK: Merged fields

  private func circles() -> [SchemaProblem] {
    var seen: Set<UniqueID> = []
    var found: [SchemaProblem] = []
    for one in view.fields {
      var line: [UniqueID] = []
      var next: UniqueID? = one.pair.id
      while let id = next, seen.insert(id).inserted {
        line.append(id)
        next = view.field(id).flatMap { view.target(of: $0) }
      }
      // A line that ends in an older one has been followed already.
      guard let end = next, let start = line.firstIndex(of: end) else { continue }
      let circle = line[start...]
      let names = circle.map(name).joined(separator: ", ")
      // Where their values are shown comes first.
      let home = view.home(of: end)
      let target = view.target(of: field(home))
      found.append(
        SchemaProblem(
          .schemaMergedCircle, home, target == home ? nil : target,
          circle.count == 1
            ? "\(names) is merged into itself" : "\(names) are merged into each other"))
    }
    return found
  }

  private func deprecated(_ counts: [UniqueID: Int]) -> [SchemaProblem] {
    view.fields.filter { $0.visibility == .deprecated }.compactMap { field in
      guard let count = counts[field.pair.id], count > 0 else { return nil }
      let said = count == 1 ? "1 record has a value" : "\(count) records have values"
      return SchemaProblem(
        .schemaDeprecatedData, field.pair.id, nil,
        "\(said) of the deprecated field \(name(field.pair.id))")
    }
  }
}
