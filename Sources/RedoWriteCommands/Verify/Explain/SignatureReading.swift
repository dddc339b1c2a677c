// What a client may have signed: the two messages that are accepted, and others that never are.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A message, and whether a node's signature is valid for it.
struct SignatureReading {
  /// A word for it.
  let name: String
  /// Whether a signature over such a message makes a node good.
  let isAccepted: Bool
  /// The message.
  let message: [UInt8]
  /// Whether the signature is valid; `nil` without a signature or a key.
  let holds: Bool?

  private init(
    _ name: String, _ message: [UInt8], isAccepted: Bool = false, _ signature: Signature?,
    _ key: PublicKey?
  ) {
    self.name = name
    self.message = message
    self.isAccepted = isAccepted
    if let signature, let key {
      holds = Ed25519.isValid(signature, of: message.span, by: key)
    } else {
      holds = nil
    }
  }

  /// All readings of a node; those based on a wrong recipe for the id are included only if the signature is valid.
  ///
  /// - Parameters:
  ///   - ids: the recipes for its id, the protocol's first.
  ///   - stated: the id that it states.
  ///   - signature: its signature.
  ///   - key: the key of its author.
  /// - Returns: the readings, the accepted ones first.
  static func all(
    _ ids: [IDReading], stated: ObjectID?, _ signature: Signature?, _ key: PublicKey?
  ) -> [SignatureReading] {
    guard let body = ids.first else { return [] }
    var readings: [SignatureReading] = []
    func add(
      _ name: String, _ message: [UInt8], isAccepted: Bool = false, onlyIfHolds: Bool = false
    ) {
      guard !readings.contains(where: { $0.message == message }) else { return }
      let reading = SignatureReading(name, message, isAccepted: isAccepted, signature, key)
      if !onlyIfHolds || reading.holds == true { readings.append(reading) }
    }
    func digest(_ id: ObjectID) -> [UInt8] { (0..<32).map { id[$0] } }

    add("body", body.text, isAccepted: true)
    add("digest", digest(body.id), isAccepted: true)
    add("id", Array(body.id.text.utf8))
    add("hex-digest", Array(body.id.hex.utf8))
    add("upper-hex-digest", Array(body.id.hex.uppercased().utf8))
    if let with = ids.first(where: { $0.name == "with-id" }) {
      add("body-with-id", with.text)
    }
    add("body-line-feed", body.text + [UInt8(ascii: "\n")])
    if let stated, stated != body.id {
      add("stated-id", Array(stated.text.utf8))
      add("stated-hex", Array(stated.hex.utf8))
      add("stated-digest", digest(stated))
    }
    for reading in ids.dropFirst() {
      add(reading.name, reading.text, onlyIfHolds: true)
      add("\(reading.name)-digest", digest(reading.id), onlyIfHolds: true)
      add("\(reading.name)-id", Array(reading.id.text.utf8), onlyIfHolds: true)
      add("\(reading.name)-hex", Array(reading.id.hex.utf8), onlyIfHolds: true)
    }
    return readings
  }
}
