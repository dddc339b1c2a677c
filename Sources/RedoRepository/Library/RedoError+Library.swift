// The one error of the public interface: whatever ended the work, sorted.

internal import RedoObject

extension RedoError {
  /// Does some work, and sorts what ends it.
  ///
  /// - Parameter work: the work.
  /// - Returns: what it gives.
  /// - Throws: what ended it.
  static func sorting<Value>(_ work: () throws -> Value) throws(RedoError) -> Value {
    do {
      return try work()
    } catch {
      throw RedoError(error)
    }
  }
}

/// What the public interface itself refuses.
enum LibraryFault: Fault {
  /// No object has this ID.
  case missing(ObjectID)
  /// The object is no node.
  case notNode(ObjectID)
  /// Nothing may be pushed to the remote of this name.
  case pushDenied(remote: String)

  var code: RedoError.Code {
    switch self {
    case .missing: .missing
    case .notNode: .invalid
    case .pushDenied: .denied
    }
  }

  var subject: String? {
    switch self {
    case .missing(let id), .notNode(let id): id.text
    case .pushDenied(let remote): remote
    }
  }
}
