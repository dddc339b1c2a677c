// What a keyring holds is in slots, each a file of its own, so that storing one secret never touches
// another. Some have a meaning; any other name is free.

internal import RedoCrypto
package import RedoObject

/// The name of a slot: `[a-z0-9][a-z0-9_.-]{0,63}`, and so the name of its file.
package struct SlotName: Hashable, Sendable {
  /// The most bytes of a name.
  package static let byteLimit = 64
  /// What the names of unfinished files begin with; no slot's does.
  static let temporaryPrefix = "tmp_"
  /// What the names of retired keys begin with.
  private static let retiredPrefix = "retired."

  /// The name.
  package let text: String

  private init(known text: String) { self.text = text }

  /// Reads a name.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.byteLimit, let first = text.utf8.first,
      Self.isAlphanumeric(first),
      text.utf8.allSatisfy({ Self.isAlphanumeric($0) || "_.-".utf8.contains($0) }),
      !text.hasPrefix(Self.temporaryPrefix)
    else { return nil }
    self.text = text
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// The private key: plain hex of the seed, or a `WrappedKey`.
  package static let privateKey = SlotName(known: "ed25519_private_key")
  /// The public key.
  package static let publicKey = SlotName(known: "ed25519_public_key")
  /// The user id that the public key gives.
  package static let userID = SlotName(known: "user_id")
  /// The device id.
  package static let deviceID = SlotName(known: "device_id")
  /// The device's name for people.
  package static let deviceName = SlotName(known: "device_name")
  /// The key by which others share secrets with this device: an `ExchangeKeyText`.
  package static let exchangeKey = SlotName(known: "x25519_private_key")
  /// The CID of the card of this device: where it is found again.
  package static let deviceCard = SlotName(known: "device_card")
  /// A token of Google's.
  package static let googleAccessToken = SlotName(known: "google_access_token")
  /// A token of Firebase's, another thing than Google's.
  package static let firebaseToken = SlotName(known: "firebase_token")

  /// The slots that have a meaning.
  package static let known = [
    privateKey, publicKey, userID, deviceID, deviceName, deviceCard, exchangeKey, googleAccessToken,
    firebaseToken,
  ]

  /// The place of a key pair that has been replaced.
  ///
  /// - Parameters:
  ///   - user: the owner.
  ///   - isPrivate: whether the private key exists, not only the public one.
  ///   - number: 1, or more when the same key already has that name in another form.
  /// - Returns: the name.
  package static func retired(_ user: UserID, isPrivate: Bool, number: Int = 1) -> SlotName {
    let count = number > 1 ? ".\(number)" : ""
    return SlotName(known: "\(retiredPrefix)\(user.text)\(count)\(isPrivate ? ".key" : ".pub")")
  }

  /// What kind of thing the slot holds.
  package var kind: SlotKind {
    switch self {
    case .privateKey: return .privateKey
    case .publicKey: return .publicKey
    case .userID: return .userID
    case .exchangeKey: return .exchangeKey
    case .deviceID, .deviceName, .deviceCard: return .text
    case .googleAccessToken, .firebaseToken: return .token
    default:
      guard text.hasPrefix(Self.retiredPrefix) else { return .generic }
      return text.hasSuffix(".key") ? .retiredPrivateKey : .retiredPublicKey
    }
  }
}

