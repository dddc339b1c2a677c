// A directory of its own for a test, removed with whatever is in it.

package import Foundation

/// A directory that is removed with its last owner.
///
/// A class, because only one removes it.
package final class TemporaryDirectory: Sendable {
  /// Its path.
  package let path: String

  /// Creates an empty directory; if that fails, so does whatever is written to it.
  package init() {
    path = FileManager.default.temporaryDirectory.appending(path: "redo-test-\(UUID())").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in it.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Whether there is a file of this name.
  package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Writes a file.
  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
  }

  /// Every file below a directory, with its bytes; directories themselves are left out.
  package func contents(of directory: String) -> [String: Data] {
    var found: [String: Data] = [:]
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? [] {
      found[name] = FileManager.default.contents(atPath: "\(directory)/\(name)") ?? Data()
    }
    return found
  }
}
