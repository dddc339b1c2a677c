// Files of other forms, told by what they begin with, so that a message can name them.

internal import RedoStore

/// Tells forms that are not read.
package enum ForeignFile {
  /// How many bytes are looked at.
  static let startBytes = 24

  /// What to say of a file, if its form is known and not read.
  ///
  /// - Parameters:
  ///   - start: its first bytes.
  ///   - name: what messages call it.
  /// - Returns: `nil` for a form that is read, or not known at all.
  package static func error(_ start: some Collection<UInt8>, _ name: String) -> CommandError? {
    let start = Array(start.prefix(startBytes))
    // Blocks of LZFSE: bvx1, bvx2, bvxn and the stored bvx-.
    if start.starts(with: Array("bvx".utf8)), start.count > 3, Array("12n-".utf8).contains(start[3])
    {
      return .fatal(
        "'\(name)' is compressed with LZFSE, which is not read here",
        hints: ["the app's own export is not compressed; 'lzfse -decode' makes JSON of it"],
        code: "STORAGE_003")
    }
    // A map whose first name is "roots", behind the number of its bytes.
    let car = [0xA2, 0x65] + Array("roots".utf8)
    if (1...5).contains(where: { start.dropFirst($0).starts(with: car) }) {
      return .fatal(
        "'\(name)' is a CAR file, which is written here but not read",
        hints: ["'redo export --format=ndjson' writes the same for 'redo import'"],
        code: "STORAGE_003")
    }
    return nil
  }
}
