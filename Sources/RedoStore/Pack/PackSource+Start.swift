// What should be a pack may be something else: its first bytes tell.

extension PackSource {
  /// The first bytes.
  ///
  /// - Parameter count: how many.
  /// - Returns: fewer only when there are no more.
  /// - Throws: `system`.
  package func start(_ count: Int) throws(PackError) -> [UInt8] { try part(count, at: 0) }

  /// The number of bytes.
  ///
  /// - Throws: `system`.
  package func byteCount() throws(PackError) -> Int { try size() }

  /// A part.
  ///
  /// - Parameters:
  ///   - count: how many bytes.
  ///   - offset: where they begin.
  /// - Returns: fewer only when there are no more.
  /// - Throws: `system`, `corrupt`.
  package func part(_ count: Int, at offset: Int) throws(PackError) -> [UInt8] {
    try read(count, at: offset)
  }
}
