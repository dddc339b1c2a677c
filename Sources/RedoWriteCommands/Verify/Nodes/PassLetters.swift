// Which verdicts let a node through a filter.

internal import RedoRepository
internal import RedoShell

/// The letters that `--pass` names.
struct PassLetters {
  private let letters: Set<Unicode.Scalar>

  /// Reads the value of `--pass`.
  ///
  /// - Parameter text: letters separated by commas; `good` stands for G.
  /// - Throws: `usage` for anything else.
  init(_ text: String) throws {
    var letters: Set<Unicode.Scalar> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let scalars = Array(word.unicodeScalars)
      if word == "good" {
        letters.insert("G")
      } else if scalars.count == 1, VerdictRow.letters.contains(scalars[0]) {
        letters.insert(scalars[0])
      } else {
        throw CommandError.usage(
          "option '--pass' expects 'good', or letters of \(VerdictRow.letters.map(String.init).joined()) "
            + "between commas, not '\(text)'")
      }
    }
    self.letters = letters
  }

  /// Whether a verdict is one of them.
  func contains(_ letter: Unicode.Scalar) -> Bool { letters.contains(letter) }
}
