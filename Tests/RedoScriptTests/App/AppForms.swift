// The forms of the public app: definitions of fields as it has them today and as its older versions
// wrote them, records with keys of each kind, and backups. Only Foundation's coders write and read
// them; nothing of redo is used, so that both sides are not wrong together.

import Foundation

/// What the public app writes and reads.
enum App {
  /// How its coders write times.
  enum Dates: CaseIterable, Sendable {
    /// As Foundation does unless told otherwise: seconds since 2001.
    case seconds
    /// ISO 8601, which has no fractions.
    case texts
  }

  /// What Foundation writes.
  static func data(_ value: some Encodable, _ dates: Dates) throws -> Data {
    let encoder = JSONEncoder()
    if dates == .texts { encoder.dateEncodingStrategy = .iso8601 }
    return try encoder.encode(value)
  }

  /// Every member of a value, times to the second: equal for values that the app takes for equal.
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Lines of JSON as the app reads it.
  static func read<Form: Decodable>(_ form: Form.Type, lines: Data) throws -> [Form] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try lines.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(form, from: $0) }
  }
}

// MARK: Definitions

extension App {
  enum FieldType: String, Codable, CaseIterable, Sendable {
    case string, int, double, bool, date, attachmentIds, stringArray
  }

  enum Capitalization: String, Codable, CaseIterable, Sendable {
    case none, words, sentences, allCharacters
  }

  enum Visibility: String, Codable, CaseIterable, Sendable { case active, hidden, deprecated }

  /// The members of what says its type itself.
  fileprivate enum TypedKey: String, CodingKey { case type, value }

  /// What values of a field must keep.
  enum Rule: Codable, Sendable {
    case minLength(Int)
    case maxLength(Int)
    case minValue(Double)
    case maxValue(Double)
    case minDate(Date)
    case maxDate(Date)
    case pattern(String)

    init(from decoder: any Decoder) throws {
      let rule = try decoder.container(keyedBy: TypedKey.self)
      switch try rule.decode(String.self, forKey: .type) {
      case "minLength": self = .minLength(try rule.decode(Int.self, forKey: .value))
      case "maxLength": self = .maxLength(try rule.decode(Int.self, forKey: .value))
      case "minValue": self = .minValue(try rule.decode(Double.self, forKey: .value))
      case "maxValue": self = .maxValue(try rule.decode(Double.self, forKey: .value))
      case "minDate": self = .minDate(try rule.decode(Date.self, forKey: .value))
      case "maxDate": self = .maxDate(try rule.decode(Date.self, forKey: .value))
      case "pattern": self = .pattern(try rule.decode(String.self, forKey: .value))
      case let type:
        throw DecodingError.dataCorruptedError(
          forKey: .type, in: rule, debugDescription: "no rule is called '\(type)'")
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .minLength(let value): try encoder.encode("minLength", value)
      case .maxLength(let value): try encoder.encode("maxLength", value)
      case .minValue(let value): try encoder.encode("minValue", value)
      case .maxValue(let value): try encoder.encode("maxValue", value)
      case .minDate(let value): try encoder.encode("minDate", value)
      case .maxDate(let value): try encoder.encode("maxDate", value)
      case .pattern(let value): try encoder.encode("pattern", value)
      }
    }
  }

  /// A field as the app has it today; what has no question mark it does not read without.
  struct Field: Codable, Sendable {
    let id: UUID
    let fieldType: FieldType
    var displayName: String
    var isRequired = false
    var displayOrder = 0
    var placeholder: String?
    var helpText: String?
    var validationRules: [Rule] = []
    var isMultiline = false
    var capitalizationMode = Capitalization.sentences
    var visibility = Visibility.active
    var createdBy: UUID = .nobody
    var createdAt: Date = .distantPast
    var updatedBy: UUID = .nobody
    var updatedAt: Date = .distantPast
  }

  /// A field as it was when its id was a text; hints for keyboards came later.
  struct OldField: Encodable {
    let id: String
    let displayName: String
    let fieldType: FieldType
    let isRequired: Bool
    let displayOrder: Int
    let placeholder: String?
    let helpText: String?
    let validationRules: [Rule]
    let isMultiline: Bool?
    let capitalizationMode: Capitalization?

