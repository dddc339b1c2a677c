// The passphrase of an encrypted file: the first line of a file, or asked for on the terminal. It is never in the arguments or
// the environment, where others can read it.

package import RedoCrypto
internal import RedoStore

/// Where the passphrase of an encrypted file comes from.
package struct SealPassphrase: Sendable {
  /// The most bytes of a passphrase.
  private static let byteLimit = 1024

  private let path: String?
  private let isAsked: Bool
  private let rule: PassphraseRule
  /// What a new one is of.
  private let made: SecretQuestion.Made

  /// A source.
  ///
  /// - Parameters:
  ///   - path: the file whose first line is the passphrase; "-" for standard input.
  ///   - isAsked: whether a person is asked.
  ///   - rule: what a new one must be.
  ///   - made: what a new one is of.
  package init(
    path: String? = nil, isAsked: Bool = false, rule: PassphraseRule = .measured,
    made: SecretQuestion.Made = .archive
  ) {
    self.path = path
    self.isAsked = isAsked
    self.rule = rule
    self.made = made
  }

  /// Whether the options name one.
  var isGiven: Bool { path != nil || isAsked }

  /// Reads a passphrase for a new file; a person is asked twice.
  ///
  /// - Returns: `nil` when the options name none.
  /// - Throws: `SealFault` when it cannot be read, is empty, or was not repeated; `PassphraseFault` when it is too weak.
  package func new(_ effects: Effects) throws -> SecretBytes? {
    if let path {
      let line = try Self.firstLine(of: path, effects)
      try rule.check(line, effects)
      return line
    }
    guard isAsked else { return nil }
    let first = try Self.ask(.new(made), effects)
    try rule.check(first, effects)
    let second = try Self.ask(.again, effects)
    guard first.isEqual(to: second) else { throw SealFault.passphrasesDiffer }
    return first
  }

  /// Reads the passphrase of an existing file.
  ///
  /// - Returns: `nil` when the options name none.
  /// - Throws: `SealFault` when it cannot be read, or is empty.
  package func known(_ path: String, _ effects: Effects) throws -> SecretBytes? {
    if let file = self.path { return try Self.firstLine(of: file, effects) }
    guard isAsked else { return nil }
    return try Self.ask(.archive(path: path), effects)
  }

  /// The passphrase of a file that nothing else opens; `nil` when there is no terminal.
  package static func last(_ path: String, _ effects: Effects) throws -> SecretBytes? {
    try effects.secrets.ask(.archive(path: path), limit: byteLimit)
  }

  private static func ask(
    _ question: SecretQuestion, _ effects: Effects
  ) throws -> SecretBytes {
    guard let answer = try effects.secrets.ask(question, limit: byteLimit) else {
      throw SealFault.nobodyToAsk
    }
    return answer
  }

  private static func firstLine(
    of path: String, _ effects: Effects
  ) throws -> SecretBytes {
    let line: SecretBytes?
    if path == "-" {
      line = try SecretInput.line(
        of: effects.surroundings.standardInput, limit: byteLimit, name: InputFile.standardInputName)
    } else {
      let file = try InputFile.open(path, at: effects.resolve(path))
      line = try SecretInput.line(of: file.raw, limit: byteLimit, name: path)
      extendLifetime(file)
    }
    guard let line else { throw SealFault.emptyPassphrase(path: path) }
    return line
  }
}
