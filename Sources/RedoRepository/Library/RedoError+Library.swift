// The one error of the public interface: any error that ended the work, classified.

internal import RedoObject

extension RedoError {
  /// Does some work, and classifies the error that ends it.
  ///
  /// - Parameter work: the work.
  /// - Returns: its result.
  /// - Throws: the classified error.
  static func sorting<Value>(_ work: () throws -> Value) throws(RedoError) -> Value {
    do {
      return try work()
    } catch {
      throw RedoError(error)
    }
  }
}

/// The errors of the public interface itself.
enum LibraryFault: Fault {
  /// No object has this ID.
  case missing(ObjectID)
  /// The object is not a node.
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
