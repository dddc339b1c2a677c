// `createdAt` of a remote's copy: every form that clients have written, and texts that are none of these.

import RedoObject
import TestSupport
import Testing

@Suite("Time of creation")
struct CreatedAtTests {
  private func read(_ value: String, _ envelope: NodeDecoder.Envelope = .strip) -> CreatedAt? {
    let text = Array(nodeText(["createdAt": value]).utf8)
    var decoder = NodeDecoder(envelope: envelope)
    let node = decoder.decode(text.span)
    #expect((node != nil) == (envelope == .strip), "\(value)")
    return decoder.createdAt
  }

  @Test(
    "known forms",
    arguments: [
      (#""2025-03-01T08:00:00.000Z""#, 1_740_816_000_000),
      (#""2025-03-01T08:00:00Z""#, 1_740_816_000_000),
      (#""2025-03-01T08:00:00.123456789Z""#, 1_740_816_000_123),
      (#""2025-03-01T10:00:00.5+02:00""#, 1_740_816_000_500),
      (#""1969-12-31T19:00:00-05:00""#, 0),
      (#"{"_seconds":1740816000,"_nanoseconds":123456789}"#, 1_740_816_000_123),
      (#"{"seconds":1740816000,"nanoseconds":0}"#, 1_740_816_000_000),
      (#"{"nanoseconds":999999999,"seconds":-1}"#, -1),
      (#"{"_seconds":1.740816e9}"#, 1_740_816_000_000),
      (#"{"timestampValue":"2025-03-01T08:00:00.1Z"}"#, 1_740_816_000_100),
    ])
  func known(value: String, milliseconds: Int64) {
    #expect(read(value) == .time(WallTime(milliseconds: milliseconds)))
  }

  @Test(
    "anything else is told as it stands",
    arguments: [
      #""""#, #""yesterday""#, #""2025-02-30T08:00:00Z""#, #""2025-03-01T08:00:00""#, "1740816000",
      "true",
      "[]", "{}", #"{"_nanoseconds":1}"#, #"{"_seconds":"1740816000"}"#, #"{"_seconds":0.5}"#,
      #"{"_seconds":1,"seconds":1}"#, #"{"_nanoseconds":1000000000,"_seconds":1}"#,
      #"{"_nanoseconds":-1,"_seconds":1}"#, #"{"_seconds":253402300800}"#,
      #"{"_seconds":1,"zone":"UTC"}"#, #"{"timestampValue":1}"#,
      #"{"_seconds":1,"timestampValue":"2025-03-01T08:00:00Z"}"#,
      #""0001-01-01T00:00:00+00:01""#,
    ])
  func unknown(value: String) {
    #expect(read(value) == .unknown(value))
  }

  @Test("an absent one and null say nothing, and where no copy is expected none is read")
  func absent() {
    #expect(read("null") == nil)
    #expect(read(#""2025-03-01T08:00:00Z""#, .refuse) == nil)
    var decoder = NodeDecoder(envelope: .strip)
    #expect(decoder.decode(Array(nodeText(["createdAt": #""x""#]).utf8).span) != nil)
    #expect(decoder.createdAt == .unknown(#""x""#))
    #expect(decoder.decode(Array(nodeText().utf8).span) != nil)
    #expect(decoder.createdAt == nil)
  }

  @Test("it is never a part of the body")
  func body() throws {
    let plain = try #require(decode(nodeText()).node)
    var decoder = NodeDecoder(envelope: .strip)
    for value in [#""2025-03-01T08:00:00Z""#, #"{"_seconds":1}"#, #""x""#] {
      let text = Array(nodeText(["createdAt": value]).utf8)
      #expect(decoder.decode(text.span)?.id == plain.id)
    }
  }
}
