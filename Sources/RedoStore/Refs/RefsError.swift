// What can go wrong with refs, their journal, the reflog and the received log.

/// Why refs could not be read or written.
package enum RefsError: Error, Hashable, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// A file breaks a rule of its format.
  case corrupt(Corruption)
  /// A file has a version this program does not know.
  case unsupportedFormat(file: String, version: String)
  /// Another process still holds the lock; another try may help.
  case locked(path: String)
  /// The journal is corrupt: nothing is written until it has been repaired. The bytes from the
  /// corruption on have been copied to `savedTo`, below the store's directory.
  case writeRefusedWhileCorrupt(Corruption, savedTo: String)
  /// Refs and journal have less than other files know of.
  case behind(RefsShortfall)
  /// A change has more bytes than a record can hold.
  case tooLarge(file: String)

  /// Where a file breaks which rule.
  package struct Corruption: Hashable, Sendable {
    /// The file's path.
    package let file: String
    /// The place of the first byte of the part that is wrong.
    package let offset: Int
    /// The rule it breaks, as a clause.
    package let rule: String

    /// Whether it is one of the files that a repair of the refs rebuilds.
    package var isOfRefs: Bool {
      let name = file.split(separator: "/").last.map(String.init)
      return [Refs.Name.refs, Refs.Name.journal, Refs.Name.reflog, Refs.Name.received].contains(
        name)
    }
  }

  static func corrupt(_ file: String, at offset: Int, _ rule: String) -> RefsError {
    .corrupt(Corruption(file: file, offset: offset, rule: rule))
  }

  /// Runs system calls, and makes their error one of this family.
  static func wrapping<Value: ~Copyable>(
    _ calls: () throws(SystemError) -> Value
  ) throws(RefsError) -> Value {
    do throws(SystemError) {
      return try calls()
    } catch {
      throw .system(error)
    }
  }
}

extension RefsError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .corrupt(let corruption): corruption.description
    case .unsupportedFormat(let file, let version):
      "'\(file)' has the unknown format version '\(version)'"
    case .locked(let path): "'\(path)' is locked by another process"
    case .writeRefusedWhileCorrupt(let corruption, let saved):
      "\(corruption.description); its bytes are kept in '\(saved)', and nothing is written "
        + "before a repair"
    case .behind(let shortfall): shortfall.description
    case .tooLarge(let file): "the change is too large for '\(file)'"
    }
  }
}

extension RefsShortfall: CustomStringConvertible {
  /// One line for people.
  package var description: String { sentence("'\(file)'") }
  /// What is wrong, for a row about the file that has less.
  var clause: String { sentence(String(file.split(separator: "/").last ?? "")) }

  private func sentence(_ file: String) -> String {
    stated > found
      ? "the refs end with change \(found), but \(file) knows of change \(stated)"
      : "change \(stated) of the refs is not the one of which \(file) knows"
  }
}

extension RefsError.Corruption: CustomStringConvertible {
  /// One line for people.
  package var description: String { "'\(file)' is corrupt at byte \(offset): \(rule)" }
}
