// Why work on a store ended: the kind of error, its subject, and the error of the part where it occurred.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The error that ended a piece of work.
///
/// It contains no words for people: those belong to the shell.
public struct RedoError: Error, Sendable {
  /// The kind of error.
  public enum Code: String, CaseIterable, Sendable {
    /// Bytes break the syntax that they should have.
    case malformed
    /// Something breaks a rule.
    case invalid
    /// Bytes do not match their ID or their checksum.
    case corrupt
    /// Something that is named is not here.
    case missing
    /// Something has a form that this release does not know.
    case unsupported
    /// A policy, or the state of a store, forbids it.
    case refused
    /// Another process or a remote is busy or cannot be reached; trying again may help.
    case unavailable
    /// Access or authentication was refused.
    case denied
    /// A remote is not the one that it was before.
    case identity
    /// The operating system refused a call, for instance because a disk is full.
    case system
    /// Somebody cancelled the work.
    case cancelled
  }

  /// The kind of error.
  public let code: Code
  /// The object ID, path, ref, remote or word that it is about; `nil` when there is no single one.
  public let subject: String?
  /// The error thrown by the part of the library where the work ended.
  public let cause: any Error

  /// Classifies any error that ended a piece of work.
  package init(_ cause: any Error) {
    if let error = cause as? RedoError {
      self = error
      return
    }
    self.cause = cause
    if let fault = cause as? any Fault {
      (code, subject) = (fault.code, fault.subject)
    } else {
      (code, subject) = Self.sorted(cause)
    }
  }
}

/// An error that one part of this module throws, in addition to those that the modules below it throw.
package protocol Fault: Error, Sendable {
  /// The kind of error.
  var code: RedoError.Code { get }
  /// The subject of the error; `nil` when there is no single one.
  var subject: String? { get }
}

extension RedoError {
  /// The code and subject of an error of a lower module.
  private static func sorted(_ cause: any Error) -> (Code, String?) {
    switch cause {
    case let error as SystemError: (.system, error.path.isEmpty ? nil : error.path)
    case is Interruption: (.cancelled, nil)
    case let error as StoreError: sorted(error)
    case let error as RefsError: sorted(error)
    case let error as StoreDirectoryError: sorted(error)
    case let error as KeyringError: sorted(error)
    case let error as TrustError: sorted(error)
    case let error as ConfigError: sorted(error)
    case let error as ArchiveRegister.Failure: sorted(error)
    case let error as PackError: (error.code, nil)
    case InputError.lineTooLong(let name, _), InputError.tooLarge(let name): (.refused, name)
    case InputError.broken(let error): sorted(error)
    case let error as StreamError: sorted(error)
    case let error as DocumentLogError: sorted(error)
    case let error as RemoteError: (sorted(error), nil)
    default: (.invalid, nil)
    }
  }

  private static func sorted(_ error: RemoteError) -> Code {
    switch error {
    case .closed, .stream, .unavailable: .unavailable
    case .malformed, .unexpected: .malformed
    case .limit, .peer, .refused, .stopped: .refused
    case .unsupported: .unsupported
    }
  }

  private static func sorted(_ error: StreamError) -> (Code, String?) {
    switch error {
    case .closed, .silent: (.unavailable, nil)
    case .system(let error): sorted(error)
    case .interrupted: (.cancelled, nil)
    case .flooded: (.malformed, nil)
    }
  }

  private static func sorted(_ error: DocumentLogError) -> (Code, String?) {
    switch error {
    case .system(let error): sorted(error)
    case .locked(let path): (.unavailable, path)
    case .corrupt(let path, _, _): (.corrupt, path)
    case .tooLarge: (.refused, nil)
    case .broken(let path): (.system, path)
    }
  }

  private static func sorted(_ error: StoreError) -> (Code, String?) {
    switch error {
    case .system(let error): sorted(error)
    case .corrupt(let id, _, _): (.corrupt, id.text)
    case .tooLarge(let id, _): (.refused, id.text)
    case .offline(let id, _): (.missing, id.text)
    case .archives: (.corrupt, nil)
    case .unwritten(let path, _): (.system, path)
    case .locked(let path): (.unavailable, path)
    }
  }

  private static func sorted(_ error: RefsError) -> (Code, String?) {
    switch error {
    case .system(let error): sorted(error)
    case .corrupt, .writeRefusedWhileCorrupt: (.corrupt, nil)
    case .behind(let shortfall): (.corrupt, shortfall.file)
    case .unsupportedFormat(let file, _): (.unsupported, file)
    case .locked(let path): (.unavailable, path)
    case .tooLarge(let file): (.refused, file)
    }
  }

  private static func sorted(_ error: StoreDirectoryError) -> (Code, String?) {
    switch error {
    case .notFound(let start): (.missing, start)
    case .notAStore(let path): (.missing, path)
    case .unsafeOwner(let path, _): (.denied, path)
    case .config(let error): sorted(error)
    case .refs(let error): sorted(error)
    case .system(let error): sorted(error)
    }
  }

  private static func sorted(_ error: ConfigError) -> (Code, String?) {
    switch error {
    case .system(let error): sorted(error)
    case .syntax(let file, _, _): (.malformed, file)
    case .locked(let file): (.unavailable, file)
    case .key(let key, _): (.invalid, key)
    case .environment(let variable, _): (.invalid, variable)
    case .value(let entry, _): (.invalid, entry.key)
    case .format(let file, _): (.unsupported, file)
    }
  }

  private static func sorted(_ error: ArchiveRegister.Failure) -> (Code, String?) {
    switch error {
    case .system(let error): sorted(error)
    case .unsupported: (.unsupported, nil)
    case .damaged: (.corrupt, nil)
    }
  }

  private static func sorted(_ error: KeyringError) -> (Code, String?) {
    switch error {
    case .exposed(let path, _), .foreign(let path, _): (.denied, path)
    case .irregular(let path): (.invalid, path)
    case .unreadable(let error), .unwritable(let error): sorted(error)
    case .malformed(let path, _): (.malformed, path)
    case .locked(let path): (.unavailable, path)
    }
  }

  private static func sorted(_ error: TrustError) -> (Code, String?) {
    switch error {
    case .system(let error): sorted(error)
    case .irregular(let path): (.invalid, path)
    case .tooLarge(let path): (.refused, path)
    case .missing(let path): (.missing, path)
    case .locked(let path): (.unavailable, path)
    case .form(let path, _): (.malformed, path)
    }
  }
}
