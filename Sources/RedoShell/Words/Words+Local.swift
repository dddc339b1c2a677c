// Messages about local rows.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension LocalFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    let salvage = "'redo local export --salvage' writes what can be read"
    switch self {
    case .damaged(let error):
      let words = CommandError(error)
      return CommandError(words.kind, words.message, hints: words.hints + [salvage])
    case .broken(let path, let finding):
      return .fatal("'\(path)' has a row that breaks a rule: \(finding.summary)", hints: [salvage])
    case .unfit(let finding): return CommandError(.refused, Diagnosis.text(finding))
    case .taken(let key, let column, let other):
      return CommandError(
        .refused,
        "'\(key.text)' has the same '\(column)' as '\(other)' of table '\(key.table.rawValue)'")
    case .circleFull(let limit):
      return CommandError(
        .refused, "there would be more than \(limit) active people in the circle",
        hints: ["'removed' and 'pending' ones do not count"])
    case .tooManyImages(let limit):
      return CommandError(
        .refused, "there would be more than \(limit) pictures of a chain",
        hints: ["'--no-image' takes all of them away"])
    }
  }
}
