// What a trace may record of a command line, and how it records the end of a command.

internal import RedoObject
package import RedoRepository

extension Trace {
  /// The first event: which command, and when.
  ///
  /// - Parameters:
  ///   - program: the program's name or path.
  ///   - arguments: the words after it; only what cannot be secret is recorded.
  ///   - suite: the available commands, whose names may be recorded.
  ///   - milliseconds: returns the time of day, in milliseconds since 1970.
  package func begin(
    _ program: String, _ arguments: [String], _ suite: CommandSuite, _ milliseconds: () -> Int64
  ) {
    let base = program.split(separator: "/").last.map(String.init) ?? program
    begin([base] + arguments.map { Self.harmless($0, suite) }, version: Shell.version, milliseconds)
  }

  /// The last events: what was read and written, and how the command ended.
  package func end(_ ending: Ending) {
    switch ending {
    case .exit(let exit): end(status: exit.rawValue)
    case .signal(let number): end(status: 128 + number)
    }
  }

  /// A word of a command line, reduced to what can be neither secret nor content of a node: names of commands and
  /// options, and ids, are kept; everything else becomes `...`.
  package static func harmless(_ word: String, _ suite: CommandSuite) -> String {
    let bytes = Array(word.utf8)
    let dash = UInt8(ascii: "-")
    if word == "-" || word == "--" { return word }
    if bytes.starts(with: [dash, dash]) {
      let name = bytes.prefix { $0 != UInt8(ascii: "=") }
      return String(decoding: name, as: UTF8.self) + (name.count < bytes.count ? "=..." : "")
    }
    // The text after the letter may be its value.
    if bytes.first == dash { return word.prefix(2) + (bytes.count > 2 ? "..." : "") }
    let isCommand = suite.command(word) != nil
    let digits = ObjectID.hasPrefix(bytes.span) ? Array(bytes.dropFirst(7)) : bytes
    let isID =
      digits.count > 6
      && digits.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
      }
    return isCommand || isID ? word : "..."
  }
}
