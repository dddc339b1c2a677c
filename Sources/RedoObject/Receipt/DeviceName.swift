// Which device made a receipt: keys belong to devices, not to people (receipts, section 1.5).

internal import RedoCrypto

/// A device of an author.
package struct DeviceName: Hashable, Sendable {
  /// The author.
  package let did: String
  /// The device, as its receipts name it.
  package let deviceID: String

  /// A device by its names.
  package init(did: String, deviceID: String) {
    self.did = did
    self.deviceID = deviceID
  }

  private static let slash = UInt8(ascii: "/")
  private static let percent = UInt8(ascii: "%")

  /// Reads `did/deviceId`, where `%` and two lower-case hex digits stand for a byte.
  ///
  /// - Parameter text: ASCII; `nil` is returned for what `escaped` would not write.
  package init?(escaped text: ArraySlice<UInt8>) {
    let halves = text.split(separator: Self.slash, omittingEmptySubsequences: false)
    guard halves.count == 2, let did = Self.unescape(halves[0]), DID(did[...]) != nil,
      let device = Self.unescape(halves[1]), 1...Receipt.deviceIDLimit ~= device.count,
      let deviceID = String(validating: device, as: UTF8.self)
    else { return nil }
    self.init(did: String(decoding: did, as: UTF8.self), deviceID: deviceID)
    guard Array(escaped.utf8).elementsEqual(text) else { return nil }
  }

  /// `did/deviceId`, where `%` and two lower-case hex digits stand for each byte but letters, digits and `.:_-`.
  package var escaped: String {
    String(
      decoding: Self.escape(did) + [Self.slash] + Self.escape(deviceID), as: UTF8.self)
  }

  private static func unescape(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == percent else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2 else { return nil }
      let (high, low) = (Hex.value(rest.removeFirst()), Hex.value(rest.removeFirst()))
      guard high < 16, low < 16 else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func escape(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        bytes.append(byte)
      default:
        if byte.isLowerCaseLetter || byte.isDigit {
          bytes.append(byte)
        } else {
          bytes.append(percent)
          Hex.append([byte].span, to: &bytes)
        }
      }
    }
    return bytes
  }
}
