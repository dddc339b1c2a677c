// What `redo age` does with a file or a stream: input and output, and the file that appears whole or not at all.

package import RedoCrypto
internal import RedoStore

/// A piece of work on one stream.
package struct AgeWork {
  /// What becomes of the input.
  package enum Action {
    /// It is encrypted.
    case encrypt(Recipients, isArmored: Bool)
    /// It is decrypted.
    case decrypt(SealKeys)
  }

  /// For whom something is encrypted.
  package struct Recipients {
    /// Recipients, as `SealRecipients.keys` reads them.
    package var texts: [String] = []
    /// Files of recipients.
    package var files: [String] = []
    /// Slots or files of private keys, whose public keys are recipients.
    package var identities: [String] = []
    /// Where a passphrase comes from.
    package var passphrase = SealPassphrase()

    /// Nobody yet.
    package init() {}
  }

  private let action: Action
  /// The file that is read; `nil` for standard input.
  private let input: String?
  /// The file that is written; `nil` for standard output.
  private let output: String?

  /// Work on a stream.
  ///
  /// - Parameters:
  ///   - action: what becomes of it.
  ///   - input: the file that is read; `nil` for standard input.
  ///   - output: the file that is written, and replaced; `nil` for what the closure of `run` receives.
  package init(_ action: Action, from input: String?, to output: String?) {
    self.action = action
    self.input = input
    self.output = output
  }

  /// Does the work.
  ///
  /// - Parameters:
  ///   - effects: where files are, who is asked, and whether the work is cancelled.
  ///   - write: receives what goes to standard output.
  /// - Throws: `AgeWorkFault`, `SealFault`, `SealingFault`, `FileFault`; a file that would have been written is not there
  ///   then, and standard output has what preceded the fault.
  package func run(_ effects: Effects, _ write: ([UInt8]) throws -> Void) throws {
    guard let output else { return try make(effects, write) }
    if let input { try Self.checkDistinct(input, output, effects) }
    var target = try ArchiveTarget(output, isForced: true, syncs: false, mode: mode, effects)
    try make(effects) { bytes in try target.write(bytes) }
    try target.commit()
  }

  /// The permissions of the file: what was encrypted is for nobody else.
  private var mode: UInt32 {
    switch action {
    case .encrypt: 0o666
    case .decrypt: 0o600
    }
  }

  private static func checkDistinct(_ input: String, _ output: String, _ effects: Effects) throws {
    let one = (try? FileStatus.at(effects.resolve(input))) ?? nil
    let other = (try? FileStatus.at(effects.resolve(output))) ?? nil
    if let one, let other, one.isSameFile(as: other) { throw AgeWorkFault.same(path: output) }
  }

  private func make(_ effects: Effects, _ sink: ([UInt8]) throws -> Void) throws {
    switch action {
    case .encrypt(let recipients, let isArmored):
      let lock = try Self.lock(recipients, effects)
      try withInput(effects) { input in
        try AgeCipher.encrypt(input, lock, isArmored: isArmored, effects, sink)
      }
    case .decrypt(let keys):
      try withInput(effects) { input in try AgeCipher.decrypt(input, keys, effects, sink) }
    }
  }

  private func withInput(_ effects: Effects, _ body: (AgeInput) throws -> Void) throws {
    guard let input else {
      return try body(AgeInput(effects.surroundings.standardInput, InputFile.standardInputName))
    }
    let file = try InputFile.open(input, at: effects.resolve(input))
    try body(AgeInput(file.raw, input))
    extendLifetime(file)
  }

  private static func lock(_ recipients: Recipients, _ effects: Effects) throws -> AgeLock {
    let opened = try effects.openRepositoryIfPresent()
    var keys = try SealRecipients.keys(
      recipients.texts, files: recipients.files, opened, effects)
    for name in recipients.identities {
      _ = try AgeIdentities.first(in: name, effects) { key in
        if !keys.contains(key.recipient) { keys.append(key.recipient) }
        return false
      }
    }
    guard keys.isEmpty || !recipients.passphrase.isGiven else {
      throw SealingFault.keysAndPassphrase
    }
    guard keys.count <= SealRecipients.limit else {
      throw SealingFault.tooMany(limit: SealRecipients.limit)
    }
    guard keys.isEmpty else { return AgeLock(keys) }
    guard let secret = try recipients.passphrase.new(effects) else { throw AgeWorkFault.nobody }
    return AgeLock(passphrase: secret)
  }
}

/// New keys, and the public halves of known ones.
package enum AgeKeyWork {
  /// The public keys of a slot or a file.
  ///
  /// - Parameters:
  ///   - name: the slot or the file; `nil` for standard input.
  ///   - effects: whose keyring is asked.
  /// - Returns: their texts in their order.
  /// - Throws: `SealFault` when there is no key.
  package static func recipients(of name: String?, _ effects: Effects) throws -> [String] {
    var texts: [String] = []
    _ = try AgeIdentities.first(in: name ?? "-", effects) { key in
      texts.append(key.recipient.text)
      return false
    }
    return texts
  }

  /// A new private key.
  package struct Made: ~Copyable {
    /// The text of the file, as age writes it.
    package let file: SecretBytes
    /// The public key.
    package let recipient: String
  }

  /// A new private key, as a file of age has it.
  ///
  /// - Parameter time: when it is made, for people.
  /// - Returns: the key.
  package static func generate(at time: String) -> Made {
    let key = AgeIdentity.generate()
    let recipient = key.recipient.text
    var text = Array("# created: \(time)\n# public key: \(recipient)\n".utf8)
    if let secret = key.text() {
      secret.withSpan { secret in
        text.reserveCapacity(text.count + secret.count + 1)
        for index in secret.indices { text.append(secret[index]) }
      }
    }
    text.append(UInt8(ascii: "\n"))
    return Made(file: SecretBytes(moving: &text), recipient: recipient)
  }

  /// Writes public keys into a file, which is replaced if it is there.
  ///
  /// - Throws: `FileFault` when it cannot be written.
  package static func write(public text: [UInt8], to path: String, _ effects: Effects) throws {
    var target = try ArchiveTarget(path, isForced: true, syncs: false, effects)
    try target.write(text)
    try target.commit()
  }

  /// Writes a new private key into a file that only its owner can read, and that was not there before.
  ///
  /// - Parameters:
  ///   - text: the text of the file.
  ///   - path: the file.
  ///   - effects: says where relative paths begin.
  /// - Throws: `FileFault` when it cannot be written, or is there.
  package static func write(
    _ text: borrowing SecretBytes, to path: String, _ effects: Effects
  ) throws {
    var target = try ArchiveTarget(path, isForced: false, syncs: true, mode: 0o600, effects)
    try target.write(text)
    try target.commit()
  }
}

/// What keeps `redo age` from its work.
package enum AgeWorkFault: Fault {
  /// It is not said for whom to encrypt.
  case nobody
  /// The output is the file that is read.
  case same(path: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .nobody: .invalid
    case .same: .refused
    }
  }

  /// The file.
  package var subject: String? {
    switch self {
    case .nobody: nil
    case .same(let path): path
    }
  }
}
