// Whether records made with one definition fit another one (schemas, section 3), asked as `buf breaking` asks it of messages:
// backward, may old records be read and checked with the new definition; forward, new records with the old one.

/// The fields of two definitions side by side, as records name them.
struct SchemaPairing {
  /// Fields of one id and type.
  private(set) var both: [(old: SchemaField, new: SchemaField)] = []
  /// Fields of the old definition whose id has another type in the new one.
  private(set) var retyped: [(old: SchemaField, new: SchemaField)] = []
  /// Other fields of the old definition.
  private(set) var lost: [SchemaField] = []
  /// Fields of the new definition alone.
  private(set) var added: [SchemaField] = []

  /// The fields of two views, in the order in which they are shown.
  init(_ old: SchemaView, _ new: SchemaView) {
    var met: Set<UniqueID> = []
    for field in old.fields {
      let id = new.resolve(ByteText(field.pair.id.text), field.pair.type)
      guard let found = id.flatMap(new.field) else {
        lost.append(field)
        continue
      }
      guard found.pair.type == field.pair.type else {
        retyped.append((field, found))
        continue
      }
      met.insert(found.pair.id)
      both.append((field, found))
    }
    added = new.fields.filter { !met.contains($0.pair.id) }
  }
}

/// Compares definitions by the records that fit them.
package struct SchemaCompatibility {
  /// Which records are to fit.
  package enum Mode: String, CaseIterable, Sendable {
    /// Old records the new definition.
    case backward
    /// New records the old definition.
    case forward
    /// Both.
    case full
  }

  private let old: SchemaView
  private let new: SchemaView
  private let mode: Mode
  private var found: [SchemaProblem] = []

  /// Compares two definitions; their names do not matter.
  ///
  /// - Parameters:
  ///   - old: the definition before.
  ///   - new: the definition after.
  ///   - mode: which records are to fit.
  /// - Returns: what does not fit, whose rules are errors, and what is only told; field by field of the old definition, then of
  ///   the new one.
  package static func problems(
    old: SchemaDefinition, new: SchemaDefinition, mode: Mode = .backward
  ) -> [SchemaProblem] {
    var compared = SchemaCompatibility(old: SchemaView(old), new: SchemaView(new), mode: mode)
    compared.compare(old.metadata, new.metadata)
    compared.compareFields()
    return compared.found
  }

  private init(old: SchemaView, new: SchemaView, mode: Mode) {
    self.old = old
    self.new = new
    self.mode = mode
  }

  // MARK: Reporting

  private mutating func report(_ rule: Rule, _ field: SchemaField, _ text: String) {
    found.append(
      SchemaProblem(rule, field.pair.id, nil, "'\(field.displayName.text)' \(text)"))
  }

  private mutating func reportBackward(_ rule: Rule, _ field: SchemaField, _ text: String) {
    if mode != .forward { report(rule, field, text) }
  }

  private mutating func reportForward(_ rule: Rule, _ field: SchemaField, _ text: String) {
    if mode != .backward { report(rule, field, text) }
  }

  // MARK: Comparing

  private mutating func compare(
    _ old: SchemaDefinition.Metadata, _ new: SchemaDefinition.Metadata
  ) {
    if old.displayName != new.displayName {
      found.append(
        SchemaProblem(
          .compatRenamed, nil, nil,
          "the schema was named '\(old.displayName.text)' and is named '\(new.displayName.text)'"))
    }
    var renamed = old
    renamed.displayName = new.displayName
    if renamed != new {
      found.append(
        SchemaProblem(.compatText, nil, nil, "what is said of the schema is different"))
    }
  }

  private mutating func compareFields() {
    let fields = SchemaPairing(old, new)
    for field in fields.lost { report(.compatFieldLost, field, "is not there any more") }
    for (old, new) in fields.retyped {
      report(
        .compatType, old,
        "was of type \(old.pair.type.rawValue) and is of type \(new.pair.type.rawValue)")
    }
    for (old, new) in fields.both {
      compareDemand(old, new)
      compareRules(old, new)
      tell(old, new)
    }
    for field in fields.added {
      report(.compatAdded, field, "is new")
      if new.demands(field) { reportBackward(.compatRequired, field, "is new and required") }
    }
  }

  /// Whether a record must have a value.
  private mutating func compareDemand(_ before: SchemaField, _ after: SchemaField) {
    switch (old.demands(before), new.demands(after)) {
    case (false, true): reportBackward(.compatRequired, after, "is required")
    case (true, false) where new.isActive(after):
      reportForward(.compatOptional, after, "was required and is optional")
    case (true, false):
      reportForward(.compatRequiredHidden, after, "was required and is not active any more")
    case (true, true), (false, false): break
    }
  }

  private mutating func compareRules(_ old: SchemaField, _ new: SchemaField) {
    for kind in ValidationRule.Kind.allCases where kind.isChecked(old.pair.type) {
      guard let isLower = kind.isLower else {
        comparePatterns(old, new)
        continue
      }
      let (before, after) = (old.bound(kind, isLower), new.bound(kind, isLower))
      guard before?.number != after?.number else { continue }
      let text =
        "had \(kind.rawValue) \(before?.text ?? "none") and has \(after?.text ?? "none")"
      let isTighter =
        switch (before?.number, after?.number) {
        case (nil, _): true
        case (_, nil): false
        case (let before?, let after?): isLower ? after > before : after < before
        }
      if isTighter {
        reportBackward(.compatRuleTighter, new, text)
      } else {
        reportForward(.compatRuleLooser, new, text)
      }
    }
  }

  /// What a pattern matches cannot be compared: only more patterns are known to be tighter, fewer to be looser.
  private mutating func comparePatterns(_ old: SchemaField, _ new: SchemaField) {
    let (before, after) = (old.patterns, new.patterns)
    if before == after { return }
    if before.isSubset(of: after) {
      reportBackward(.compatRuleTighter, new, "has another pattern")
    } else if after.isSubset(of: before) {
      reportForward(.compatRuleLooser, new, "has a pattern less")
    } else {
      report(.compatPattern, new, "has a changed pattern")
    }
  }

  private mutating func tell(_ old: SchemaField, _ new: SchemaField) {
    if old.displayName != new.displayName {
      report(.compatRenamed, old, "is named '\(new.displayName.text)'")
    }
    let (before, after) = (self.old.shownAs(old), self.new.shownAs(new))
    if before != after {
      switch after {
      case .active: report(.compatRestored, new, "is active again")
      case .hidden: report(.compatHidden, new, "is hidden")
      case .deprecated: report(.compatDeprecated, new, "is deprecated")
      }
    }
    if old.texts != new.texts { report(.compatText, new, "has other texts or members") }
  }
}

