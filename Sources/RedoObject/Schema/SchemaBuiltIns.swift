// The schemas that the public app brings along, and the ids that it gave their fields once it had ids (schemas, section 2).

/// The built-in schemas of the app.
enum SchemaBuiltIns {
  /// The schemas in the order of the app, and the keys of each in their order.
  private static let all: [(id: StaticString, keys: [StaticString])] = [
    (
      "vaccine",
      [
        "vaccineName", "dateAdministered", "provider", "batchNumber", "doseNumber",
        "expirationDate",
        "notes", "attachmentIds",
      ]
    ),
    (
      "condition",
      [
        "conditionName", "diagnosedDate", "status", "severity", "treatedBy", "notes",
        "attachmentIds",
      ]
    ),
    (
      "medication",
      [
        "medicationName", "dosage", "frequency", "startDate", "endDate", "prescribedBy", "pharmacy",
        "refillsRemaining", "notes", "attachmentIds",
      ]
    ),
    (
      "allergy",
      ["allergen", "severity", "reaction", "diagnosedDate", "notes", "attachmentIds"]
    ),
    ("note", ["title", "content", "attachmentIds"]),
  ]

  /// The fields of a built-in schema: the key of each, and the id that the app gave it; none for another schema.
  static func fields(of schema: ByteText) -> [(key: ByteText, id: UniqueID)] {
    guard let place = all.firstIndex(where: { schema.utf8.span.elementsEqual($0.id) }) else {
      return []
    }
    return all[place].keys.enumerated().map { number, key in
      (ByteText("\(key)"), fixedID(place + 1, number + 1))
    }
  }

  /// `00000001-SSSS-FFFF-0000-000000000000`.
  private static func fixedID(_ schema: Int, _ field: Int) -> UniqueID {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    bytes[3] = 1
    bytes[4] = UInt8(schema >> 8)
    bytes[5] = UInt8(schema & 0xFF)
    bytes[6] = UInt8(field >> 8)
    bytes[7] = UInt8(field & 0xFF)
    return UniqueID(bytes: bytes)
  }
}
