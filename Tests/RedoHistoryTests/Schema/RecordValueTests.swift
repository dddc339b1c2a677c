// Values of records: what is read as which type, what is written, and that it reads back the same.

import CanonicalJSON
import Foundation
import RedoHistory
import RedoObject
import TestSupport
import Testing

@Suite("Values of records")
struct RecordValueTests {
  @Test(
    "bare JSON is read by the type of the field",
    arguments: [
      (FieldType.string, #""a\nb""#, #""a\nb""#), (.string, "5", nil), (.string, "true", nil),
      (.int, "5", "5"), (.int, "-9007199254740992", "-9007199254740992"), (.int, "5.5", nil),
      (.int, "1e+21", nil), (.int, "9223372036854775808", nil), (.int, #""5""#, nil),
      (.double, "5", "5"), (.double, "-0.5", "-0.5"), (.double, "1e+21", "1e+21"),
      (.double, "true", nil), (.bool, "false", "false"), (.bool, "0", nil),
      (.date, #""2026-01-02""#, #""2026-01-02T00:00:00.000Z""#),
      (.date, #""2026-01-02T10:00:00Z""#, #""2026-01-02T10:00:00.000Z""#),
      (.date, #""2026-01-02T10:00:00.000Z""#, #""2026-01-02T10:00:00.000Z""#),
      (.date, #""2026-01-02T10:00:00.0625+01:00""#, #""2026-01-02T09:00:00.063Z""#),
      (.date, #""0001-01-01T00:00:00+01:00""#, #""0001-01-01T00:00:00.000Z""#),
      (.date, #""9999-12-31T23:59:59-01:00""#, nil), (.date, #""2026-02-30""#, nil),
      (.date, "0.0005", #""2001-01-01T00:00:00.001Z""#),
      (.date, "-1e+300", #""0001-01-01T00:00:00.000Z""#), (.date, "252423993600", nil),
      (.date, #""2 Jan""#, nil), (.stringArray, #"["a","b"]"#, #"["a","b"]"#),
      (.stringArray, "[]", "[]"), (.stringArray, #"["a",5]"#, nil), (.stringArray, #""a""#, nil),
      (
        .attachmentIds, #"["AAAAAAAA-0000-4000-8000-00000000000A"]"#,
        #"["aaaaaaaa-0000-4000-8000-00000000000a"]"#
      ), (.attachmentIds, #"["a"]"#, nil), (.string, "null", nil),
      (.string, #"{"type":"string","value":"a"}"#, nil),
    ] as [(FieldType, String, String?)])
  func bare(_ type: FieldType, _ json: String, _ read: String?) {
    let value = RecordValue(Array(json.utf8), as: type)
    #expect(value.map { string($0.json) } == read)
    #expect(value.map { $0.type == type } ?? true)
  }

  @Test(
    "texts of a command line are read by the type of the field",
    arguments: [
      (FieldType.string, ["5"], #""5""#), (.string, ["a\"b"], #""a\"b""#), (.string, [], nil),
      (.string, ["a", "b"], nil), (.int, ["5"], "5"), (.int, ["5.0"], "5"), (.int, ["five"], nil),
      (.int, ["9007199254740993"], nil), (.double, ["5e-1"], "0.5"), (.double, [""], nil),
      (.bool, ["true"], "true"), (.bool, ["yes"], nil),
      (.date, ["2026-01-02"], #""2026-01-02T00:00:00.000Z""#), (.date, ["20260102"], nil),
      (.stringArray, ["a", "b"], #"["a","b"]"#), (.stringArray, [], "[]"),
      (
        .attachmentIds, ["AAAAAAAA-0000-4000-8000-00000000000A"],
        #"["aaaaaaaa-0000-4000-8000-00000000000a"]"#
      ),
      (.attachmentIds, ["a"], nil),
    ] as [(FieldType, [String], String?)])
  func texts(_ type: FieldType, _ texts: [String], _ read: String?) {
    #expect(RecordValue(texts: texts, as: type).map { string($0.json) } == read)
  }

  @Test(
    "what is written typed reads back the same", arguments: SeededRandom.seeds("record-values"))
  func roundTrips(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let schemas = RecordSchemas([
      schema(FieldType.allCases.map { field($0.rawValue, $0) })
    ])
    for _ in 0..<300 {
      let type = FieldType.allCases[random.below(FieldType.allCases.count)]
      let text = String(decoding: random.bytes(random.below(6)), as: UTF8.self)
      let json: String? =
        switch type {
        case .string: nil
        case .int: "\(random.below(1 << 53) - 1 << 52)"
        case .double: "\(Double(random.below(1000)) / 16)"
        case .bool: random.once(in: 2) ? "true" : "false"
        case .date: "\(Double(random.below(1 << 40)) / 64 - 1e9)"
        case .attachmentIds: "[\"\(UniqueID(hashing: random.bytes(4)).text.uppercased())\"]"
        case .stringArray: "[\"a\",\"\(random.below(9))\"]"
        }
      let value = try #require(
        try json.map { RecordValue(try JSONDocument(Array($0.utf8)).canonical, as: type) }
          ?? RecordValue(texts: [text], as: type))
      #expect(try JSONDocument(value.typed).isCanonical)
      let task = RecordTask("\"\(type.rawValue)\":\(string(value.typed))")
      let shown = try #require(task.record(schemas)?.fields.first)
      #expect(shown.value == value.json && shown.problems.isEmpty && shown.type == type)
    }
  }

  @Test(
    "dates of the public vectors", .enabled(if: VectorFolder.isSharedPresent))
  func vectors() throws {
    let bytes = try VectorFolder.shared("../spec").bytes("schema-vectors.json")
    let vectors = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let times = try #require(vectors?["times"] as? [[Any]])
    #expect(times.count == 11)
    for vector in times where !(vector[0] is NSNull) {
      let list = try JSONDocument(
        Array(try JSONSerialization.data(withJSONObject: [vector[0]]))
      ).canonical
      let value = RecordValue(Array(list.dropFirst().dropLast()), as: .date)
      #expect(value?.time?.text == vector[1] as? String)
    }
  }
}
