// What the public app has written at any age, by Foundation's own coders, goes into redo, is shown,
// and comes back as Foundation reads it: definitions, records and whole backups. This side of it
// shares no code with redo.

import Foundation
import Testing

@Suite("Forms of the public app, written and read by Foundation")
struct AppFormTests {
  // MARK: Definitions

  @Test(
    "built-in definitions of every age come back with the ids that the app has now",
    arguments: AppAge.allCases, App.Dates.allCases)
  func builtIn(_ age: AppAge, _ dates: App.Dates) async throws {
    let store = try await AppStore()
    let schemas = AppSample.builtInSchemas(age)
    let file = try store.file(AppSample.builtInFile(age), dates)
    try await store.succeed("schema", "import", file)
    for schema in schemas {
      let shown = try await store.read(App.Schema<App.Field>.self, "schema", "show", schema.id)
      #expect(try App.text(shown) == App.text([schema]))
    }
    let exported = try await store.read(App.Schema<App.Field>.self, "schema", "export")
    #expect(try App.text(exported) == App.text(schemas.sorted { $0.id < $1.id }))
  }

  @Test("definitions of all ages have the same fields, and come to one whatever comes first")
  func ages() async throws {
    var exports: [[App.Schema<App.Field>]] = []
    for ages in [AppAge.allCases, AppAge.allCases.reversed()] {
      let store = try await AppStore()
      for age in ages {
        try await store.succeed("schema", "import", store.file(AppSample.builtInFile(age)))
      }
      exports.append(try await store.read(App.Schema<App.Field>.self, "schema", "export"))
    }
    #expect(try App.text(exports[0]) == App.text(exports[1]))
    let newest = AppSample.builtInSchemas(.uuids).sorted { $0.id < $1.id }
    #expect(exports[0].map(\.displayName) == newest.map(\.displayName))
    #expect(exports[0].map(\.version) == newest.map(\.version))
    for (found, expected) in zip(exports[0], newest) {
      #expect(found.fields.map(\.id) == expected.fields.map(\.id))
      // What has a stamp wins; of fields without one it is not said which age does.
      let isStamped = { (field: App.Field) in field.updatedAt > .distantPast }
      #expect(
        try App.text(found.fields.filter(isStamped)) == App.text(expected.fields.filter(isStamped)))
    }
  }

  @Test(
    "a definition with fields of every type comes back with every member",
    arguments: App.Dates.allCases)
  func everyMember(_ dates: App.Dates) async throws {
    let store = try await AppStore()
    var file = AppSample.own
    file.fields.reverse()
    try await store.succeed("schema", "import", store.file(file, dates))
    let shown = try await store.read(App.Schema<App.Field>.self, "schema", "show", file.id)
    #expect(try App.text(shown) == App.text([AppSample.own]))
  }

  @Test("a text id of somebody's own schema becomes the UUID that every device makes of it")
  func textID() async throws {
    let store = try await AppStore()
    let field = App.Field(
      id: AppSample.id(1), fieldType: App.FieldType.date, displayName: "When")
    let old = App.OldField(field, id: "when", hasHints: false)
    let schema = App.Schema(id: "gym", displayName: "Gym", fields: [old])
    try await store.succeed("schema", "import", store.file(schema))
    let shown = try await store.read(App.Schema<App.Field>.self, "schema", "show", "gym")
    // The first 16 bytes of the SHA-256 of 'gym:when'.
    #expect(
      shown.first?.fields.map(\.id.uuidString) == ["A253A94A-59B2-946B-5A00-5B233304751D"])
  }

  // MARK: Records

  @Test(
    "a record is the same under texts, under UUIDs and in a flat array",
    arguments: AppKeys.allCases, App.Dates.allCases)
  func keys(_ keys: AppKeys, _ dates: App.Dates) async throws {
    let store = try await AppStore()
    try await store.succeed("schema", "import", store.file(AppSample.extended))
    try await store.succeed("record", "import", store.file(AppSample.recordFile(keys), dates))
    #expect(try await store.records() == [AppSample.shown])
    let exported = try await store.read(App.RecordBackup<String>.self, "record", "export")
    #expect(try App.text(exported) == App.text([AppSample.record]))
  }

  @Test("the content of a record becomes a record, with an id that it gets")
  func content() async throws {
    let store = try await AppStore()
    try await store.succeed("schema", "import", store.file(AppSample.extended))
    let fields = AppSample.values.map { ($0.id, $0.value) }
    let content = App.RecordContent(
      schemaId: "vaccine", fields: Dictionary(uniqueKeysWithValues: fields))
    // It is a flat array indeed.
    let json = try JSONSerialization.jsonObject(with: App.data(content, .seconds)) as? [String: Any]
    #expect((json?["fields"] as? [Any])?.count == 2 * fields.count)
    try await store.succeed("record", "import", store.file(content))
    #expect(try await store.records() == [AppSample.shown])
  }

  @Test("a record that the app has changed later gets what differs; an older one changes nothing")
  func change() async throws {
    let store = try await AppStore()
    try await store.succeed("schema", "import", store.file(AppSample.extended))
    try await store.succeed("record", "import", store.file(AppSample.recordFile(.flat)))
    var record = try #require(
      try await store.read(App.RecordBackup<String>.self, "record", "export").first)
    record.fields[AppSample.fixedID(1, 5).uuidString] = .int(3)
    let before = try await store.objects(of: [])
    record.updatedAt = AppSample.late - 10
    try await store.succeed("record", "import", store.file([record], .texts))
    #expect(try await store.objects(of: []) == before)
    record.updatedAt = AppSample.late + 10
    try await store.succeed("record", "import", store.file([record], .texts))
    let exported = try await store.read(App.RecordBackup<String>.self, "record", "export")
    #expect(try App.text(exported) == App.text([record]))
    let log = try await store.succeed("log", "-n1", "--json")
    let node = try #require(JSONSerialization.jsonObject(with: log) as? [String: Any])
    let written = (node["data"] as? [String: Any])?["fields"] as? [String: Any] ?? [:]
    #expect(node["action"] as? String == "UPDATE")
    // The first 16 bytes of the SHA-256 of 'vaccine:doseNumber', and of 'vaccine:vaccineName'.
    #expect(written["740fb961-a138-68f4-ebb9-ba58051b521a"] != nil, "\(written)")
    #expect(written["fc9c8be3-afa2-41f6-caa7-4cbc10a26fbe"] == nil, "\(written)")
    for other: UInt8 in [3, 4, 7] {
      #expect(written[AppSample.id(other).uuidString.lowercased()] == nil, "\(written)")
    }
  }

  @Test(
    "a record of a built-in schema that is not here comes back under the ids of the app",
    arguments: AppKeys.allCases)
  func absentSchema(_ keys: AppKeys) async throws {
    let store = try await AppStore()
    try await store.succeed("record", "import", store.file(AppSample.recordFile(keys)))
    let exported = try await store.read(App.RecordBackup<String>.self, "record", "export")
    let texts = (try App.text(exported), try App.text([AppSample.record]))
    #expect(texts.0 == texts.1)
  }

  // MARK: Backups

  /// A backup of two people who have a copy of one schema each, which are not the same.
  private static let payload: App.Backup.Payload = {
    let others = AppSample.id(0xC2)
    var copy = AppSample.own
    copy.displayName = "Visits of others"
    copy.fields[0].displayName = "Why"
    let schemas = [
      App.SchemaBackup(personId: AppSample.person, schema: AppSample.own),
      App.SchemaBackup(personId: others, schema: copy),
    ]
    let records = schemas.enumerated().map { place, entry in
      App.RecordBackup(
        id: AppSample.id(0xE2 + UInt8(place)), personId: entry.personId,
        schemaId: entry.schema.id,
        fields: [
          AppSample.id(1).uuidString: App.Value.string("a cold"),
          AppSample.id(2).uuidString: .int(-1), AppSample.id(3).uuidString: .double(36.6),
          AppSample.id(5).uuidString: .day("2025-02-28"),
        ], createdAt: AppSample.early, updatedAt: AppSample.late)
    }
    return App.Backup.Payload(records: records + [AppSample.record], schemas: schemas)
  }()

  @Test("a backup goes in whole, and comes out whole", arguments: App.Dates.allCases)
  func backup(_ dates: App.Dates) async throws {
    let store = try await AppStore()
    try await store.succeed("schema", "import", store.file(AppSample.extended))
    let file = try store.file(App.Backup(data: Self.payload), dates)
    try await store.succeed("schema", "import", "--records", file)
    for copy in Self.payload.schemas {
      let name = "\(copy.schema.id)@\(copy.personId.uuidString.lowercased())"
      let shown = try await store.read(App.SchemaBackup.self, "schema", "show", name)
      #expect(try App.text(shown) == App.text([copy]))
    }
    let records = try await store.read(App.RecordBackup<String>.self, "record", "export")
    let byID = { (record: App.RecordBackup<String>) in record.id.uuidString }
    #expect(
      try App.text(records.sorted { byID($0) < byID($1) })
        == App.text(Self.payload.records.sorted { byID($0) < byID($1) }))
    let names = try await store.records().flatMap(\.keys)
    #expect(names.filter { $0 == "Why" }.count == 1, "the record of others has a name of theirs")
  }

  @Test("what is imported again changes nothing, nor does what redo has exported")
  func again() async throws {
    let store = try await AppStore()
    let extended = try store.file(AppSample.extended)
    let file = try store.file(App.Backup(data: Self.payload))
    try await store.succeed("schema", "import", extended)
    try await store.succeed("schema", "import", "--records", file)
    let names =
      [AppSample.extended.id]
      + Self.payload.schemas.map { "\($0.schema.id)@\($0.personId.uuidString.lowercased())" }
    let before = try await store.objects(of: names)
    // Three schemas and three records: an object each, and a ref each.
    #expect(before.count == 12, "\(before)")
    try await store.succeed("schema", "import", extended)
    try await store.succeed("schema", "import", "--records", file)
    #expect(try await store.objects(of: names) == before)
    let back = App.Backup(
      data: App.Backup.Payload(
        records: try await store.read(App.RecordBackup<String>.self, "record", "export"),
        schemas: try await store.read(App.SchemaBackup.self, "schema", "export", names[1], names[2])
      ))
    for dates in App.Dates.allCases {
      try await store.succeed("schema", "import", "--records", store.file(back, dates))
    }
    #expect(try await store.objects(of: names) == before)
  }

  @Test("an encrypted backup is refused, and told where it says so")
  func encrypted() async throws {
    let store = try await AppStore()
    let file = try store.file(
      App.Backup(encrypted: true, encryption: ["algorithm": "AES-256-GCM"], ciphertext: "c2VjcmV0"))
    for command in [
      ["schema", "import"], ["schema", "import", "--records"], ["record", "import"],
    ] {
      let answer = try await store.run(command + [file])
      #expect(answer.status == 1)
      #expect(answer.errors.contains(#/-form at \/encrypted:/#), "\(command): \(answer.errors)")
    }
    #expect(try await store.objects(of: []) == [])
  }
}
