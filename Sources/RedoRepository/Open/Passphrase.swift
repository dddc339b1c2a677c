// The source of the passphrase of a wrapped key: the descriptor that an option names, a credential of systemd, a
// command that the user's own settings name, the terminal.

package import RedoCrypto
package import RedoStore

/// A source of passphrases.
package struct PassphraseSource: Sendable {
  /// The setting that names a command.
  private static let setting = "key.passphraseCommand"
  /// The file of the credential.
  private static let credential = "redo.passphrase"
  /// The most bytes of a passphrase.
  private static let byteLimit = 1024

  /// The descriptor that the option names.
  package let descriptor: Int32?
  /// What a new one must be.
  private let rule: PassphraseRule

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - descriptor: where it is read; `nil` for any other available source.
  ///   - rule: what a new one must be.
  package init(descriptor: Int32? = nil, rule: PassphraseRule = .measured) {
    self.descriptor = descriptor
    self.rule = rule
  }

  /// Opens a wrapped key.
  ///
  /// - Throws: `KeyFault` when the passphrase is refused, none is available, or there is not enough memory.
  package func open(
    _ key: WrappedKey, _ opened: Repository, _ effects: Effects
  ) throws -> SecretKey {
    let user = String(Hex.text(key.publicKey.bytes.span).prefix(32))
    let passphrase = try find(opened, .key(user: user), effects)
    guard let passphrase else { throw KeyFault.nobodyToAsk }
    switch key.open(passphrase: passphrase) {
    case .key(let key): return key
    case .refused: throw KeyFault.refusedPassphrase(user: user)
    case .noMemory: throw KeyFault.noMemory(neededKiB: key.cost.memoryKiB)
    }
  }

  /// Wraps a key.
  ///
  /// - Throws: `KeyFault` when there is not enough memory.
  package func wrap(
    _ passphrase: borrowing SecretBytes, _ key: borrowing SecretKey
  ) throws -> WrappedKey {
    guard let wrapped = WrappedKey.wrap(key, passphrase: passphrase) else {
      throw KeyFault.noMemory(neededKiB: WrappedKey.usualCost.memoryKiB)
    }
    return wrapped
  }

  /// A passphrase for a key that is to be wrapped; a person is asked twice.
  ///
  /// - Throws: `KeyFault` when none is available, or it was not repeated; `PassphraseFault` when it is too weak.
  package func new(_ opened: Repository, _ effects: Effects) throws -> SecretBytes {
    var isAsked = false
    let first = try find(opened, .new(.key), effects, &isAsked)
    guard let first else { throw KeyFault.nobodyToAskForNew }
    try rule.check(first, effects)
    guard isAsked else { return first }
    let second = try effects.secrets.ask(.again, limit: Self.byteLimit)
    let isSame =
      first.withSpan { first in
        second?.withSpan { second in
          first.count == second.count && first.indices.allSatisfy { first[$0] == second[$0] }
        }
      } ?? false
    guard isSame else { throw KeyFault.differentPassphrases }
    return first
  }

  private func find(
    _ opened: Repository, _ question: SecretQuestion, _ effects: Effects
  ) throws -> SecretBytes? {
    var isAsked = false
    return try find(opened, question, effects, &isAsked)
  }

  /// The passphrase of the first available source.
  ///
  /// - Returns: `nil` when there is no source.
  private func find(
    _ opened: Repository, _ question: SecretQuestion, _ effects: Effects, _ isAsked: inout Bool
  ) throws -> SecretBytes? {
    if let descriptor {
      let name = "descriptor \(descriptor)"
      let line = try SecretInput.line(of: descriptor, limit: Self.byteLimit, name: name)
      guard let line else { throw KeyFault.emptyPassphrase(.descriptor(descriptor)) }
      return line
    }
    if let text = try Credential.read(Self.credential, limit: Self.byteLimit, effects) {
      return try Self.firstLine(text, .credential(name: Self.credential))
    }
    if let text = try ProtectedCommand.run(
      Self.setting, opened, limit: Self.byteLimit, effects)
    {
      return try Self.firstLine(text, .command(setting: Self.setting))
    }
    isAsked = true
    return try effects.secrets.ask(question, limit: Self.byteLimit)
  }

  private static func firstLine(
    _ text: borrowing SecretBytes, _ origin: SecretOrigin
  ) throws -> SecretBytes {
    let count = text.withSpan { span in
      span.indices.first { span[$0] == UInt8(ascii: "\n") } ?? span.count
    }
    guard count > 0 else { throw KeyFault.emptyPassphrase(origin) }
    return text.copy(0..<count)
  }
}
