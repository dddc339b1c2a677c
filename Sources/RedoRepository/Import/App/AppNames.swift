// The names that the app gave to bytes and places, and the CIDs that stand for them here. Pure.
//
// The app named bytes `bafyrei` and the first 32 hex digits of their SHA-256, which is no CID.

internal import DAGCBOR
internal import RedoCrypto
package import RedoObject

/// The CIDs of what the app gave names.
package struct AppNames: Sendable {
  private static let prefix = "bafyrei"
  private static let digitCount = 32

  /// The CIDs of bytes, by the app's names.
  private var blobs: [String: String] = [:]

  /// No names.
  package init() {}

  /// Notes what the app called some bytes.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - id: the hash of the bytes.
  /// - Throws: the rule that the name breaks.
  package mutating func note(_ name: String, of id: ObjectID) throws(Finding) {
    let cid = id.cidText(as: .blob)
    let own = Self.prefix + Hex.text(id.digest.bytes.span.extracting(first: Self.digitCount / 2))
    guard name == cid || name == own else {
      throw Finding(
        .hashMismatch, at: ["cid"], detail: "the bytes hash to '\(cid)', not to '\(name)'")
    }
    blobs[name] = cid
  }

  /// The CID of bytes; `nil` where their name is none, and they did not come.
  package func blob(_ name: String) -> String? {
    if let cid = blobs[name] { return cid }
    let cid = CID(text: Array(name.utf8).span)
    return cid?.codec == .raw ? name : nil
  }

  /// The CID of a place: the same digest where its name is a CID, otherwise that of its name.
  package static func place(_ name: String) -> String {
    let text = Array(name.utf8)
    if let cid = CID(text: text.span) { return ObjectID(cid).cidText(as: .blob) }
    return ObjectID(digest: SHA256.digest(of: text.span)).cidText(as: .blob)
  }
}
