// The recipients of an encrypted file: age's own keys, keys of SSH, and signers, whose Ed25519 keys are keys of SSH in
// another form, so that the keys of a trust file serve.

package import RedoCrypto
internal import RedoObject
internal import RedoStore

/// Reads the names of recipients.
package enum SealRecipients {
  /// The most recipients of a file.
  package static let limit = 1000

  /// The keys that texts name, without duplicates.
  ///
  /// - Parameters:
  ///   - texts: `age1...`, `ssh-ed25519 ...`, public keys of signers or user IDs.
  ///   - files: files with a recipient on each line, and comments with `#`; `-` is standard input.
  ///   - opened: the store, whose keyring knows its own user; `nil` where there is none.
  ///   - effects: where the trust file is looked for, and where relative paths begin.
  /// - Returns: the keys.
  /// - Throws: `SealingFault` for a text that is not a key, a key that nothing can be encrypted for, or a user whose key
  ///   is unknown.
  package static func keys(
    _ texts: [String], files: [String] = [], _ opened: Repository?, _ effects: Effects
  ) throws -> [AgeRecipient] {
    guard !texts.isEmpty || !files.isEmpty else { return [] }
    let trust = try effects.trustList(opened)
    var keys: [AgeRecipient] = []
    func add(_ key: AgeRecipient) throws {
      if !keys.contains(key) { keys.append(key) }
      guard keys.count <= limit else { throw SealingFault.tooMany(limit: limit) }
    }
    for text in texts { try add(key(text, .text(text), opened, trust)) }
    for file in files {
      var count = 0
      for (number, line) in try lines(of: file, effects) {
        count += 1
        try add(key(line, .line(number, path: file), opened, trust))
      }
      guard count > 0 else { throw SealingFault.noRecipients(path: file) }
    }
    return keys
  }

  private static let fileLimit = 1 << 20

  /// The lines of a file that are neither empty nor comments.
  private static func lines(
    of path: String, _ effects: Effects
  ) throws -> [(number: Int, text: String)] {
    try AgeIdentities.refuse(keyAsName: path, effects)
    let bytes =
      path == "-"
      ? try InputFile.read(effects.surroundings.standardInput, limit: fileLimit)
      : try InputFile.read(path, limit: fileLimit, effects)
    let blanks: [UInt8] = [0x20, 0x09, 0x0D]
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
      .compactMap { index, line in
        var line = line.drop { blanks.contains($0) }
        while let last = line.last, blanks.contains(last) { line.removeLast() }
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        return (index + 1, String(decoding: line, as: UTF8.self))
      }
  }

  private static func key(
    _ text: String, _ name: SealingFault.Name, _ opened: Repository?, _ trust: TrustList?
  ) throws -> AgeRecipient {
    if AgeIdentities.isKey(text) {
      if case .text = name { throw SealingFault.secret(nil) }
      throw SealingFault.secret(name)
    }
    guard !text.hasPrefix(AgeRecipient.hybridPrefix) else { throw SealingFault.hybrid(name) }
    if text.hasPrefix(AgeRecipient.prefix) || text.hasPrefix("ssh-") {
      guard let key = AgeRecipient(text) else { throw SealingFault.unknown(name) }
      guard case .ssh(let signer) = key else { return key }
      return try recipient(signer, name, trust)
    }
    if let bytes = Hex.decode32(Array(text.utf8).span) {
      return try recipient(PublicKey(bytes: bytes), name, trust)
    }
    guard let user = UserID(hex: Array(text.utf8).span) else {
      throw SealingFault.unknown(name)
    }
    if let signer = trust?.key(of: user) { return try recipient(signer, name, trust) }
    guard let own = try opened?.keyring().publicKey(), UserID(of: own) == user else {
      throw SealingFault.keyless(user: name)
    }
    return try recipient(own, name, trust)
  }

  private static func recipient(
    _ signer: PublicKey, _ name: SealingFault.Name, _ trust: TrustList?
  ) throws -> AgeRecipient {
    if let line = trust?.entry(of: signer)?.revokedLine {
      throw SealingFault.revoked(name, line: line)
    }
    guard X25519PublicKey(signer) != nil else { throw SealingFault.weak(name) }
    return .ssh(signer)
  }
}