    init(_ field: Field, id: String, hasHints: Bool) {
      self.id = id
      displayName = field.displayName
      fieldType = field.fieldType
      isRequired = field.isRequired
      displayOrder = field.displayOrder
      placeholder = field.placeholder
      helpText = field.helpText
      validationRules = field.validationRules
      isMultiline = hasHints ? field.isMultiline : nil
      capitalizationMode = hasHints ? field.capitalizationMode : nil
    }
  }

  /// A definition; its version is a number to this day.
  struct Schema<Field> {
    let id: String
    var displayName: String
    var iconSystemName = "doc.text"
    var fields: [Field]
    var isBuiltIn = false
    var description: String?
    var version = 1
  }

  /// A person's copy of one.
  struct SchemaBackup: Codable, Sendable {
    let personId: UUID
    var schema: Schema<Field>
  }
}

extension App.Schema: Sendable where Field: Sendable {}
extension App.Schema: Encodable where Field: Encodable {}
extension App.Schema: Decodable where Field: Decodable {}

extension UUID {
  /// Stands for the app itself, or for a device that nobody knows.
  fileprivate static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension Encoder {
  fileprivate func encode(_ type: String, _ value: some Encodable) throws {
    var typed = container(keyedBy: App.TypedKey.self)
    try typed.encode(type, forKey: .type)
    try typed.encode(value, forKey: .value)
  }
}

// MARK: Records

extension App {
  /// A value of a record, with its type.
  enum Value: Codable, Sendable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    /// A date as the app stores it: a time.
    case date(Date)
    /// A date as it stands in backups: a day.
    case day(String)
    case attachmentIds([UUID])
    case stringArray([String])

    /// Reads what stands in backups.
    init(from decoder: any Decoder) throws {
      let value = try decoder.container(keyedBy: TypedKey.self)
      switch try value.decode(FieldType.self, forKey: .type) {
      case .string: self = .string(try value.decode(String.self, forKey: .value))
      case .int: self = .int(try value.decode(Int.self, forKey: .value))
      case .double: self = .double(try value.decode(Double.self, forKey: .value))
      case .bool: self = .bool(try value.decode(Bool.self, forKey: .value))
      case .attachmentIds: self = .attachmentIds(try value.decode([UUID].self, forKey: .value))
      case .stringArray: self = .stringArray(try value.decode([String].self, forKey: .value))
      case .date:
        let day = try value.decode(String.self, forKey: .value)
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate]
        guard formatter.date(from: day) != nil else {
          throw DecodingError.dataCorruptedError(
            forKey: .value, in: value, debugDescription: "'\(day)' is no day")
        }
        self = .day(day)
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .string(let value): try encoder.encode("string", value)
      case .int(let value): try encoder.encode("int", value)
      case .double(let value): try encoder.encode("double", value)
      case .bool(let value): try encoder.encode("bool", value)
      case .date(let value): try encoder.encode("date", value)
      case .day(let value): try encoder.encode("date", value)
      case .attachmentIds(let value): try encoder.encode("attachmentIds", value)
      case .stringArray(let value): try encoder.encode("stringArray", value)
      }
    }
  }

  /// What a record says.
  ///
  /// Foundation writes a dictionary by UUIDs as a flat array of keys and values, one by texts as an
  /// object.
  struct RecordContent<Key: Hashable & Codable>: Encodable {
    let schemaId: String?
    var fields: [Key: Value]
  }

  /// A record in a backup.
  struct RecordBackup<Key: Hashable & Codable & Sendable>: Codable, Sendable {
    let id: UUID
    let personId: UUID
    let schemaId: String?
    var fields: [Key: Value]
    let createdAt: Date
    var updatedAt: Date
    var version = 1
  }

  /// A backup: the whole of what somebody has, plain or encrypted.
  struct Backup: Encodable {
    struct Payload: Encodable, Sendable {
      let exportedAt = Date(timeIntervalSinceReferenceDate: 790_000_000)
      let appVersion = "1.0.0"
      let persons: [[String: String]] = []
      var records: [RecordBackup<String>]
      let attachments: [[String: String]] = []
      var schemas: [SchemaBackup]
    }

    let formatName = "RecordWell Backup"
    let formatVersion = "1.0"
    let generator = "a test"
    var encrypted = false
    let checksum = ["algorithm": "SHA-256", "value": ""]
    var encryption: [String: String]?
    var ciphertext: String?
    var data: Payload?
  }
}
