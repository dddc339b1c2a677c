// A shared receipt on its way (receipts, section 5.1): a line of JSON as the app sends it.
//
//   {"created_at":<ms>,"encrypted_payload":…,"message_id":<uuid>,"receipt_cid":…,"recipient_dids":[…],
//    "sender_device_id":…,"sender_did":…,"signature":…,"wrapped_keys":{<device>:…}}
//
// Bytes are padded Base64. Nothing of it is secret, and nothing of it is believed before it has been opened.

internal import CanonicalJSON
internal import DAGCBOR
package import RedoCrypto

/// Why a text is no message of a share.
package struct ShareFormFault: Error, Equatable, Sendable {
  /// The member that is missing, or of another form; `nil` when it is no JSON object of at most 1 MiB.
  package let member: String?
}

/// A message with a shared receipt.
package struct ShareMessage: Sendable {
  /// The most bytes of a message.
  package static let byteLimit = 1 << 20
  /// The most devices that one is for.
  package static let deviceLimit = 256
  /// A time below this is one of seconds since 2001, as the app sends it.
  private static let millisecondsFrom = 1e11
  /// 2001-01-01 in seconds since 1970.
  private static let appEpoch = 978_307_200.0

  /// The id of the message: a UUID.
  package var messageID: String
  /// The receipt.
  package var receipt: ObjectID
  /// Nonce, ciphertext and tag of its bytes.
  package var payload: [UInt8]
  /// The content key, for each device.
  package var wrapped: [String: [UInt8]]
  /// Who shares it.
  package var senderDID: String
  /// The device that shares it.
  package var senderDevice: String
  /// With whom, ascending.
  package var recipients: [String]
  /// When, in milliseconds since 1970.
  package var created: Int64
  /// The signature of the receipt.
  package var signature: Signature

  /// A message of its parts.
  package init(
    messageID: String, receipt: ObjectID, payload: [UInt8], wrapped: [String: [UInt8]],
    sender: DeviceName, recipients: [String], created: Int64, signature: Signature
  ) {
    self.messageID = messageID
    self.receipt = receipt
    self.payload = payload
    self.wrapped = wrapped
    senderDID = sender.did
    senderDevice = sender.deviceID
    self.recipients = Set(recipients).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.created = created
    self.signature = signature
  }

  /// Reads a line.
  ///
  /// - Parameter bytes: one JSON object; members that are not known are passed over, as the app does.
  /// - Throws: the first member that is missing, or of another form.
  package init(line bytes: [UInt8]) throws(ShareFormFault) {
    guard bytes.count <= Self.byteLimit, let document = try? JSONDocument(bytes, integers: .any),
      document.root.isObject
    else { throw ShareFormFault(member: nil) }
    func fault(_ name: String) -> ShareFormFault { ShareFormFault(member: name) }
    var texts: [String: String] = [:]
    var created: Double?
    var recipients: [String] = []
    var wrapped: [String: [UInt8]] = [:]
    for index in document.root.nameIndices {
      let name = document.root.value(at: index).string ?? ""
      let value = document.root.value(at: index + 1)
      switch name {
      case "created_at": created = value.isNumber ? Double(value.contentText) : nil
      case "recipient_dids":
        for index in value.elementIndices {
          guard let text = value.value(at: index).string else { throw fault(name) }
          recipients.append(text)
        }
      case "wrapped_keys":
        for index in value.nameIndices {
          let key = value.value(at: index + 1).string.flatMap {
            Base64.decode(Array($0.utf8).span)
          }
          guard let key, key.count == ShareWrap.byteCount else { throw fault(name) }
          wrapped[value.value(at: index).string ?? ""] = key
        }
        guard wrapped.count <= Self.deviceLimit else { throw fault(name) }
      default: if let text = value.string { texts[name] = text }
      }
    }
    func text(_ name: String) throws(ShareFormFault) -> String {
      guard let text = texts[name] else { throw fault(name) }
      return text
    }
    func base64(_ name: String) throws(ShareFormFault) -> [UInt8] {
      guard let bytes = Base64.decode(Array(try text(name).utf8).span) else { throw fault(name) }
      return bytes
    }
    guard let cid = CID(text: Array(try text("receipt_cid").utf8).span), cid.codec == .dagCBOR
    else { throw fault("receipt_cid") }
    guard let signature = Signature(base64: Array(try text("signature").utf8).span) else {
      throw fault("signature")
    }
    guard let created, created.isFinite, abs(created) < 1e15 else { throw fault("created_at") }
    messageID = try text("message_id")
    guard 1...200 ~= messageID.unicodeScalars.count else { throw fault("message_id") }
    receipt = ObjectID(cid)
    payload = try base64("encrypted_payload")
    self.wrapped = wrapped
    senderDID = try text("sender_did")
    senderDevice = try text("sender_device_id")
    self.recipients = recipients
    self.signature = signature
    self.created = Int64(
      created < Self.millisecondsFrom ? (created + Self.appEpoch) * 1000 : created)
  }

  /// The line, RFC 8785 JSON without an end.
  package var line: [UInt8] {
    let texts = [
      "encrypted_payload": Base64.text(payload.span), "message_id": messageID,
      "receipt_cid": receipt.cidText(as: .receipt), "sender_device_id": senderDevice,
      "sender_did": senderDID, "signature": Base64.text(signature.bytes.span),
    ]
    var members = texts.mapValues { LocalRow.json($0) }
    members["created_at"] = Array("\(created)".utf8)
    members["recipient_dids"] = LocalRow.array(recipients)
    members["wrapped_keys"] = wrappedKeys
    return LocalRow.object(of: members)
  }

  /// The wrapped keys as RFC 8785 JSON.
  package var wrappedKeys: [UInt8] {
    LocalRow.object(of: wrapped.mapValues { LocalRow.json(Base64.text($0.span)) })
  }
}
