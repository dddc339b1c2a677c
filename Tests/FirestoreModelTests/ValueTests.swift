// Values, documents, paths, queries, writes and errors through their JSON and back.

import CanonicalJSON
import FirestoreModel
import RedoObject
import Testing

@Suite struct ValueTests {

  static func json(_ value: FirestoreValue) -> String {
    var output: [UInt8] = []
    value.appendJSON(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test(
    "a value's JSON",
    arguments: [
      (FirestoreValue.null, #"{"nullValue":null}"#),
      (.boolean(false), #"{"booleanValue":false}"#),
      (.integer(.min), #"{"integerValue":"-9223372036854775808"}"#),
      (.integer(9_007_199_254_740_993), #"{"integerValue":"9007199254740993"}"#),
      (.double(1e308), #"{"doubleValue":1e+308}"#),
      (.double(-0.0), #"{"doubleValue":-0.0}"#),
      (.double(.nan), #"{"doubleValue":"NaN"}"#),
      (.double(-.infinity), #"{"doubleValue":"-Infinity"}"#),
      (.string("a\"\u{0}é"), #"{"stringValue":"a\"\u0000é"}"#),
      (.bytes([0xFB, 0xFF]), #"{"bytesValue":"+/8="}"#),
      (.reference("projects/p"), #"{"referenceValue":"projects/p"}"#),
      (
        .geoPoint(latitude: 1.5, longitude: -180),
        #"{"geoPointValue":{"latitude":1.5,"longitude":-180}}"#
      ),
      (.array([]), #"{"arrayValue":{"values":[]}}"#),
      (
        .array([1, ["x"], nil]),
        #"{"arrayValue":{"values":[{"integerValue":"1"},{"arrayValue":{"values":[{"stringValue":"x"}]}},{"nullValue":null}]}}"#
      ),
      (.map([:]), #"{"mapValue":{"fields":{}}}"#),
      (
        .map(["b": true, "": "x", "a.`": 2]),
        #"{"mapValue":{"fields":{"":{"stringValue":"x"},"a.`":{"integerValue":"2"},"b":{"booleanValue":true}}}}"#
      ),
    ])
  func roundTrip(_ value: FirestoreValue, _ text: String) throws {
    #expect(Self.json(value) == text)
    #expect(try read(text) { try FirestoreValue($0) } == value)
  }

  @Test(
    "other spellings of the same",
    arguments: [
      (#"{"integerValue":12}"#, FirestoreValue.integer(12)),
      (#"{"integerValue":12.0}"#, .integer(12)),
      (#"{"doubleValue":"1.5"}"#, .double(1.5)),
      (#"{"doubleValue":72057594037927936}"#, .double(72_057_594_037_927_936)),
      (#"{"doubleValue":-0}"#, .double(-0.0)),
      (#"{"bytesValue":"-_8"}"#, .bytes([0xFB, 0xFF])),
      (#"{"nullValue":"NULL_VALUE"}"#, .null),
      (#"{"nullValue":0}"#, .null),
      (#"{"arrayValue":{}}"#, .array([])),
      (#"{"mapValue":{}}"#, .map([:])),
      (#"{"stringValue":"x","integerValue":null}"#, .string("x")),
      (#"{"geoPointValue":{}}"#, .geoPoint(latitude: 0, longitude: 0)),
    ])
  func spelling(_ text: String, _ value: FirestoreValue) throws {
    #expect(try read(text) { try FirestoreValue($0) } == value)
  }

  @Test(
    "what is no value",
    arguments: [
      ("{}", ""), ("[]", ""), (#"{"x":1}"#, "/x"), (#"{"stringValue":1}"#, "/stringValue"),
      (#"{"integerValue":"1","stringValue":"1"}"#, ""),
      (#"{"integerValue":"0x10"}"#, "/integerValue"), (#"{"integerValue":1.5}"#, "/integerValue"),
      (#"{"integerValue":"9223372036854775808"}"#, "/integerValue"),
      (#"{"doubleValue":"nan"}"#, "/doubleValue"), (#"{"doubleValue":"1e999"}"#, "/doubleValue"),
      (#"{"bytesValue":"A"}"#, "/bytesValue"), (#"{"bytesValue":"A=B="}"#, "/bytesValue"),
      (#"{"timestampValue":"2025-02-30T00:00:00Z"}"#, "/timestampValue"),
      (
        #"{"mapValue":{"fields":{"a/~":{"arrayValue":{"values":[{"nullValue":null},{}]}}}}}"#,
        "/mapValue/fields/a~1~0/arrayValue/values/1"
      ),
      (#"{"geoPointValue":{"latitude":91}}"#, "/geoPointValue"),
    ])
  func refused(_ text: String, _ place: String) throws {
    let message = try MessageText(Array(text.utf8))
    let error = try #require(throws: FirestoreFormatError.self) {
      try FirestoreValue(message.root)
    }
    #expect(error.place == place)
  }

  @Test("nesting is bounded, on the way in")
  func depth() throws {
    func nested(_ count: Int) -> String {
      String(repeating: #"{"mapValue":{"fields":{"a":"#, count: count) + #"{"nullValue":null}"#
        + String(repeating: "}}}", count: count)
    }
    _ = try read(nested(FirestoreValue.readDepthLimit)) { try FirestoreValue($0) }
    #expect(throws: FirestoreFormatError.self) {
      try read(nested(FirestoreValue.readDepthLimit + 1)) { try FirestoreValue($0) }
    }
    #expect(throws: FirestoreFormatError.self) { try read(nested(300)) { $0.isNull } }
  }

  @Test(
    "timestamps",
    arguments: [
      ("2025-11-16T10:00:00Z", 1_763_287_200, 0, "2025-11-16T10:00:00Z"),
      ("2025-11-16T10:00:00.5Z", 1_763_287_200, 500_000_000, "2025-11-16T10:00:00.500Z"),
      ("2025-11-16T11:00:00.000001+01:00", 1_763_287_200, 1000, "2025-11-16T10:00:00.000001Z"),
      ("1969-12-31T23:59:59.999999999Z", -1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
    ])
  func timestamp(_ text: String, _ seconds: Int64, _ nanoseconds: Int32, _ out: String) throws {
    let time = try #require(FirestoreTimestamp(text: text))
    #expect(time.seconds == seconds)
    #expect(time.nanoseconds == nanoseconds)
    #expect(time.text == out)
    #expect(FirestoreTimestamp(time.wallTime).seconds == seconds)
  }

  @Test(
    "what is no timestamp",
    arguments: [
      "", "2025-11-16", "2025-11-16T10:00:00", "2025-11-16T10:00:00.Z",
      "2025-11-16T10:00:00.1234567890Z", "2025-11-16T24:00:00Z", "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+01:00", "2025-11-16T10:00:00+1:00", "2025-11-16T10:00:00ZZ",
    ])
  func noTimestamp(_ text: String) { #expect(FirestoreTimestamp(text: text) == nil) }
}
