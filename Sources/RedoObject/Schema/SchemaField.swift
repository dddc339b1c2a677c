// One field of a definition (schemas, section 1.1): a whole that wins or loses as a whole.

package import CanonicalJSON
internal import RedoCrypto

/// What tells fields of a definition apart: two of one id and different types are two fields.
package struct FieldPair: Hashable, Sendable {
  /// The id.
  package let id: UniqueID
  /// The type.
  package let type: FieldType

  /// A pair of its parts.
  package init(_ id: UniqueID, _ type: FieldType) {
    self.id = id
    self.type = type
  }
}

/// Who did something, and when.
package struct FieldStamp: Hashable, Sendable {
  /// The device.
  package var by: UniqueID
  /// When, by its clock.
  package var at: WallTime

  /// A stamp of its parts.
  package init(by device: UniqueID, at time: WallTime) {
    by = device
    at = time
  }

  /// Nobody, never: of what is built in, or comes from where nobody noted it.
  package static let none = FieldStamp(by: .zero, at: .earliest)
}

/// A field.
package struct SchemaField: Hashable, Sendable {
  /// What tells it apart.
  package var pair: FieldPair
  /// For people.
  package var displayName: ByteText
  /// Whether a record must have a value.
  package var isRequired = false
  /// Where it stands among others: the least first.
  package var displayOrder: Int64 = 0
  /// Stands in an empty form.
  package var placeholder: ByteText?
  /// Explains it.
  package var helpText: ByteText?
  /// What values must keep.
  package var rules: [ValidationRule] = []
  /// Whether a text may have several lines.
  package var isMultiline = false
  /// What the keyboard writes large.
  package var capitalization = Capitalization.sentences
  /// Where it is shown.
  package var visibility = FieldVisibility.active
  /// Who added it.
  package var created = FieldStamp.none
  /// Who changed it last.
  package var updated = FieldStamp.none
  /// The field where its values are shown.
  package var mergedInto: UniqueID?
  /// Members that nobody here knows: an object in its RFC 8785 form.
  package var others: [UInt8]?

  /// A field with the defaults of import.
  package init(_ pair: FieldPair, displayName: ByteText) {
    self.pair = pair
    self.displayName = displayName
  }

  /// Appends its RFC 8785 form.
  package func append(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        json.add("capitalizationMode", capitalization.rawValue)
        json.name("createdAt")
        json.value(escaped: { created.at.append(to: &$0) })
        json.name("createdBy")
        json.value(escaped: { created.by.append(to: &$0) })
        json.add("displayName", displayName)
        json.add("displayOrder", displayOrder)
        json.add("fieldType", pair.type.rawValue)
        if let helpText { json.add("helpText", helpText) }
        json.name("id")
        json.value(escaped: { pair.id.append(to: &$0) })
        json.add("isMultiline", isMultiline)
        json.add("isRequired", isRequired)
        if let mergedInto { json.add("mergedInto", mergedInto.text) }
        if let placeholder { json.add("placeholder", placeholder) }
        json.name("updatedAt")
        json.value(escaped: { updated.at.append(to: &$0) })
        json.name("updatedBy")
        json.value(escaped: { updated.by.append(to: &$0) })
        json.addArray("validationRules") { json in
          for rule in rules {
            var bytes: [UInt8] = []
            rule.append(to: &bytes)
            json.value(json: bytes)
          }
        }
        json.add("visibility", visibility.rawValue)
        if let others { json.add("x", json: others) }
      }
    }
  }

  /// The SHA-256 of its RFC 8785 form, which decides where stamps do not.
  private var digest: Digest {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return SHA256.digest(of: bytes.span)
  }

  /// Whether this one counts, of two of the same pair: the one that was changed later; then that of the larger device;
  /// then that of the larger hash.
  func outranks(_ other: SchemaField) -> Bool {
    if updated.at != other.updated.at { return updated.at > other.updated.at }
    if updated.by != other.updated.by { return updated.by > other.updated.by }
    return self != other && digest.isLarger(than: other.digest)
  }

  /// Whether it says the same as another one, whoever said it when.
  func isSaid(as other: SchemaField) -> Bool {
    var field = other
    field.created = created
    field.updated = updated
    return field == self
  }

  /// The same with a new stamp, as an edit leaves it: later than its last one, whatever the clock says.
  func stamped(by device: UniqueID, now: WallTime) -> SchemaField {
    var field = self
    field.updated = FieldStamp(
      by: device, at: max(min(now, SchemaVersion.clockEnd), updated.at.next))
    return field
  }

  /// Whether it stands before another.
  static func isBefore(_ one: SchemaField, _ other: SchemaField) -> Bool {
    if one.displayOrder != other.displayOrder { return one.displayOrder < other.displayOrder }
    if one.pair.id != other.pair.id { return one.pair.id < other.pair.id }
    return one.pair.type < other.pair.type
  }
}

extension ByteText: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(utf8: utf8.span) }
}

extension Digest {
  /// Whether it is larger than another, compared by bytes.
  func isLarger(than other: Digest) -> Bool {
    for index in 0..<32 where bytes[index] != other.bytes[index] {
      return bytes[index] > other.bytes[index]
    }
    return false
  }
}
