// Messages of shares: lines that come back as they went, and nothing else.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Messages of shares")
struct ShareMessageTests {
  private static let sender = DeviceName(did: "did:a:b", deviceID: "D1")

  private static func message() -> ShareMessage {
    ShareMessage(
      messageID: "11111111-2222-4333-8444-555555555555", receipt: StoredObject(blob: [1]).id,
      payload: [UInt8](repeating: 7, count: 40),
      wrapped: ["B2": [UInt8](repeating: 2, count: 60), "B1": [UInt8](repeating: 1, count: 60)],
      sender: sender, recipients: ["did:x:2", "did:x:1", "did:x:2"], created: 1_740_816_000_123,
      signature: Signature(bytes: InlineArray(repeating: 9)))
  }

  private static func text(_ message: ShareMessage) -> String {
    String(decoding: message.line, as: UTF8.self)
  }

  @Test("a message comes back as it went, with its people sorted and named once")
  func again() throws {
    let message = Self.message()
    #expect(message.recipients == ["did:x:1", "did:x:2"])
    let read = try ShareMessage(line: message.line)
    #expect(read.line == message.line)
    #expect(read.wrapped == message.wrapped && read.created == message.created)
    #expect(read.receipt == message.receipt && read.signature == message.signature)
  }

  @Test(
    "a time is read as milliseconds since 1970, or as the app's seconds since 2001",
    arguments: [("1740816000123", 1_740_816_000_123), ("762508800.5", 1_740_816_000_500)]
      as [(String, Int64)])
  func times(written: String, wanted: Int64) throws {
    let line = Self.text(Self.message()).replacing("1740816000123", with: written)
    #expect(try ShareMessage(line: Array(line.utf8)).created == wanted)
  }

  @Test("a member that is missing or of another form is named")
  func refusals() throws {
    let line = Self.text(Self.message())
    let members = [
      "created_at", "encrypted_payload", "message_id", "receipt_cid", "sender_device_id",
      "sender_did", "signature",
    ]
    for name in members {
      let without = line.replacing("\"\(name)\":", with: "\"other_\(name)\":")
      #expect(throws: ShareFormFault.self) { try ShareMessage(line: Array(without.utf8)) }
      do throws(ShareFormFault) {
        _ = try ShareMessage(line: Array(without.utf8))
      } catch {
        #expect(error.member == name)
      }
    }
    for (from, to) in [
      ("AQEB", "AQE"), ("\"B1\":\"", "\"B1\":\"AAAA"), ("\"B1\":\"A", "\"B1\":[],\"x\":\"A"),
      (":[\"did:x:1\"", ":[7"), ("bafyrei", "bafkrei"),
    ] {
      let spoiled = line.replacing(from, with: to, maxReplacements: 1)
      #expect(spoiled != line)
      #expect(throws: ShareFormFault.self, "\(to)") {
        try ShareMessage(line: Array(spoiled.utf8))
      }
    }
    for text in ["", "[]", "7", "{", String(repeating: " ", count: ShareMessage.byteLimit) + "{}"] {
      #expect(throws: ShareFormFault.self) { try ShareMessage(line: Array(text.utf8)) }
    }
  }
}
