// The content of a sealed archive, decrypted to its end before any of it is used: in memory when it is small, otherwise
// in a file without a name, so that nobody finds it by a path.

package import RedoStore

/// Opens sealed archives.
package enum SealedSource {
  /// Decrypts a file.
  ///
  /// - Parameters:
  ///   - source: where its bytes are.
  ///   - path: its name in messages.
  ///   - keys: what is tried.
  ///   - effects: whose keyring and terminal are asked, and where temporary files lie.
  /// - Returns: where the decrypted bytes are, and how many the file has.
  /// - Throws: `SealFault.locked` when nothing opens it; `SealFault.file` when it is damaged.
  package static func open(
    _ source: consuming PackSource, _ path: String, _ keys: SealKeys, _ effects: Effects
  ) throws -> Opened {
    var reader: SealedReader
    do throws(SealedError) {
      reader = try SealedReader(source)
    } catch {
      throw SealKeys.failure(error, path)
    }
    try keys.unlock(&reader, path, effects)
    var copy = HiddenCopy(in: effects.surroundings.usual.temporaryDirectory)
    while let bytes = try next(&reader, path) {
      try effects.checkInterrupt()
      try copy.add(bytes)
    }
    return Opened(source: copy.finish(), fileBytes: reader.fileBytes)
  }

  /// The content of a sealed file.
  package struct Opened: ~Copyable {
    package let source: PackSource
    package let fileBytes: Int

    /// Hands over the place of the bytes.
    package consuming func take() -> PackSource { source }
  }

  private static func next(
    _ reader: inout SealedReader, _ path: String
  ) throws -> [UInt8]? {
    do throws(SealedError) { return try reader.next() } catch {
      throw SealKeys.failure(error, path)
    }
  }
}
