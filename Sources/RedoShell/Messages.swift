// What commands say to people: one line each on stderr, with one of four prefixes.

internal import CanonicalJSON
internal import RedoRepository
internal import RedoStore

extension Context {
  /// Reports that something went wrong; the command goes on.
  package func error(_ message: String) { say("error: ", message) }

  /// Reports that something is unusual.
  package func warning(_ message: String) { say("warning: ", message) }

  /// Reports errors of one sort: each of the first hundred, and after those how many there are in all.
  ///
  /// - Parameters:
  ///   - items: what is reported.
  ///   - summary: what all of them are, such as `objects are damaged`.
  ///   - say: reports one.
  package func errors<Item>(
    _ items: some Collection<Item>, summary: String, _ say: (Item) -> Void
  ) {
    for item in items.prefix(100) { say(item) }
    if items.count > 100 { hint("\(items.count) \(summary) in all") }
  }

  /// Gives advice that may help.
  package func hint(_ message: String) { say("hint: ", message) }

  /// Reports what was done, without a prefix; commands leave it out with `-q`.
  package func note(_ message: String) { say("", message) }

  /// Writes one line in one piece; characters that could move a terminal's cursor are escaped.
  private func say(_ prefix: String, _ message: String) { errors.say(prefix, message) }

  /// An error with advice that fits this store: where one of its remotes may have what is damaged, its name.
  ///
  /// - Parameter failure: the error.
  /// - Returns: the error with its hints.
  package func advised(_ failure: CommandError) -> CommandError {
    let general = StoreError.repairHint(from: nil)
    guard failure.hints.contains(general), let config = try? effects.findStore().config,
      let name = Remote.repairing(config)?.text
    else { return failure }
    return CommandError(
      failure.kind, failure.message,
      hints: failure.hints.map { $0 == general ? StoreError.repairHint(from: name) : $0 },
      code: failure.code)
  }

  /// Reports the error that ended the command.
  ///
  /// - Parameters:
  ///   - failure: the error; nothing is printed for a signal.
  ///   - asJSON: whether to print it as one line of JSON, for a command with `--json`.
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
  /// none, and several hints become lines of one text.
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
