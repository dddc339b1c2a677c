// Files of other forms, told by what they begin with, so that a message can name them.

/// Tells forms that are not read.
package enum ForeignFile {
  /// How many bytes are looked at.
  static let startBytes = 24

  /// A form that is known and not read.
  package enum Form: Hashable, Sendable {
    /// Blocks that LZFSE has compressed.
    case lzfse
    /// An archive of content-addressed blocks, which is written here.
    case car
  }

  /// What ends the reading of a file, if its form is known and not read.
  ///
  /// - Parameters:
  ///   - start: its first bytes.
  ///   - name: its name in messages.
  /// - Returns: `nil` for a form that is read, or not known at all.
  package static func error(_ start: some Collection<UInt8>, _ name: String) -> InputFault? {
    let start = Array(start.prefix(startBytes))
    // Blocks of LZFSE: bvx1, bvx2, bvxn and the stored bvx-.
    if start.starts(with: Array("bvx".utf8)), start.count > 3, Array("12n-".utf8).contains(start[3])
    {
      return .foreign(name: name, .lzfse)
    }
    // A map whose first name is "roots", behind the number of its bytes.
    let car = [0xA2, 0x65] + Array("roots".utf8)
    if (1...5).contains(where: { start.dropFirst($0).starts(with: car) }) {
      return .foreign(name: name, .car)
    }
    return nil
  }
}
