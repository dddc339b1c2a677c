// Which of the words of a command line are files, where revisions may stand, too.

internal import RedoStore

extension Effects {
  /// Whether a word means a file or directory: `-`, a path that begins with `/`, `./` or `../`, and anything else that
  /// is there and is no revision of the store.
  ///
  /// - Parameters:
  ///   - word: the word.
  ///   - opened: the store, if there is one.
  /// - Returns: `false` for what may be a revision.
  package func isFile(_ word: String, besides opened: Repository?) -> Bool {
    if word == InputFile.standardInputSign { return true }
    if ["/", "./", "../"].contains(where: { word.hasPrefix($0) }) { return true }
    guard !word.isEmpty, (try? FileStatus.at(resolve(word))) ?? nil != nil else { return false }
    guard let opened else { return true }
    return ((try? Revisions(opened, now: clock()).all(word)) ?? []).isEmpty
  }
}
