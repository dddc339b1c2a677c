// What can go wrong with the log of documents.

/// Why a log of documents cannot be used.
package enum DocumentLogError: Error, Hashable, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// Another process has the log open.
  case locked(String)
  /// The file breaks a rule of its format.
  case corrupt(String, offset: Int, rule: String)
  /// A record has more bytes than one can hold.
  case tooLarge
  /// Writing has failed in a way that leaves open what is on the disk; nothing more is written.
  case broken(String)

  /// What is wrong with a record of a log.
  init(_ error: RecordError, _ path: String) {
    self =
      switch error {
      case .system(let error): .system(error)
      case .corrupt(let offset, let rule): .corrupt(path, offset: offset, rule: rule)
      }
  }

  /// Runs system calls, and makes their error one of this family.
  static func wrapping<Value: ~Copyable>(
    _ calls: () throws(SystemError) -> Value
  ) throws(DocumentLogError) -> Value {
    do throws(SystemError) { return try calls() } catch { throw .system(error) }
  }
}

extension DocumentLogError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .locked(let path): "another server has the documents of this store open ('\(path)')"
    case .corrupt(let path, let offset, let rule): "'\(path)' is damaged at byte \(offset): \(rule)"
    case .tooLarge: "a record of more than \(DocumentLog.payloadLimit) bytes"
    case .broken(let path): "'\(path)' could not be written; the server has to start again"
    }
  }
}
