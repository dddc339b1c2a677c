// One line of JSON for each request, for programs that gather logs: who, what, how long; never a token,
// and nothing of what was exchanged.

internal import CanonicalJSON
internal import RedoObject
package import RedoRepository
package import RedoStore

/// Writes lines to the log.
package struct RequestLog: Sendable {
  /// Where the lines go.
  let writer: LogWriter
  /// The words for an event, for people, in lines.
  let words: @Sendable (RedoEvent) -> [String]

  /// A log.
  ///
  /// - Parameters:
  ///   - words: gives the words for an event, for people, in lines.
  ///   - open: opens what lines are written to; again after `reopen`.
  /// - Throws: why it cannot be opened.
  package init(
    words: @escaping @Sendable (RedoEvent) -> [String] = { _ in [] },
    _ open: @escaping @Sendable () throws(SystemError) -> File
  ) throws(SystemError) {
    self.words = words
    writer = try LogWriter(
      dropped: { count in Self.line("dropped", [("lines", .number(count))]) },
      unopened: { error in
        Self.line("message", [("text", .text("the log cannot be opened anew: \(error)"))])
      }, open)
  }

  /// Opens the log anew: its file was renamed.
  package func reopen() { writer.reopen() }

  /// Waits a moment for the last lines to leave.
  package func finish() { writer.finish(seconds: 1) }

  /// Says something, for people.
  package func say(_ text: String) { say("message", [("text", .text(text))]) }

  /// Says something about an account.
  ///
  /// - Parameters:
  ///   - text: what, for people.
  ///   - account: the account.
  package func say(_ text: String, about account: Account) {
    say("message", [("account", .text(account.name)), ("text", .text(text))])
  }

  /// A value of a member.
  enum Value {
    case text(String)
    case number(Int)
  }

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - event: what has happened.
  ///   - members: what else is to be said; the time is added.
  func say(_ event: String, _ members: [(String, Value)]) {
    writer.write(Self.line(event, members))
  }

  private static func line(_ event: String, _ members: [(String, Value)]) -> [UInt8] {
    let time = WallTime(milliseconds: SystemClock.wallMilliseconds()).text
    let all = members + [("event", .text(event)), ("time", .text(time))]
    var json = JSONWriter()
    json.object { json in
      for (name, value) in all.sorted(by: { $0.0 < $1.0 }) {
        json.name(text: name)
        switch value {
        // Logs are read on terminals, too.
        case .text(let text): json.value(Escape.text(String(text.unicodeScalars.prefix(300))))
        case .number(let number): json.value(number)
        }
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}
