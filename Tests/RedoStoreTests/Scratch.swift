// A directory of its own for each test, removed when the test ends.

import Glibc
import RedoStore

/// A directory that vanishes with what is in it.
struct Scratch: ~Copyable {
  let path: String
  let directory: Directory

  init() throws {
    path = "/tmp/redo-test-" + Random.hex16()
    guard unsafe mkdir(path, 0o755) == 0 else {
      throw SystemError(code: errno, operation: "create directory", path: path)
    }
    directory = try Directory.open(path)
  }

  deinit { Self.removeAll(path) }

  private static func removeAll(_ path: String) {
    guard let directory = try? Directory.open(path) else { return }
    for name in (try? directory.list()) ?? [] {
      let isDirectory = (try? directory.status(name))?.kind == .directory
      if isDirectory { removeAll(path + "/" + name) } else { _ = try? directory.unlink(name) }
    }
    unsafe rmdir(path)
  }

  /// Writes a whole file.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try directory.openFile(name, .write, [.create, .truncate]).writeAll(bytes)
  }

  /// Writes a whole text file.
  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Reads a whole file.
  func read(_ name: String) throws -> [UInt8] { try directory.readFile(name) ?? [] }
}
