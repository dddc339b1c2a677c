// A line on the terminal that says how far a long work has come, as git shows it.

/// Shows progress, if there is anyone to see it.
package struct Progress {
  /// Work that ends before this is not worth a line, in milliseconds.
  package static let delayMilliseconds: Int64 = 500
  /// The line changes no more often than this, in milliseconds.
  package static let intervalMilliseconds: Int64 = 100

  private let title: String
  private let total: Int?
  private let isShown: Bool
  private var nextTime: Int64
  private var hasLine = false

  /// Progress of a work that begins now.
  ///
  /// - Parameters:
  ///   - title: what is done, as in `importing changes`.
  ///   - total: how many steps there are, if known.
  ///   - wanted: `--progress` (true), `--no-progress` or `-q` (false), or neither: then it is
  ///     shown on a terminal.
  ///   - context: where.
  package init(_ title: String, total: Int? = nil, wanted: Bool?, _ context: borrowing Context) {
    self.title = title
    self.total = total
    isShown = wanted ?? context.isTerminal(.errors)
    nextTime = isShown ? context.clock() + Self.delayMilliseconds : 0
  }

  /// Says how many steps are done; cheap enough to be called for each batch.
  package mutating func update(_ done: Int, _ context: inout Context) {
    guard isShown else { return }
    let now = context.clock()
    guard now >= nextTime else { return }
    nextTime = now + Self.intervalMilliseconds
    hasLine = true
    show(line(done) + "\r", &context)
  }

  /// Ends the line, if there is one.
  package mutating func finish(_ done: Int, _ context: inout Context) {
    guard hasLine else { return }
    hasLine = false
    show(line(done) + ", done\n", &context)
  }

  private func line(_ done: Int) -> String {
    guard let total, total > 0 else { return "\(title): \(done)" }
    return "\(title): \(done * 100 / total)% (\(done)/\(total))"
  }

  private func show(_ text: String, _ context: inout Context) {
    try? context.errors.write(text)
    context.errors.flushOrDrop()
  }
}
