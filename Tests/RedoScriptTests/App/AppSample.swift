// What somebody's app may have: built-in definitions at each age of the app, one of their own, and
// a record with keys of each kind; and what redo should say of it.

import Foundation

/// The ages of the app's definitions.
enum AppAge: CaseIterable, Sendable {
  /// Ids were texts.
  case texts
  /// Hints for keyboards came.
  case hints
  /// Ids became UUIDs, and fields got stamps.
  case uuids
}

/// How the keys of a record stand in a file.
enum AppKeys: CaseIterable, Sendable {
  /// The texts that the ids of fields once were, in an object.
  case texts
  /// UUIDs, in an object.
  case uuids
  /// UUIDs as Foundation writes them: in an array, between the values.
  case flat
}

/// Definitions and records as somebody's app may have them.
enum AppSample {
  static let tablet = id(0xA1)
  static let person = id(0xC1)
  static let attachment = id(0xD1)
  /// Times with fractions, which only one of the two ways to write times keeps.
  static let early = Date(timeIntervalSinceReferenceDate: -978_307_201.25)
  static let late = Date(timeIntervalSinceReferenceDate: 790_000_000.5)

  /// The built-in schemas, and the texts that were the ids of their fields, in the app's order.
  static let builtIn: KeyValuePairs<String, [String]> = [
    "vaccine": [
      "vaccineName", "dateAdministered", "provider", "batchNumber", "doseNumber", "expirationDate",
      "notes", "attachmentIds",
    ],
    "condition": [
      "conditionName", "diagnosedDate", "status", "severity", "treatedBy", "notes",
      "attachmentIds",
    ],
    "medication": [
      "medicationName", "dosage", "frequency", "startDate", "endDate", "prescribedBy", "pharmacy",
      "refillsRemaining", "notes", "attachmentIds",
    ],
    "allergy": [
      "allergen", "severity", "reaction", "diagnosedDate", "notes", "attachmentIds",
    ],
    "note": ["title", "content", "attachmentIds"],
  ]

  /// Some UUID.
  static func id(_ byte: UInt8) -> UUID {
    UUID(uuid: (byte, 0xBB, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, byte))
  }

