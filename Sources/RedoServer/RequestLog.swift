// One line of JSON for each request, for programs that gather logs: who, what, how long; never a token,
// and nothing of what was exchanged.

internal import CanonicalJSON
internal import NIOConcurrencyHelpers
internal import RedoObject
package import RedoRepository
internal import RedoStore

/// Writes lines to the log.
package struct RequestLog: Sendable {
  private let write: @Sendable ([UInt8]) -> Void
  /// The words for an event, for people, in lines.
  let words: @Sendable (RedoEvent) -> [String]

  /// A log.
  ///
  /// - Parameters:
  ///   - words: gives the words for an event, for people, in lines.
  ///   - write: takes a line with its line feed; called from many threads.
  package init(
    words: @escaping @Sendable (RedoEvent) -> [String] = { _ in [] },
    _ write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.words = words
    self.write = write
  }

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
    write(json.bytes + [UInt8(ascii: "\n")])
  }
}
