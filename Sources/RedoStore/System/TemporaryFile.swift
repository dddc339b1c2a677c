// A file under a temporary name that either gets its final name or vanishes.

internal import Glibc

/// A new file under a temporary name: commit it, or it vanishes.
package struct TemporaryFile: ~Copyable, Sendable {
  /// The open file.
  package let file: File
  /// Its temporary name: the prefix and 16 hex digits.
  package let name: String
  private let directory: Directory
  private var isCommitted = false

  /// What to do about a final name that exists.
  package enum Replacing: Sendable {
    /// Leave what is there, and answer `false`.
    case never
    /// Replace it in one step.
    case always
  }

  /// Makes a new, empty file.
  ///
  /// - Parameters:
  ///   - directory: its directory, before and after it is committed.
  ///   - prefix: how its temporary name begins.
  ///   - mode: its permissions, before the umask.
  /// - Throws: what open(2) answered.
  package init(
    in directory: borrowing Directory, prefix: String, mode: UInt32
  ) throws(SystemError) {
    while true {
      let name = prefix + Random.hex16()
      do throws(SystemError) {
        file = try directory.openFile(name, .readWrite, [.create, .exclusive], mode: mode)
        self.name = name
        self.directory = directory.share()
        return
      } catch {
        // 64 random bits: a collision is all but impossible, and another name costs nothing.
        guard error.isExisting else { throw error }
      }
    }
  }

  deinit {
    // There is nobody left to report to; the file that remains has a name that is never read.
    if !isCommitted { _ = try? directory.unlink(name) }
  }

  /// Gives the file its final name in the same directory.
  ///
  /// Contents that must survive a crash are synced before this, and the directory after it.
  ///
  /// - Parameters:
  ///   - final: the name.
  ///   - replacing: what to do when it exists.
  /// - Returns: `false` when the name exists and stays as it is; the temporary file then vanishes.
  /// - Throws: what rename(2) answered.
  package mutating func commit(
    as final: String, replacing: Replacing
  ) throws(SystemError) -> Bool {
    precondition(!isCommitted, "BUG: a temporary file is committed twice")
    switch replacing {
    case .always: try directory.rename(name, to: final)
    case .never: guard try directory.renameNoReplace(name, to: final) else { return false }
    }
    isCommitted = true
    return true
  }
}
