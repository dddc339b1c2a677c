// Whether what should be a pack is a sealed one.

extension PackSource {
  /// Whether the bytes begin as a sealed file does.
  ///
  /// - Returns: `false` for a pack, and for anything else.
  /// - Throws: `system`.
  package func isSealed() throws(PackError) -> Bool {
    SealedFile.isSealed(try read(SealedFile.magic.count, at: 0))
  }
}
