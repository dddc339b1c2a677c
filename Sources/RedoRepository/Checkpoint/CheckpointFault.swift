// What keeps checkpoints from being found, and what is signed from being written.

/// What ends work with checkpoints.
package enum CheckpointFault: Fault {
  /// What is named is no checkpoint that holds.
  case broken(name: String, CheckpointFlaw)
  /// The setting `checkpoint.file` is no absolute path; where it stands.
  case relativeFile(value: String, place: String)
  /// Something that is no regular file stands where one is to be written.
  case irregular(path: String)
  /// A file of something else stands where one is to be written.
  case occupied(path: String)

  /// What kind of end it is.
  package var code: RedoError.Code {
    switch self {
    case .broken, .relativeFile, .irregular: .invalid
    case .occupied: .refused
    }
  }

  /// What was named, the setting or the file.
  package var subject: String? {
    switch self {
    case .broken(let name, _): name
    case .relativeFile: "checkpoint.file"
    case .irregular(let path), .occupied(let path): path
    }
  }
}
