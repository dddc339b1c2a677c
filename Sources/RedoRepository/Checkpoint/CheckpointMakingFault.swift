// What keeps a checkpoint from being made.

package import RedoObject

/// The errors of making a checkpoint.
package enum CheckpointMakingFault: Fault {
  /// The history does not continue a checkpoint, which is named by its ID or its file.
  case diverged(String, CheckpointFlaw)
  /// The clock shows a time that cannot be written.
  case timeless
  /// Another process has just renamed the store.
  case renamed
  /// The checkpoint is made, but the file that remembers it could not be written.
  case notRemembered(ObjectID, any Error)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .diverged: .refused
    case .timeless: .invalid
    case .renamed: .unavailable
    case .notRemembered(_, let error): RedoError(error).code
    }
  }

  /// The checkpoint that it is about.
  package var subject: String? {
    switch self {
    case .diverged(let name, _): name
    case .notRemembered(let id, _): id.text
    case .timeless, .renamed: nil
    }
  }
}
