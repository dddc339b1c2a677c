// Places (receipts, section 5.4): the cell of the grid in which somebody was, and the name of what was noted.

internal import DAGCBOR
internal import RedoCrypto

/// A cell of the grid of about 500 metres.
package struct FuzzyPlace: Equatable, Sendable {
  /// The latitude that stands for the cell, in degrees.
  package let latitude: Double
  /// The longitude that stands for it, in degrees from -180, which is 180, too.
  package let longitude: Double
  /// How far from there somebody may have been, in metres.
  package static let radius = 500

  /// The cell of a point.
  ///
  /// - Parameters:
  ///   - latitude: degrees from -90 to 90.
  ///   - longitude: degrees from -180 to 180.
  package init(latitude: Double, longitude: Double) {
    let row = (200 * latitude + 0.5).rounded(.down)
    self.latitude = row / 200 + 0
    // Meridians come together: near the poles cells are of more degrees.
    let scale: Double
    switch abs(row) {
    case ...9000: scale = 1
    case ...13800: scale = 2
    case ...16000: scale = 4
    case ...17000: scale = 8
    default:
      self.longitude = 0
      return
    }
    var column = scale * (200 * longitude / scale + 0.5).rounded(.down)
    if column >= 36000 { column -= 72000 }
    self.longitude = column / 200 + 0
  }
}

/// Where somebody was, exactly.
package struct PrecisePlace: Equatable, Sendable {
  /// Degrees from -90 to 90.
  package var latitude: Double
  /// Degrees from -180 to 180.
  package var longitude: Double
  /// How exact that is, in metres.
  package var accuracy: Double?
  /// What the place is called.
  package var name: String?
  /// When somebody was there, in milliseconds since 1970.
  package var captured: Int64

  /// A place of its parts.
  package init(latitude: Double, longitude: Double, captured: Int64) {
    self.latitude = latitude
    self.longitude = longitude
    self.captured = captured
  }

  /// The CID of what is noted: salted, as coordinates alone are guessed in seconds.
  ///
  /// - Parameter salt: 16 random bytes.
  /// - Returns: the text of the CID.
  package func cid(salt: [UInt8]) -> String {
    var keys = ["captured_at", "latitude", "longitude", "salt"]
    if accuracy != nil { keys.append("accuracy") }
    if name != nil { keys.append("place_name") }
    var writer = CBORWriter()
    writer.map(keys) { key, writer in
      switch key {
      case "captured_at": writer.value(captured)
      case "latitude": writer.value(latitude + 0)
      case "longitude": writer.value(longitude + 0)
      case "accuracy": writer.value((accuracy ?? 0) + 0)
      case "place_name": writer.value(name ?? "")
      default: writer.value(salt)
      }
    }
    return ObjectID(digest: SHA256.digest(of: writer.bytes.span)).cidText(as: .blob)
  }
}
