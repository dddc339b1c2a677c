// The program: lines in, lines out, until there are no more.

internal import CSQLite
internal import CanonicalJSON

/// A conversation over two descriptors.
package enum IndexProgram {
  /// How a conversation ends: the exit statuses of the program.
  package enum End: Int32, Sendable {
    /// After the answer to the last request.
    case complete = 0
    /// In the middle of a change or of a line; nothing of the change was made.
    case abandoned = 1
    /// Nobody reads, or what comes are no lines.
    case broken = 128
  }

  /// Answers requests until there are no more.
  ///
  /// - Parameters:
  ///   - input: the descriptor of requests.
  ///   - output: the descriptor of answers.
  /// - Returns: how it ended.
  package static func run(input: Int32, output: Int32) -> End {
    sqlite3_hard_heap_limit64(IndexPragmas.memoryLimit)
    var session = IndexSession(output: output)
    do throws(IndexFault) {
      let end = try answer(&session, LineReader(input))
      session.giveUp()
      return end
    } catch {
      session.giveUp()
      return .broken
    }
  }

  private static func answer(
    _ session: inout IndexSession, _ input: consuming LineReader
  ) throws(IndexFault) -> End {
    var lines = input
    var scanner = Scanner(integers: .any)
    while true {
      let line: Range<Int>
      switch try lines.next() {
      case .line(let range): line = range
      case .end: return session.isChanging ? .abandoned : .complete
      case .cut: return .abandoned
      case .tooLong:
        try session.tell(IndexFault(.limit, "line"))
        return .broken
      }
      let text = lines.bytes.span.extracting(line)
      do {
        try scanner.scan(text)
      } catch {
        try session.refuse(IndexFault(.request, "\(error.rule.rawValue) at \(error.offset)"))
        continue
      }
      try session.answer(scanner.root(of: text))
    }
  }
}
