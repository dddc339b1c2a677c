// Files of other forms, recognised by their first bytes, so that a message can name them.

/// Recognises forms that cannot be read.
package enum ForeignFile {
  /// The number of bytes that are examined.
  static let startBytes = 24

  /// A form that is known but cannot be read.
  package enum Form: Hashable, Sendable {
    /// Blocks compressed with LZFSE.
    case lzfse
    /// An archive of content-addressed blocks, which only an import reads.
    case car
    /// An archive in the encrypted form of before version 0.2.
    case oldSealed
  }

  /// The error for a file in a known form that cannot be read.
  ///
  /// - Parameters:
  ///   - start: its first bytes.
  ///   - name: its name in messages.
  /// - Returns: `nil` for a form that can be read, or is unknown.
  package static func error(_ start: some Collection<UInt8>, _ name: String) -> InputFault? {
    let start = Array(start.prefix(startBytes))
    // Blocks of LZFSE: bvx1, bvx2, bvxn and the stored bvx-.
    if start.starts(with: Array("bvx".utf8)), start.count > 3, Array("12n-".utf8).contains(start[3])
    {
      return .foreign(name: name, .lzfse)
    }
    if start.starts(with: [0x89] + Array("redoseal\r\n".utf8)) {
      return .foreign(name: name, .oldSealed)
    }
    return isCAR(start) ? .foreign(name: name, .car) : nil
  }

  /// Whether a file begins like a CAR file: a map whose first name is "roots", after its length in bytes.
  static func isCAR(_ start: some Collection<UInt8>) -> Bool {
    let start = Array(start.prefix(startBytes))
    let car = [0xA2, 0x65] + Array("roots".utf8)
    return (1...5).contains { start.dropFirst($0).starts(with: car) }
  }
}
