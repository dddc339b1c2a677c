// What a side says before it gives up.

/// Why a peer cannot go on: a code for programs and a text for people.
package struct PeerFault: Hashable, Sendable {
  /// The kinds of faults; an unknown one is kept.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The word on the wire: lower-case letters and `-`.
    package let rawValue: String

    /// A code; `nil` for anything but 1 to 32 lower-case letters and `-`.
    package init?(rawValue: String) {
      let bytes = Array(rawValue.utf8)
      guard (1...32).contains(bytes.count),
        bytes.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D })
      else { return nil }
      self.rawValue = rawValue
    }

    private init(_ word: StaticString) { rawValue = word.description }

    /// What was sent does not have the form it should have.
    package static let malformed = Code("malformed")
    /// What was sent has no place there.
    package static let unexpected = Code("unexpected")
    /// A limit was exceeded.
    package static let limit = Code("limit")
    /// No version in common.
    package static let version = Code("version")
    /// What is there is not what was there: it has gone back, or is another store.
    package static let changed = Code("changed")
    /// The client may not do that.
    package static let denied = Code("denied")
    /// Not now; a repetition may help.
    package static let unavailable = Code("unavailable")
    /// The side that says so has a problem of its own.
    package static let stopped = Code("stopped")
  }

  /// The most bytes of a text.
  package static let textLimit = 1024

  /// What kind of fault it is.
  package let code: Code
  /// What it is; a peer's is to be escaped before it is shown.
  package let text: String

  /// A fault.
  ///
  /// - Parameters:
  ///   - code: what kind it is.
  ///   - text: what it is; what is beyond the limit is left out.
  package init(_ code: Code, _ text: String) {
    self.code = code
    self.text =
      Array(text.utf8).count <= Self.textLimit
      ? text : String(text.unicodeScalars.prefix(Self.textLimit / 4))
  }

  /// The payload of a frame.
  package var bytes: [UInt8] { Array(code.rawValue.utf8) + [0x20] + Array(text.utf8) }

  /// Reads the payload of a frame.
  ///
  /// - Parameter bytes: the code, a blank and the text.
  /// - Throws: `malformed`.
  package init(decoding bytes: [UInt8]) throws(RemoteError) {
    let malformed = RemoteError.malformed(offset: 0, reason: "no fault")
    guard let blank = bytes.firstIndex(of: 0x20), bytes.count - blank - 1 <= Self.textLimit,
      let word = String(validating: bytes[..<blank], as: UTF8.self),
      let code = Code(rawValue: word),
      let text = String(validating: bytes[(blank + 1)...], as: UTF8.self)
    else { throw malformed }
    self.code = code
    self.text = text
  }
}
