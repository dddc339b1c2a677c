// What the tests of schemas share: two devices, a clock, definitions by their parts, and signed objects around them.

import RedoObject
import TestSupport
import Testing

/// A text that is a UUID.
func uuid(_ text: String) -> UniqueID {
  guard let id = UniqueID(Array(text.utf8).span) else { preconditionFailure("no UUID: \(text)") }
  return id
}

/// The UUID that a word stands for.
func hashed(_ word: String) -> UniqueID { UniqueID(hashing: Array(word.utf8)) }

let iPad = uuid("aaaaaaaa-0000-4000-8000-000000000001")
let iPhone = uuid("bbbbbbbb-0000-4000-8000-000000000002")

/// A time, in seconds after 2026-01-02T10:00:00.000Z.
func second(_ seconds: Int64) -> WallTime {
  WallTime(milliseconds: 1_767_348_000_000 + seconds * 1000)
}

/// A field that the iPad made at second 0 and somebody changed last.
func field(
  _ word: String, _ type: FieldType = .string, name: String? = nil, order: Int64 = 1,
  by device: UniqueID = iPad, at seconds: Int64 = 0,
  _ body: (inout SchemaField) -> Void = { _ in }
) -> SchemaField {
  var field = SchemaField(
    FieldPair(hashed(word), type), displayName: ByteText(name ?? word))
  field.displayOrder = order
  field.created = FieldStamp(by: iPad, at: second(0))
  field.updated = FieldStamp(by: device, at: second(seconds))
  body(&field)
  return field
}

/// A definition of `vaccine`.
func definition(
  _ fields: [SchemaField] = [], keys: [String] = [], name: String = "Vaccine",
  by device: UniqueID = iPad, at seconds: Int64 = 0, counter: Int64 = 1,
  metaVersion: SchemaVersion? = nil, of schema: String = "vaccine"
) -> SchemaDefinition {
  SchemaDefinition(
    SchemaDefinition.Name(ByteText(schema)),
    SchemaDefinition.Metadata(
      displayName: ByteText(name), iconSystemName: ByteText("syringe")),
    isBuiltIn: false, version: SchemaVersion(second(seconds), device, counter),
    metaVersion: metaVersion, fields: fields, keys: keys.map { ByteText($0) })
}

extension SchemaDefinition {
  /// A field by the word that its id stands for.
  func stored(_ word: String, _ type: FieldType = .string) -> SchemaField? {
    fields.first { $0.pair == FieldPair(hashed(word), type) }
  }
}

/// An object around a definition, as a device makes it.
func schemaObject(
  _ definition: SchemaDefinition, after parents: [Schema] = [], by device: UniqueID = iPad,
  _ source: Schema.Change.Source = .manual
) throws -> Schema {
  let user = "03a107bff3ce10be1d70dd18e74bc099"
  let lamport = (parents.map(\.lamport.value).max() ?? 0) + 1
  let ids = parents.map { "\"\($0.id.text)\"" }.joined(separator: ",")
  let text = """
    {"author":{"deviceId":"\(device.text)","publicKey":"\(user)67e4d6309ba50d5f1ddc8664125531b8",\
    "userId":"\(user)"},"change":{"op":"test","source":"\(source.rawValue)"},"definition":\
    \(String(decoding: definition.canonical, as: UTF8.self)),"parents":[\(ids)],"schema":1,\
    "timestamp":{"lamport":\(lamport),"wall":"2026-01-02T10:00:00.000Z"}}
    """
  var decoder = SchemaDecoder()
  let decoded = decoder.decode(Array(text.utf8))
  return try #require(decoded, "\(decoder.findings)")
}

/// Broken rules as `rule@place`.
func places(_ findings: [Finding]) -> [String] { findings.map(place) }

/// What a request comes to, or the broken rules for which it is refused, as `rule@place`, or another fault.
func outcome(
  _ request: SchemaRequest, _ heads: [SchemaDefinition], by device: UniqueID = iPhone,
  at seconds: Int64 = 100
) -> (edited: SchemaEdited?, refused: [String]) {
  do throws(SchemaFault) {
    return (try request.apply(to: heads, by: device, now: second(seconds)), [])
  } catch {
    switch error {
    case .refused(let findings): return (nil, places(findings))
    case .present: return (nil, ["present"])
    case .absent: return (nil, ["absent"])
    case .fieldUnknown(let text): return (nil, ["unknown \(text.text)"])
    case .fieldAmbiguous(let text, let ids):
      return (nil, ["ambiguous \(text.text)"] + ids.map(\.text))
    }
  }
}
