// What should be a pack may be something else: its first bytes tell.

extension PackSource {
  /// The first bytes.
  ///
  /// - Parameter count: how many.
  /// - Returns: fewer only when there are no more.
  /// - Throws: `system`.
  package func start(_ count: Int) throws(PackError) -> [UInt8] { try read(count, at: 0) }
}
