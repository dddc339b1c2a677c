// What commands say to people: one line each on stderr, with one of four prefixes.

internal import CanonicalJSON

extension Context {
  /// Says that something went wrong and the command goes on.
  package func error(_ message: String) { say("error: ", message) }

  /// Says that something is odd.
  package func warning(_ message: String) { say("warning: ", message) }

  /// Says what may help.
  package func hint(_ message: String) { say("hint: ", message) }

  /// Says what was done, without a prefix; commands leave it out under `-q`.
  package func note(_ message: String) { say("", message) }

  /// Writes one line in one piece; whatever could move a terminal's cursor is escaped.
  private func say(_ prefix: String, _ message: String) { errors.say(prefix, message) }

  /// Says what ended the command.
  ///
  /// - Parameters:
  ///   - failure: what ended it; nothing is said of a signal.
  ///   - asJSON: whether to say it as one line of JSON, for a command under `--json`.
  package func report(_ failure: CommandError, asJSON: Bool) {
    guard case .exit(let exit) = failure.ending else { return }
    if asJSON {
      var line: [UInt8] = []
      failure.appendJSON(exit: exit, to: &line)
      line.append(UInt8(ascii: "\n"))
      errors.write(line)
      return
    }
    say(failure.prefix, failure.messageWithCode)
    for line in failure.hints { hint(line) }
  }
}

extension CommandError {
  /// Appends `{"code":…,"error":…,"exit":…,"hint":…}`; code and hint are left out if there are
  /// none, several hints are lines of one text.
  package func appendJSON(exit: Exit, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "{"))
    if let code {
      line += "\"code\":".utf8
      JSONWriter.appendString(code, to: &line)
      line.append(UInt8(ascii: ","))
    }
    line += "\"error\":".utf8
    JSONWriter.appendString(message, to: &line)
    line += ",\"exit\":\(exit.rawValue)".utf8
    if !hints.isEmpty {
      line += ",\"hint\":".utf8
      JSONWriter.appendString(hints.joined(separator: "\n"), to: &line)
    }
    line.append(UInt8(ascii: "}"))
  }
}
