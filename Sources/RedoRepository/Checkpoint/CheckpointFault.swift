// What keeps checkpoints from being found, and signed statements from being written.

/// The errors of work with checkpoints.
package enum CheckpointFault: Fault {
  /// The name is not that of a checkpoint that holds.
  case broken(name: String, CheckpointFlaw)
  /// The setting `checkpoint.file` is not an absolute path; where it was set.
  case relativeFile(value: String, place: String)
  /// The path to be written is not a regular file.
  case irregular(path: String)
  /// The path to be written holds a file of something else.
  case occupied(path: String)
  /// A list of ids has a line that is none, or not in its place.
  case badList(path: String, line: Int)
  /// A list of ids is not the one that the checkpoint covers.
  case otherList(path: String, checkpoint: String)
  /// The checkpoint does not say what the history has.
  case silent(name: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .broken, .relativeFile, .irregular: .invalid
    case .occupied: .refused
    case .badList: .malformed
    case .otherList, .silent: .invalid
    }
  }

  /// The name as it was given, the setting or the file.
  package var subject: String? {
    switch self {
    case .broken(let name, _): name
    case .relativeFile: "checkpoint.file"
    case .irregular(let path), .occupied(let path), .badList(let path, _), .otherList(let path, _):
      path
    case .silent(let name): name
    }
  }
}