  /// The id that the app has for a field of a built-in schema; both places count from 1.
  static func fixedID(_ schema: Int, _ field: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 1, 0, UInt8(schema), 0, UInt8(field), 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// The built-in schemas as the app has them today, if their last change was at some age.
  static func builtInSchemas(_ age: AppAge) -> [App.Schema<App.Field>] {
    builtIn.enumerated().map { schema, entry in
      let fields = entry.value.enumerated().map { place, key in
        var field = App.Field(
          id: fixedID(schema + 1, place + 1), fieldType: type(of: key), displayName: "A \(key)")
        field.isRequired = place == 0
        field.displayOrder = place * 2 - 3
        field.validationRules = rules(of: field.fieldType)
        field.helpText = key == "notes" ? "What else / \u{E9}\u{1F680}\u{2028}\"" : nil
        guard age != .texts else { return field }
        field.isMultiline = key == "notes"
        field.capitalizationMode = App.Capitalization.allCases[place % 4]
        guard age == .uuids, place % 2 == 1 else { return field }
        field.displayName = "The \(key)"
        field.visibility = App.Visibility.allCases[place % 3]
        (field.updatedBy, field.updatedAt) = (tablet, late)
        return field
      }
      let version = age == .texts ? 1 : age == .hints ? 2 : 3
      return App.Schema(
        id: entry.key, displayName: "My \(entry.key) \(version)", iconSystemName: "syringe",
        fields: fields, isBuiltIn: true, description: "About \(entry.key)", version: version)
    }
  }

  /// The built-in schemas in a file of an age.
  static func builtInFile(_ age: AppAge) -> any Encodable {
    let schemas = builtInSchemas(age)
    guard age != .uuids else { return schemas }
    return zip(schemas, builtIn).map { schema, entry in
      App.Schema(
        id: schema.id, displayName: schema.displayName, iconSystemName: schema.iconSystemName,
        fields: zip(schema.fields, entry.value).map { field, key in
          App.OldField(field, id: key, hasHints: age == .hints)
        },
        isBuiltIn: true, description: schema.description, version: schema.version)
    }
  }

  /// A schema that somebody made: a field of each type, with all that can be said of one.
  static let own: App.Schema<App.Field> = {
    let fields = App.FieldType.allCases.enumerated().map { place, type in
      var field = App.Field(
        id: id(UInt8(place) + 1), fieldType: type, displayName: "\(type) \u{E9}")
      field.displayOrder = place
      field.placeholder = place == 1 ? "" : nil
      field.helpText = place == 2 ? "first line\nsecond line" : nil
      field.validationRules = rules(of: type)
      field.isMultiline = place == 0
      field.capitalizationMode = App.Capitalization.allCases[place % 4]
      (field.createdBy, field.createdAt) = (tablet, early)
      (field.updatedBy, field.updatedAt) = (id(0xA2), late)
      return field
    }
    return App.Schema(id: "our visits", displayName: "Visits", fields: fields, version: 12)
  }()

  private static func type(of key: String) -> App.FieldType {
    switch key {
    case "doseNumber", "refillsRemaining": .int
    case "attachmentIds": .attachmentIds
    default: key.lowercased().contains("date") && key != "dosage" ? .date : .string
    }
  }

  private static func rules(of type: App.FieldType) -> [App.Rule] {
    switch type {
    case .string: [.minLength(0), .maxLength(200), .pattern(#"^[^/\\]*"?/?"#)]
    case .int: [.minValue(-5), .maxValue(1_000_000)]
    case .double: [.minValue(-0.125), .maxValue(1e21)]
    case .date: [.minDate(.distantPast), .maxDate(late)]
    case .bool, .attachmentIds, .stringArray: []
    }
  }

  // MARK: Records

  /// The schema of the record below: the app's vaccines, and three fields that somebody added.
  static let extended: App.Schema<App.Field> = {
    var schema = builtInSchemas(.hints)[0]
    schema.fields += own.fields.filter { [.double, .bool, .stringArray].contains($0.fieldType) }
    return schema
  }()

  /// A time that both ways to write one keep.
  static let noon = Date(timeIntervalSinceReferenceDate: 757_425_600)

  /// Values by the texts and UUIDs that are their keys.
  static let values: [(text: String, id: UUID, value: App.Value)] = [
    ("vaccineName", fixedID(1, 1), .string("MMR \"II\" / \u{E9}\u{1F680}")),
    ("dateAdministered", fixedID(1, 2), .date(noon)),
    ("doseNumber", fixedID(1, 5), .int(2)),
    ("attachmentIds", fixedID(1, 8), .attachmentIds([attachment])),
    (id(3).uuidString.lowercased(), id(3), .double(1)),
    (id(4).uuidString.lowercased(), id(4), .bool(true)),
    (id(7).uuidString.lowercased(), id(7), .stringArray(["a", "", "b"])),
  ]

  /// The record as a backup of the app has it.
  static let record = App.RecordBackup<String>(
    id: id(0xE1), personId: person, schemaId: "vaccine",
    fields: Dictionary(
      uniqueKeysWithValues: values.map { entry in
        if case .date = entry.value { return (entry.id.uuidString, .day("2025-01-01")) }
        return (entry.id.uuidString, entry.value)
      }), createdAt: early, updatedAt: late)

  /// The record in a file with keys of a kind, where dates are times.
  static func recordFile(_ keys: AppKeys) -> any Encodable {
    func file<Key>(_ key: (String, UUID) -> Key) -> [App.RecordBackup<Key>] {
      let fields = values.map { (key($0.text, $0.id), $0.value) }
      return [
        App.RecordBackup(
          id: record.id, personId: record.personId, schemaId: record.schemaId,
          fields: Dictionary(uniqueKeysWithValues: fields), createdAt: early, updatedAt: late)
      ]
    }
    return switch keys {
    case .texts: file { text, _ in text }
    case .uuids: file { _, id in id.uuidString }
    case .flat: file { _, id in id }
    }
  }

  /// What `redo state --records` says of the record.
  static let shown = [
    "A vaccineName": #""MMR \"II\" / é🚀""#,
    "A dateAdministered": #""2025-01-01T12:00:00.000Z""#,
    "A doseNumber": "2",
    "A attachmentIds": "[\"\(attachment.uuidString.lowercased())\"]",
    "double é": "1",
    "bool é": "true",
    "stringArray é": #"["a","","b"]"#,
  ]
}