extension SchemaView {
  /// Whether a record must have a value of a field.
  fileprivate func demands(_ field: SchemaField) -> Bool { field.isRequired && isActive(field) }

  /// Where a field is shown: one whose values are shown elsewhere counts as hidden.
  fileprivate func shownAs(_ field: SchemaField) -> FieldVisibility {
    field.visibility == .active && !isActive(field) ? .hidden : field.visibility
  }
}

extension SchemaField {
  /// The bound of a type of rules that counts, where several rules must be kept.
  fileprivate func bound(
    _ kind: ValidationRule.Kind, _ isLower: Bool
  ) -> (number: Double, text: String)? {
    let bounds = rules.lazy.filter { $0.kind == kind }.compactMap { rule in
      rule.number.map { (number: $0, text: String(decoding: rule.value, as: UTF8.self)) }
    }
    return isLower
      ? bounds.max { $0.number < $1.number } : bounds.min { $0.number < $1.number }
  }

  fileprivate var patterns: Set<[UInt8]> {
    Set(rules.filter { $0.kind == .pattern }.map(\.value))
  }

  /// The members that no record depends on.
  fileprivate var texts: SchemaField {
    var field = self
    field.pair = FieldPair(.zero, pair.type)
    field.displayName = ByteText("")
    field.isRequired = false
    field.rules = rules.filter { !$0.kind.isChecked(pair.type) }
    field.visibility = .active
    field.created = .none
    field.updated = .none
    field.mergedInto = nil
    return field
  }
}

extension ValidationRule {
  /// The bound as a number: that of a date is its milliseconds; `nil` for a pattern.
  fileprivate var number: Double? {
    switch kind {
    case .minLength, .maxLength, .minValue, .maxValue:
      Double(String(decoding: value, as: UTF8.self))
    case .minDate, .maxDate:
      WallTime.parse(value.span.extracting(1..<max(1, value.count - 1)))
        .map { Double($0.time.milliseconds) }
    case .pattern: nil
    }
  }
}

extension ValidationRule.Kind {
  /// Whether it bounds from below; `nil` for what is no bound.
  fileprivate var isLower: Bool? {
    switch self {
    case .minLength, .minValue, .minDate: true
    case .maxLength, .maxValue, .maxDate: false
    case .pattern: nil
    }
  }

  /// Whether it is checked for values of a type; others have no effect.
  func isChecked(_ type: FieldType) -> Bool {
    switch self {
    case .minLength, .maxLength, .pattern: type == .string
    case .minValue, .maxValue: type == .int || type == .double
    case .minDate, .maxDate: type == .date
    }
  }
}
