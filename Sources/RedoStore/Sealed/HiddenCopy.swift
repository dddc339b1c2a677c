// The opened contents of a sealed file: in memory up to a limit, beyond it in a file that has no name and
// disappears with the process. Nobody finds it by a path, and a crash leaves nothing that could be found by one;
// its blocks are not overwritten, which a directory in memory makes unnecessary.

/// Keeps bytes that must have no name.
package struct HiddenCopy: ~Copyable {
  private var bytes: [UInt8] = []
  private var file: File?
  private let directory: String
  private let memoryLimit: Int

  /// The bytes that are kept in memory: archives of a few hundred thousand nodes.
  package static let usualMemoryLimit = 1 << 26

  /// A copy of nothing.
  ///
  /// - Parameters:
  ///   - directory: the directory for a file.
  ///   - memoryLimit: how many bytes are kept in memory.
  package init(in directory: String, memoryLimit: Int = usualMemoryLimit) {
    self.directory = directory
    self.memoryLimit = memoryLimit
  }

  /// Adds bytes.
  ///
  /// - Parameter more: the next bytes.
  /// - Throws: what open(2) or write(2) answered.
  package mutating func add(_ more: [UInt8]) throws(SystemError) {
    bytes += more
    guard bytes.count > memoryLimit || file != nil else { return }
    if file == nil { file = try File.unnamed(in: directory) }
    try file?.writeAll(bytes)
    bytes = []
  }

  /// Ends the copy.
  ///
  /// - Returns: where its bytes are.
  package consuming func finish() -> PackSource {
    if let file { return .file(file) }
    return .memory(bytes)
  }
}