extension SlotName: Comparable {
  /// Bytewise.
  package static func < (left: SlotName, right: SlotName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

/// What kind of thing a slot holds.
package enum SlotKind: String, CaseIterable, Sendable {
  /// The key that signs.
  case privateKey = "private-key"
  /// The public half.
  case publicKey = "public-key"
  /// The user id that is derived from it.
  case userID = "user-id"
  /// A private key by which secrets are shared.
  case exchangeKey = "exchange-key"
  /// A line of text that is not secret.
  case text
  /// A line of text that somebody else issued.
  case token
  /// A private key that another took the place of.
  case retiredPrivateKey = "retired-private-key"
  /// A public key that another took the place of.
  case retiredPublicKey = "retired-public-key"
  /// Any bytes.
  case generic

  /// Whether the slot holds a private key.
  package var isPrivateKey: Bool { self == .privateKey || self == .retiredPrivateKey }
  /// Whether the slot holds a key that has been replaced.
  package var isRetired: Bool { self == .retiredPrivateKey || self == .retiredPublicKey }
  /// Whether only the commands about keys write it.
  package var isOfKeys: Bool {
    switch self {
    case .privateKey, .publicKey, .userID, .retiredPrivateKey, .retiredPublicKey: true
    case .exchangeKey, .text, .token, .generic: false
    }
  }
  /// Whether the secret can be stored for some addresses only.
  package var isBindable: Bool { self == .token || self == .generic }
  /// Whether the contents are one line.
  package var isLine: Bool { self != .generic && !isPrivateKey }

  /// What a key by which secrets are shared is to be.
  static let exchangeKeyForm = "it is neither 64 lower-case hex digits nor a sealed X25519 key"

  /// The most bytes of a slot.
  package static let byteLimit = 65_536
  /// The most bytes of the file of a slot.
  var fileByteLimit: Int { Self.byteLimit + (isBindable ? BoundSecret.headByteLimit : 0) }
  /// The most bytes of a line in a slot: tokens have a few thousand.
  package static let lineLimit = 16_384

  /// What is wrong with a value for a slot of this kind.
  ///
  /// - Parameter value: the contents, without the line feed that ends a line.
  /// - Returns: `nil` when nothing is; never a part of the value.
  package func fault(of value: Span<UInt8>) -> String? {
    if value.isEmpty { return "it is empty" }
    switch self {
    case .generic: return value.count > Self.byteLimit ? "it is too large" : nil
    case .privateKey, .retiredPrivateKey: return nil
    case .publicKey, .retiredPublicKey:
      return Hex.decode32(value) == nil ? "a public key is 64 lower-case hex digits" : nil
    case .userID:
      return UserID(hex: value) == nil
        ? "a user id is the first 32 lower-case hex digits of a public key, not an account's id"
        : nil
    case .exchangeKey: return ExchangeKeyText.read(value) == nil ? Self.exchangeKeyForm : nil
    case .text: return Self.faultOfLine(value)
    case .token:
      if Hex.decode32(value) != nil { return "that is a key, and no token" }
      if UserID(hex: value) != nil { return "that is a user id, and no token" }
      return Self.faultOfLine(value)
    }
  }

  private static func faultOfLine(_ value: Span<UInt8>) -> String? {
    guard value.count <= lineLimit else { return "it is too long for a line" }
    for index in value.indices where value[index] < 0x20 || value[index] == 0x7F {
      return "it is not one line of text"
    }
    return isText(value) ? nil : "it is not UTF-8"
  }

  /// Whether bytes are UTF-8, without making a text of what may be a secret.
  private static func isText(_ value: Span<UInt8>) -> Bool {
    var index = 0
    while index < value.count {
      let first = value[index]
      let (count, least): (Int, UInt32)
      switch first {
      case 0...0x7F: (count, least) = (0, 0)
      case 0xC2...0xDF: (count, least) = (1, 0x80)
      case 0xE0...0xEF: (count, least) = (2, 0x800)
      case 0xF0...0xF4: (count, least) = (3, 0x10000)
      default: return false
      }
      guard index + count < value.count else { return false }
      var scalar = count == 0 ? UInt32(first) : UInt32(first) & (0x3F >> UInt32(count))
      for offset in 0..<count {
        let byte = value[index + 1 + offset]
        guard byte & 0xC0 == 0x80 else { return false }
        scalar = scalar << 6 | UInt32(byte & 0x3F)
      }
      guard scalar >= least, Unicode.Scalar(scalar) != nil else { return false }
      index += 1 + count
    }
    return true
  }
}
