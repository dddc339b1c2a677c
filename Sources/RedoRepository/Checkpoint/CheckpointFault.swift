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

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .broken, .relativeFile, .irregular: .invalid
    case .occupied: .refused
    }
  }

  /// The name as it was given, the setting or the file.
  package var subject: String? {
    switch self {
    case .broken(let name, _): name
    case .relativeFile: "checkpoint.file"
    case .irregular(let path), .occupied(let path): path
    }
  }
}
