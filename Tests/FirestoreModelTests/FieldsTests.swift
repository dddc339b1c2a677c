// Fields: their order, what paths reach, and what Firestore refuses (as measured on its emulator).

import FirestoreModel
import Testing

@Suite struct FieldsTests {
  @Test("members stand in the order of their bytes, each name once")
  func order() {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    var fields = FirestoreFields([
      .init("\u{10000}", 1), .init(composed, 2), .init("\u{FFFF}", 3), .init("a", 4),
      .init(decomposed, 5), .init("a", 6),
    ])
    #expect(fields.members.map(\.name.unicodeScalars.count) == [1, 5, 4, 1, 1])
    #expect(fields["a"] == 6)
    #expect(fields[composed] == 2)
    #expect(fields[decomposed] == 5)
    fields[decomposed] = nil
    #expect(fields.count == 4)
    #expect(fields[composed] == 2)
    fields["b"] = true
    #expect(fields.members.map(\.name)[1] == "b")
    #expect(fields != FirestoreFields(fields.members + [.init("z", .null)]))
    #expect(FirestoreValue.string(composed) != .string(decomposed))
  }

  @Test("a mask sets and takes away what its paths name")
  func paths() {
    var fields: FirestoreFields = ["a": .map(["b": 1, "c": 2]), "d": 3]
    fields.set(4, at: FieldPath("a", "b"))
    fields.set(nil, at: FieldPath("a", "c"))
    fields.set(nil, at: FieldPath("x", "y"))
    fields.set(5, at: FieldPath("d", "e", "f"))
    #expect(fields == ["a": .map(["b": 4]), "d": .map(["e": .map(["f": 5])])])
    #expect(fields[FieldPath("d", "e", "f")] == 5)
    #expect(fields[FieldPath("d", "e", "f", "g")] == nil)
  }

  static func maps(_ count: Int) -> FirestoreValue {
    var value: FirestoreValue = "x"
    for _ in 0..<count { value = .map(["a": value]) }
    return value
  }

  @Test("what Firestore refuses is found, and where")
  func limits() throws {
    func fault(_ fields: FirestoreFields) -> FirestoreLimitFault? {
      do throws(FirestoreLimitFault) {
        try fields.checkLimits()
        return nil
      } catch {
        return error
      }
    }
    #expect(fault(["a": [1, .map(["b": [2]])]]) == nil)
    #expect(fault(["a": .map(["b": [1, [2]]])])?.place == "/a/b/1")
    #expect(fault(["a": .map(["b": [1, [2]]])])?.limit == .nestedArray)
    #expect(fault(["a": Self.maps(20)]) == nil)
    #expect(fault(["a": Self.maps(21)])?.limit == .depth)
    #expect(fault(["a": [Self.maps(19)]]) == nil)
    #expect(fault(["a": [Self.maps(20)]])?.limit == .depth)
    #expect(fault(["m": .map(["": 1])])?.limit == .emptyName)
    #expect(fault(["__x__": 1])?.limit == .reservedName)
    #expect(fault(["__x": 1, "x__": 1, "__": 1]) == nil)
    func long(_ count: Int) -> String { String(repeating: "a", count: count) }
    #expect(fault([long(1500): 1]) == nil)
    #expect(fault([long(1501): 1])?.limit == .pathLength)
    #expect(fault(["m": .map([long(1498): 1])]) == nil)
    #expect(fault(["m": .map([long(1499): 1])])?.limit == .pathLength)
    #expect(fault(["m": [.map([long(1498): 1])]]) == nil)
  }

  @Test("sizes as Firestore counts them")
  func sizes() {
    // The example of Firestore's documentation: a document of 147 bytes.
    let document = FirestoreDocument(
      name: "projects/p/databases/(default)/documents/users/jeff/tasks/my_task_id",
      fields: [
        "type": "Personal", "done": false, "priority": 1, "description": "Learn Cloud Firestore",
      ])
    #expect(document.sizeBytes == 147)
  }
}
