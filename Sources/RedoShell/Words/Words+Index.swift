// Messages about the index in tables.

package import RedoRepository

extension SQLIndexFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noProgram(let name):
      return .fatal(
        "program '\(name)' is missing, which keeps the index",
        hints: ["it is looked for beside redo, and then on the PATH"])
    case .gone(let program, let end): return .fatal("program '\(program)' \(end)")
    case .busy(let path):
      return CommandError(.temporary, "another process holds index '\(path)'")
    case .missing(let path):
      return .fatal("there is no index '\(path)'", hints: ["'redo index update' makes it"])
    case .foreign(let path):
      return CommandError(
        .refused,
        "store '\(path)' is not known as yours, so it gets no index, and its own is not read",
        hints: [OpenEvent.acceptingHint(path, isOther: false)])
    case .question(let code, let detail):
      let text = detail.isEmpty ? "" : ": \(Escape.text(detail))"
      switch code {
      case "not-select":
        return CommandError(
          .refused, "the statement may only read\(text)",
          hints: ["'SELECT', 'WITH' and 'EXPLAIN' only read; 'ATTACH' and 'PRAGMA' do not"])
      case "limit":
        return CommandError(
          .refused,
          "a question has at most 4,096 bytes, and its answer needs at most 256 MiB\(text)")
      default: return CommandError(.refused, "the question is not understood\(text)")
      }
    case .failed(let code, let detail, let path):
      let text = detail.isEmpty ? "" : ": \(Escape.text(detail))"
      switch code {
      case "db-not-file":
        return .fatal("'\(path)' is no file, so nothing is written in its place")
      case "db-access": return .fatal("index '\(path)' may not be read or written\(text)")
      case "db-io": return .fatal("index '\(path)' cannot be written\(text)")
      case "db-missing": return .fatal("there is no index '\(path)'")
      case "db-damaged", "db-foreign", "db-version":
        return .fatal(
          "index '\(path)' cannot be used (\(code))\(text)",
          hints: ["'redo index rebuild' builds it anew"])
      default: return .fatal("index '\(path)' cannot be kept (\(code))\(text)")
      }
    }
  }
}

extension MessageStream {
  /// Reports what is odd about the index.
  func say(_ event: SQLIndexEvent) {
    switch event {
    case .replaced(let code, let path):
      let why =
        switch code {
        case "db-damaged": "it is damaged"
        case "db-foreign": "it is not one that redo has made"
        case "db-version": "another release has made it"
        default: "something other than redo has changed it"
        }
      say("warning: ", "index '\(path)' is built anew: \(why)")
    case .stale(let path):
      say("warning: ", "index '\(path)' does not have the present state of the store")
      say("hint: ", "'redo index update' brings it up to it")
    case .warning("no-wal", let path):
      say("warning: ", "index '\(path)' has no write-ahead log on this file system")
    // Reading a file that cannot be written is nothing that anybody has to know.
    case .warning: break
    }
  }
}
