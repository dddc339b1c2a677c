// Definitions of schemas against the public vectors (../shared/spec/schema-vectors.json): every merge in both orders. The
// vectors are read by Foundation, so that only what is tested is ours.

import CanonicalJSON
import Foundation
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Definitions of schemas: the public vectors", .enabled(if: VectorFolder.isSharedPresent))
struct SchemaVectorTests {
  private let vectors: [String: Any]

  init() throws {
    let bytes = try VectorFolder.shared("../spec").bytes("schema-vectors.json")
    vectors = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private struct Fault: Error { let text: String }

  private func list(_ name: String, count: Int) throws -> [[String: Any]] {
    let found = try #require(vectors[name] as? [[String: Any]], "\(name)")
    #expect(found.count == count)
    return found
  }

  private func definition(_ value: Any?) throws -> SchemaDefinition {
    let text = try JSONSerialization.data(withJSONObject: try #require(value))
    switch SchemaDefinition.read(Array(text)) {
    case .success(let definition): return definition
    case .failure(let findings):
      throw Fault(text: findings.all.map { "\($0.summary) \($0.detail)" }.joined(separator: ", "))
    }
  }

  private func canonical(_ value: Any?) throws -> [UInt8] {
    let text = try JSONSerialization.data(withJSONObject: try #require(value))
    return try JSONDocument(Array(text)).canonical
  }

  private func hash(_ definition: SchemaDefinition) -> String {
    ObjectID(digest: SHA256.digest(of: definition.canonical.span)).hex
  }

  private func uuid(_ value: Any?) throws -> UniqueID {
    let text = Array(try #require(value as? String).utf8)
    let id = UniqueID(text.span)
    return try #require(id)
  }

  private func time(_ value: Any?) throws -> WallTime {
    let text = Array(try #require(value as? String).utf8)
    let time = WallTime.parse(text.span)?.time
    return try #require(time)
  }

  private func version(_ value: Any?) throws -> SchemaVersion {
    let value = try #require(value as? [String: Any])
    return SchemaVersion(
      try time(value["timestamp"]), try uuid(value["deviceId"]),
      try #require(value["counter"] as? NSNumber).int64Value)
  }

  @Test("merges")
  func merges() throws {
    for vector in try list("merges", count: 16) {
      let name = vector["name"] as? String ?? ""
      let (a, b) = (try definition(vector["a"]), try definition(vector["b"]))
      for joined in [a.joined(with: b), b.joined(with: a)] {
        let merged = try #require(joined)
        #expect(merged.canonical == (try canonical(vector["merged"])), "\(name)")
        #expect(hash(merged) == vector["mergedSHA256"] as? String, "\(name)")
        #expect(merged.joined(with: a) == merged && merged.joined(with: b) == merged)
        #expect(a.isContained(in: merged) && b.isContained(in: merged))
        if let wanted = vector["effectiveIds"] as? [[String]] {
          let fields = SchemaView(merged).fields
          #expect(fields.map { [$0.pair.id.text, $0.pair.type.rawValue] } == wanted, "\(name)")
        }
      }
    }
  }

  @Test("three ways")
  func threeWay() throws {
    let vector = try #require(vectors["threeWay"] as? [String: Any])
    let inputs = try #require(vector["inputs"] as? [Any]).map { try definition($0) }
    #expect(inputs.count == 3)
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let pair = try #require(inputs[order[0]].joined(with: inputs[order[1]]))
      let all = try #require(pair.joined(with: inputs[order[2]]))
      #expect(hash(all) == vector["mergedSHA256"] as? String)
    }
  }

  @Test("versions, and the clock of edits")
  func versions() throws {
    for pair in try list("comparisons", count: 5) {
      #expect(try version(pair["less"]) < version(pair["greater"]))
    }
    let ascending = try list("ascending", count: 7).map { try version($0) }
    #expect(zip(ascending, ascending.dropFirst()).allSatisfy { $0 < $1 })
    for vector in try list("clock", count: 8) {
      let seen = try #require(vector["seen"] as? [Any]).map { try version($0) }
      let next = SchemaVersion.next(
        after: seen, by: try uuid(vector["device"]), now: try time(vector["now"]))
      #expect(try next == version(vector["next"]))
    }
    let ranges = try #require(vectors["clockRange"] as? [[Any]])
    #expect(ranges.count == 6)
    for vector in ranges {
      let parents = try #require(vector[0] as? [Any]).map { try time($0) }
      #expect(try time(vector[1]).isInRange(after: parents) == vector[2] as? Bool)
    }
  }

  @Test("what a text stands for")
  func hashedIDs() throws {
    let ids = try #require(vectors["deterministicUUID"] as? [String: String])
    #expect(ids.count == 7)
    for (text, id) in ids { #expect(UniqueID(hashing: Array(text.utf8)).text == id) }
  }

  /// Checks what keys of records name.
  private func check(keys: Any?, _ view: SchemaView) throws {
    let keys = try #require(keys as? [[Any]])
    #expect(!keys.isEmpty)
    for key in keys {
      let name = try #require(key[0] as? String)
      let type = try #require(FieldType(rawValue: key[1] as? String ?? ""))
      #expect(view.resolve(ByteText(name), type)?.text == key[2] as? String, "\(name)")
    }
  }

  @Test("fields by the names that records have for them")
  func names() throws {
    for vector in try list("names", count: 5) {
      let view = SchemaView(try definition(vector["definition"]))
      let shown = view.fields.map { [$0.pair.id.text, $0.pair.type.rawValue, $0.displayName.text] }
      #expect(shown == vector["shown"] as? [[String]])
      try check(keys: vector["keys"], view)
    }
    let phases = try list("phases", count: 4)
    let resolve = try #require(vectors["resolve"] as? [String: Any])
    #expect(resolve["definition"] as? String == "phases[2]")
    try check(keys: resolve["keys"], SchemaView(try definition(phases[2]["definition"])))
  }

  @Test(
    "where the values of merged fields are shown",
    arguments: [("mergedInto", 4), ("mergedIntoTwin", 3)])
  func homes(_ name: String, _ count: Int) throws {
    let vector = try #require(vectors[name] as? [String: Any])
    let view = SchemaView(try definition(vector["definition"]))
    let shown = try #require(vector["shownUnder"] as? [String: String])
    #expect(shown.count == count)
    for (text, id) in shown {
      #expect(view.home(of: UniqueID(hashing: Array(text.utf8))).text == id, "\(text)")
    }
  }

  @Test("forms of the app, and times")
  func phases() throws {
    var all: [SchemaDefinition] = []
    for vector in try list("phases", count: 4) {
      let text = try JSONSerialization.data(withJSONObject: try #require(vector["app"]))
      let read = SchemaImport(Array(text))
      let name = vector["name"] as? String ?? ""
      #expect(read.findings.allSatisfy { $0.rule == .schemaUnknownMember }, "\(name)")
      let definition = try #require(read.definitions.first, "\(name)")
      #expect(definition.canonical == (try canonical(vector["definition"])), "\(name)")
      #expect(hash(definition) == vector["SHA256"] as? String, "\(name)")
      let again = SchemaImport(definition.canonical)
      #expect(again.definitions == [definition] && again.findings.isEmpty, "\(name)")
      all.append(definition)
    }
    #expect(all[0].joined(with: all[2]).map(hash) == vectors["phase1And3Merged"] as? String)
    let times = try #require(vectors["times"] as? [[Any]])
    #expect(times.count == 11)
    for vector in times {
      if let seconds = vector[0] as? Double {
        #expect(WallTime(secondsSince2001: seconds)?.text == vector[1] as? String)
      } else if vector[0] is String {
        #expect(try time(vector[0]).text == vector[1] as? String)
      }
    }
  }

  @Test("a signed object")
  func object() throws {
    let vector = try #require(vectors["object"] as? [String: String])
    let body = Array(try #require(vector["body"]).utf8)
    let (id, signature) = (try #require(vector["id"]), try #require(vector["signature"]))
    let members = "\"id\":\"\(id)\",\"signature\":\"\(signature)\","
    for text in [body, Array("{\(members)".utf8) + body.dropFirst()] {
      var decoder = SchemaDecoder()
      let decoded = decoder.decode(text)
      let schema = try #require(decoded, "\(decoder.findings)")
      #expect(schema.id.text == id && schema.body == body)
      #expect(schema.verify().isGood == (text.count > body.count))
      #expect(schema.change == Schema.Change("new", .manual))
      var wrong = text
      wrong[wrong.count - 20] ^= 1
      let refused = decoder.decode(wrong)
      #expect(refused == nil || !(refused?.verify().isGood ?? false))
    }
  }

  @Test("fields of one name, and what must not be lost")
  func collisions() throws {
    let vector = try #require(vectors["collisions"] as? [String: Any])
    let found = SchemaView(try definition(vector["definition"])).collisions
    let wanted = try #require(vector["pairs"] as? [String: [String]])
    #expect(wanted.count == 1)
    #expect(found.map(\.name.text) == wanted.keys.sorted())
    for (name, ids) in found { #expect(ids.map(\.text) == wanted[name.text]) }
    for vector in try list("below", count: 2) {
      let (parent, child) = (try definition(vector["parent"]), try definition(vector["child"]))
      #expect(parent.isContained(in: child) == vector["holds"] as? Bool)
    }
  }
}
