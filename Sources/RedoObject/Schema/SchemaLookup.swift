// The field that somebody means who types a text (schemas, section 3): what records know it by, else its name, else the first
// digits of its id.

internal import RedoCrypto

/// What a text names among fields or devices.
package enum SchemaLookup: Equatable, Sendable {
  /// One of them.
  case found(UniqueID)
  /// Several, by their ids.
  case ambiguous([UniqueID])
  /// None.
  case none

  /// The fewest digits of an id that name it.
  private static let digitLimit = 4

  /// What some candidates come to.
  package init(_ candidates: [UniqueID]) {
    switch candidates.count {
    case 0: self = .none
    case 1: self = .found(candidates[0])
    default: self = .ambiguous(candidates)
    }
  }

  /// The ids that begin with the digits of a text.
  ///
  /// - Parameters:
  ///   - digits: four hexadecimal digits at least, of either case, among which hyphens may stand.
  ///   - ids: the ids to search.
  package init(digits: ByteText, among ids: some Sequence<UniqueID>) {
    let typed = Self.values(digits.utf8)
    guard typed.count >= Self.digitLimit, typed.allSatisfy({ $0 < 16 }) else {
      self = .none
      return
    }
    self.init(ids.filter { Self.values($0.text.utf8).starts(with: typed) })
  }

  /// The values of digits of either case, 16 and more for what is none; hyphens do not count.
  private static func values(_ text: some Sequence<UInt8>) -> [UInt8] {
    // Bit 6 is set in letters, bit 5 in those of lower case.
    text.filter { $0 != UInt8(ascii: "-") }.map { Hex.value($0 | ($0 & 0x40) >> 1) }
  }
}

extension SchemaView {
  /// The field that a text means.
  ///
  /// - Parameter text: a key of records, else the name of an active field, else the first digits of an id, else the name of a field
  ///   that is not active, which is how one is restored.
  /// - Returns: the id with which the field is shown.
  package func lookUp(_ text: ByteText) -> SchemaLookup {
    if let id = resolve(text, nil) { return .found(id) }
    let named = fields.lazy.filter { $0.displayName == text && isActive($0) }.map(\.pair.id)
    for found in [
      SchemaLookup(Array(named)), SchemaLookup(digits: text, among: fields.map(\.pair.id)),
    ]
    where found != .none { return found }
    return SchemaLookup(fields.filter { $0.displayName == text }.map(\.pair.id))
  }

  /// Whether a field that is shown is active: one whose values are shown elsewhere counts as hidden.
  package func isActive(_ field: SchemaField) -> Bool {
    field.visibility == .active && home(of: field.pair.id) == field.pair.id
  }

  /// The field into which a field is merged, of the same type; `nil` for one that is not merged, or into nothing that is here.
  package func target(of field: SchemaField) -> UniqueID? {
    guard let named = field.mergedInto,
      let id = resolve(ByteText(named.text), field.pair.type),
      self.field(id)?.pair.type == field.pair.type
    else { return nil }
    return id
  }
}
