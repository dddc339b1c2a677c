// Private keys that open encrypted files, wherever they stand: in a slot of the keyring, or in a file
//
//   - of age: lines of AGE-SECRET-KEY-1..., comments with #
//   - of OpenSSH: an Ed25519 key without a passphrase
//   - of redo: 64 hex digits, or a wrapped key, as `redo key export --private` writes them

package import RedoCrypto
package import RedoStore

/// Reads private keys.
package enum AgeIdentities {
  /// A key that was found.
  package enum Found: ~Copyable {
    /// The key itself.
    case key(AgeIdentity)
    /// An Ed25519 key under a passphrase.
    case wrapped(WrappedKey)

    /// For whom files are written that it opens; no passphrase is needed for that.
    package var recipient: AgeRecipient {
      switch self {
      case .key(let key): key.recipient
      case .wrapped(let key): .ssh(key.publicKey)
      }
    }
  }

  /// The most bytes of a file of keys.
  private static let byteLimit = 1 << 20

  /// Gives the keys that a name stands for, in their order, until one serves.
  ///
  /// - Parameters:
  ///   - name: the slot of that name if the store has one, otherwise a file; `-` is standard input.
  ///   - effects: whose keyring is asked, and where relative paths begin.
  ///   - body: receives each key; returns whether it serves.
  /// - Returns: whether one served.
  /// - Throws: `SealFault` when there is no key; what the closure throws.
  package static func first(
    in name: String, _ effects: Effects, where body: (borrowing Found) throws -> Bool
  ) throws -> Bool {
    if SlotName(name) != nil, let opened = try effects.openRepositoryIfPresent() {
      return try first(in: name, opened.keyring(), effects, where: body)
    }
    return try first(inFile: name, effects, body)
  }

  /// The same with a keyring that is open.
  static func first(
    in name: String, _ keyring: borrowing Keyring, _ effects: Effects,
    where body: (borrowing Found) throws -> Bool
  ) throws -> Bool {
    if let slot = SlotName(name), try keyring.fileNames().contains(slot) {
      if slot.kind.isPrivateKey, let text = try keyring.privateKey(slot) {
        return try body(found(text))
      }
      if let value = try keyring.value(slot) { return try first(of: value, name, body) }
    }
    return try first(inFile: name, effects, body)
  }

  private static func first(
    inFile name: String, _ effects: Effects, _ body: (borrowing Found) throws -> Bool
  ) throws -> Bool {
    try refuse(keyAsName: name, effects)
    guard let text = try InputFile.secret(from: name, limit: byteLimit, effects) else {
      throw SealFault.emptyKey(name: name)
    }
    return try first(of: text, name, body)
  }

  /// Whether a text begins like a private key.
  static func isKey(_ text: String) -> Bool {
    let start = text.prefix(32).uppercased()
    return ["AGE-SECRET-KEY-", "REDO-KEY ", "-----BEGIN "].contains { start.hasPrefix($0) }
  }

  /// Refuses a private key in the place of the name of its file: no message may repeat it.
  ///
  /// - Throws: `SealFault.keyAsName` for what looks like a key, and names no file.
  static func refuse(keyAsName name: String, _ effects: Effects) throws {
    guard isKey(name) || Hex.decode32(Array(name.utf8).span) != nil,
      (try? FileStatus.at(effects.resolve(name))) ?? nil == nil
    else { return }
    throw SealFault.keyAsName
  }

  private static func found(_ text: consuming PrivateKeyText) -> Found {
    switch consume text {
    case .plain(let key): .key(AgeIdentity(key))
    case .wrapped(let key): .wrapped(key)
    }
  }

  private static func first(
    of text: borrowing SecretBytes, _ name: String, _ body: (borrowing Found) throws -> Bool
  ) throws -> Bool {
    switch form(of: text) {
    case .encrypted: throw SealFault.notKey(name: name, .encrypted)
    case .ssh:
      let key: SecretKey
      do throws(SSHPrivateKey.Fault) {
        key = try text.withSpan { (text) throws(SSHPrivateKey.Fault) in
          try SSHPrivateKey.read(text)
        }
      } catch {
        throw SealFault.notKey(name: name, .ssh(error))
      }
      return try body(.key(AgeIdentity(key)))
    case .redo:
      let key: PrivateKeyText
      do throws(WrappedKey.Fault) { key = try PrivateKeyText.read(text) } catch {
        throw SealFault.notKey(name: name, .wrapped(error))
      }
      return try body(found(key))
    case .lines: return try firstLine(of: text, name, body)
    }
  }

  private enum Form {
    case encrypted
    case ssh
    case redo
    case lines
  }

  private static func form(of text: borrowing SecretBytes) -> Form {
    text.withSpan { text in
      let start = (0..<min(text.count, 64)).map { text[$0] }
      if AgeHeader.isAge(start) || AgeArmor.isArmor(start) { return .encrypted }
      if SSHPrivateKey.isOne(text) { return .ssh }
      let isHex =
        [64, 65].contains(text.count) && start.allSatisfy { Hex.value($0) < 16 }
      return isHex || start.starts(with: Array("redo-key ".utf8)) ? .redo : .lines
    }
  }

  /// The keys of a file of age.
  private static func firstLine(
    of text: borrowing SecretBytes, _ name: String, _ body: (borrowing Found) throws -> Bool
  ) throws -> Bool {
    var (start, number, count) = (0, 0, 0)
    while start < text.count {
      number += 1
      let range = line(of: text, from: start)
      start = range.upperBound + 1
      let isKey = text.withSpan { text in
        let line = trimmed(text, range)
        return !line.isEmpty && text[line.lowerBound] != UInt8(ascii: "#")
      }
      guard isKey else { continue }
      count += 1
      if try body(.key(try identity(of: text, range, name, number))) { return true }
    }
    guard count > 0 else { throw SealFault.notKey(name: name, .comments) }
    return false
  }

  private static func identity(
    of text: borrowing SecretBytes, _ range: Range<Int>, _ name: String, _ number: Int
  ) throws -> AgeIdentity {
    try text.withSpan { (text) throws(SealFault) -> AgeIdentity in
      let line = text.extracting(trimmed(text, range))
      if let key = AgeIdentity(text: line) { return key }
      let start = String(decoding: (0..<min(line.count, 24)).map { line[$0] }, as: UTF8.self)
      if start.hasPrefix(AgeIdentity.hybridPrefix) {
        throw SealFault.notKey(name: name, .hybrid(line: number))
      }
      if start.hasPrefix(AgeRecipient.prefix) || start.hasPrefix("ssh-") {
        throw SealFault.notKey(name: name, .recipient(line: number))
      }
      throw SealFault.notKey(name: name, .line(number))
    }
  }

  /// The line that begins at a place, without its end.
  private static func line(of text: borrowing SecretBytes, from start: Int) -> Range<Int> {
    text.withSpan { text in
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      return start..<end
    }
  }

  private static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isBlank(text[start]) { start += 1 }
    while start < end, isBlank(text[end - 1]) { end -= 1 }
    return start..<end
  }
}
