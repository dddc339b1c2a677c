// What a schema is to its parents: each rule broken and kept.

import Foundation
import RedoObject
import TestSupport
import Testing

@Suite("Schemas and their parents")
struct SchemaSuccessionTests {
  private static let day: Int64 = 86_400_000

  /// The broken rules of a definition after others, as `rule@place`.
  private func broken(
    _ child: SchemaDefinition, after parents: [SchemaDefinition], by device: UniqueID = iPad,
    _ source: Schema.Change.Source = .manual, received: Int64? = nil
  ) throws -> [String] {
    // Two parents of one definition are two objects.
    let before = try parents.enumerated().map { place, parent in
      try schemaObject(parent, place % 2 == 0 ? .manual : .import)
    }
    return places(
      try schemaObject(child, after: before, by: device, source)
        .findings(parents: before, received: received))
  }

  @Test("parents are schemas of the same name")
  func parents() throws {
    let parent = try schemaObject(definition())
    let other = try schemaObject(definition(of: "note"))
    let scoped = try schemaObject(
      SchemaDefinition(
        SchemaDefinition.Name(ByteText("vaccine"), scope: hashed("p")), definition().metadata,
        isBuiltIn: false, version: definition().version, fields: [], keys: []))
    let child = try schemaObject(definition(at: 1), after: [parent, other, scoped])
    let found = child.findings(parents: [parent, other, scoped], received: nil)
    #expect(places(found) == ["schema-parent@/parents/1", "schema-parent@/parents/2"])
    #expect(found.map(\.detail).first == "a schema 'note'")
    #expect(
      places(child.findings(parents: [nil, parent, parent], received: nil)) == [
        "schema-parent@/parents/0"
      ])
    #expect(child.findings(parents: [parent, parent, parent], received: nil) == [])
  }

  @Test("nothing is lost")
  func lost() throws {
    let full = SchemaDefinition(
      definition().name,
      {
        var metadata = definition().metadata
        metadata.description = ByteText("d")
        return metadata
      }(), isBuiltIn: true, version: SchemaVersion(second(5), iPad, 3),
      metaVersion: SchemaVersion(second(4), iPad, 2),
      fields: [field("a"), field("b", at: 3)], keys: [ByteText("k")])
    func child(
      isBuiltIn: Bool = true, at seconds: Int64 = 6, meta: SchemaVersion? = full.metaVersion,
      _ metadata: SchemaDefinition.Metadata = full.metadata,
      fields: [SchemaField] = full.fields, keys: [ByteText] = full.keys
    ) -> SchemaDefinition {
      SchemaDefinition(
        full.name, metadata, isBuiltIn: isBuiltIn,
        version: SchemaVersion(second(seconds), iPad, 4), metaVersion: meta, fields: fields,
        keys: keys)
    }
    var renamed = full.metadata
    renamed.displayName = ByteText("X")
    var undescribed = full.metadata
    undescribed.description = nil
    let cases: [(SchemaDefinition, [String])] = [
      (child(), []),
      (child(isBuiltIn: false), ["/isBuiltIn"]),
      (child(at: 4, meta: SchemaVersion(second(4), iPad, 2)), ["/version"]),
      (child(meta: SchemaVersion(second(3), iPad, 9)), ["/metaVersion"]),
      (child(meta: SchemaVersion(second(3), iPad, 9), renamed), ["/displayName"]),
      (child(meta: SchemaVersion(second(3), iPad, 9), undescribed), ["/description"]),
      (child(meta: nil, renamed), []),
      (child(keys: []), ["/keys"]),
      (child(keys: [ByteText("j"), ByteText("k")]), []),
      (child(fields: [field("b", at: 3)]), ["/fields"]),
      (child(fields: [field("a"), field("b", at: 2)]), ["/fields/0"]),
      (child(fields: [field("a"), field("b", name: "B", at: 4)]), []),
      (child(fields: full.fields + [field("c")]), []),
    ]
    // The fields of equal place stand by their ids.
    #expect(full.fields.map(\.displayName.text) == ["b", "a"])
    for (child, lost) in cases {
      let wanted = lost.map { "schema-lost@/definition\($0)" }
      #expect(try broken(child, after: [full]) == wanted)
      // What several parents have is told once.
      #expect(try broken(child, after: [definition(), full, full]) == wanted)
    }
  }

  @Test("a field keeps who created it and when, of one of the parents")
  func provenance() throws {
    func made(_ by: UniqueID, _ at: Int64, updated: Int64 = 0) -> SchemaDefinition {
      definition(
        [field("a", at: updated) { $0.created = FieldStamp(by: by, at: second(at)) }], at: updated)
    }
    let parents = [made(iPad, -2), made(iPhone, -1)]
    func found(_ by: UniqueID, _ at: Int64) throws -> [String] {
      try broken(made(by, at, updated: 9), after: parents).filter { $0.hasPrefix("schema-prov") }
    }
    #expect(try found(iPad, -2) == [] && found(iPhone, -1) == [])
    #expect(try found(iPad, -1) == ["schema-provenance@/definition/fields/0/createdAt"])
    #expect(try found(iPad, -3) == ["schema-provenance@/definition/fields/0/createdAt"])
    #expect(try found(hashed("mac"), -2) == ["schema-provenance@/definition/fields/0/createdBy"])
    // Of another type it is another field.
    let twin = definition(
      parents[0].fields + [
        field("a", .int) { $0.created = FieldStamp(by: iPad, at: second(8)) }
      ], at: 9)
    #expect(try broken(twin, after: [parents[0]]) == [])
  }

  @Test("no stamp ends the clock")
  func clockRange() throws {
    let ends: [(parents: [WallTime], time: WallTime, holds: Bool)] = [
      ([], SchemaVersion.clockEnd, true), ([], .latest, false),
      ([second(0)], .latest, false), ([.latest], .latest, true),
      ([WallTime(milliseconds: WallTime.latest.milliseconds - 1)], .latest, true),
      ([WallTime(milliseconds: WallTime.latest.milliseconds - 2)], .latest, false),
      ([second(0), .latest], .latest, true),
    ]
    for (parents, time, holds) in ends {
      func version(_ time: WallTime) -> SchemaDefinition {
        SchemaDefinition(
          definition().name, definition().metadata, isBuiltIn: false,
          version: SchemaVersion(time, iPad, 1), fields: [], keys: [])
      }
      #expect(
        try broken(version(time), after: parents.map(version))
          == (holds ? [] : ["schema-clock-range@/definition/version/timestamp"]))
      func changed(_ time: WallTime) -> SchemaDefinition {
        definition([field("a") { $0.updated.at = time }])
      }
      #expect(
        try broken(changed(time), after: parents.map(changed))
          == (holds ? [] : ["schema-clock-range@/definition/fields/0/updatedAt"]))
    }
    // Another field of a parent is no excuse.
    let parent = definition([field("b") { $0.updated.at = .latest }])
    let child = definition(
      parent.fields + [field("a", order: 2) { $0.updated.at = .latest }], at: 1)
    #expect(
      try broken(child, after: [parent]) == ["schema-clock-range@/definition/fields/1/updatedAt"])
  }

  @Test("new stamps are those of the device, but for an import")
  func stampAuthor() throws {
    let parent = definition([field("a", by: iPhone, at: 3)], by: iPhone, at: 3)
    // An automatic merge has the stamps of its parents, whoever makes it.
    #expect(try broken(parent, after: [parent], by: hashed("mac"), .automatic) == [])
    let child = definition(
      [
        field("a", by: iPhone, at: 4),
        field("b", order: 2) { $0.created.by = .zero },
      ], by: iPhone, at: 4)
    #expect(
      try broken(child, after: [parent], by: iPad) == [
        "schema-stamp-author@/definition/version/deviceId",
        "schema-stamp-author@/definition/fields/0/updatedBy",
        "schema-stamp-author@/definition/fields/1/createdBy",
      ])
    #expect(try broken(child, after: [parent], by: iPad, .import) == [])
    let own = definition(
      [field("a", by: iPad, at: 4), field("b", order: 2)], by: iPad, at: 4)
    #expect(try broken(own, after: [parent], by: iPad) == [])
  }

  @Test("new stamps are at most a day after the receipt")
  func clockAhead() throws {
    let time = second(100)
    let child = definition(
      [
        field("a", at: 100) { $0.created.at = time }, field("b", order: 2, at: 99),
      ], at: 100)
    let exact = time.milliseconds - Self.day
    #expect(try broken(child, after: [], received: exact) == [])
    #expect(try broken(child, after: [], received: nil) == [])
    #expect(
      try broken(child, after: [], received: exact - 1) == [
        "schema-clock-ahead@/definition/version/timestamp",
        "schema-clock-ahead@/definition/fields/0/createdAt",
        "schema-clock-ahead@/definition/fields/0/updatedAt",
      ])
    // What a parent has is not told again.
    let next = definition(child.fields, at: 101)
    #expect(
      try broken(next, after: [child], received: exact - 1) == [
        "schema-clock-ahead@/definition/version/timestamp"
      ])
  }

  @Test(
    "the public vectors of what is lost", .enabled(if: VectorFolder.isSharedPresent))
  func vectors() throws {
    let bytes = try VectorFolder.shared("../spec").bytes("schema-vectors.json")
    let all = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let below = try #require(all?["below"] as? [[String: Any]])
    #expect(below.count == 2)
    for vector in below {
      let pair = try ["parent", "child"].map { name in
        let text = try JSONSerialization.data(withJSONObject: try #require(vector[name]))
        guard case .success(let definition) = SchemaDefinition.read(Array(text)) else {
          throw SchemaVectorFault()
        }
        return definition
      }
      let found = try broken(pair[1], after: [pair[0]]).filter { $0.hasPrefix("schema-lost") }
      #expect(found.isEmpty == vector["holds"] as? Bool)
    }
  }
}

private struct SchemaVectorFault: Error {}
