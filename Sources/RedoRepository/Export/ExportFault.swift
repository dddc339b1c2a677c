// What keeps a history from being exported.

package import CanonicalJSON
package import RedoObject
internal import RedoStore

/// The errors of an export.
package enum ExportFault: Fault {
  /// An object breaks the syntax of nodes.
  case malformed(ObjectID, JSONRule)
  /// A node is larger in the app's layout than a node may be.
  case tooLarge(ObjectID, bytes: Int, limit: Int)
  /// The history cannot be read from its store, or the export cannot be written to its destination.
  case unwritten(any Error)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .malformed: .malformed
    case .tooLarge: .refused
    case .unwritten(let error): RedoError(error).code
    }
  }

  /// The object or the file that it is about.
  package var subject: String? {
    switch self {
    case .malformed(let id, _), .tooLarge(let id, _, _): id.text
    case .unwritten(let error): RedoError(error).subject
    }
  }

  /// Runs work on the store and the destination of an export.
  ///
  /// - Parameter body: the work.
  /// - Returns: its result.
  /// - Throws: `unwritten`, or `Interruption`.
  static func storing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as Interruption {
      throw error
    } catch {
      throw ExportFault.unwritten(error)
    }
  }
}
