// The keyring: nobody but the owner can read it, and each slot holds what its name says. No part of a
// secret is ever in a finding.

internal import RedoCrypto
internal import RedoObject

/// The check of `keys`.
package enum KeyringCheck {
  private static let lockName = ".lock"

  /// Looks at the directory and every slot.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong, by path.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    guard let status = (try? store.status(Layout.keys)) ?? nil, status.kind == .directory,
      let owner = try? store.status().userID
    else { return [] }
    if let finding = exposure(status, owner, at: Layout.keys) { findings.append(finding) }
    // A keyring that another user's process may not look into is as it should be.
    guard let keys = try? store.openSubdirectory(Layout.keys, isFollowing: false),
      let names = try? keys.list()
    else { return findings }
    var publicKey: PublicKey?
    for name in names.sorted() {
      let path = joinPath(Layout.keys, name)
      let status = (try? keys.status(name)) ?? nil
      let slot = SlotName(name)
      let isKnown = slot != nil || name == lockName
      let entry = CheckedEntry(name: name, status: status)
      guard isKnown, status?.kind == .regular else {
        if let finding = FileCheck.finding(entry, at: path, isKnown ? .file : .unknown) {
          findings.append(finding)
        }
        continue
      }
      guard let slot, let status else { continue }
      if let finding = exposure(status, owner, at: path) { findings.append(finding) }
      let fault = fault(of: slot, in: keys, &publicKey)
      if let fault { findings.append(StoreFinding(.keyringForm, path: path, detail: fault)) }
    }
    return findings.sorted()
  }

  /// Whether others than the owner of the store can read a part of its keyring.
  private static func exposure(
    _ status: FileStatus, _ owner: UInt32, at path: String
  ) -> StoreFinding? {
    if status.userID != owner {
      return StoreFinding(
        .keyringExposed, path: path, detail: "user \(status.userID) owns it, not user \(owner)")
    }
    guard status.mode & 0o077 != 0 else { return nil }
    return StoreFinding(
      .keyringExposed, path: path, detail: "mode \(status.modeText): others may use it",
      repair: "chmod go= '\(path)', and think of a new key")
  }

  /// What is wrong with the contents of a slot.
  ///
  /// - Parameters:
  ///   - slot: its name.
  ///   - keys: the directory of the keyring.
  ///   - publicKey: the public half of the key in use, once its slot has been read; slots are read in
  ///     the order of their names, the private key first.
  /// - Returns: `nil` when nothing is.
  private static func fault(
    of slot: SlotName, in keys: borrowing Directory, _ publicKey: inout PublicKey?
  ) -> String? {
    do throws(SystemError) {
      let options: File.Options = [.noFollow, .nonBlocking]
      guard let file = try keys.openFileIfPresent(slot.text, .read, options) else { return nil }
      guard let bytes = try file.readSecret(limit: slot.kind.fileByteLimit) else {
        return "it is empty"
      }
      if slot.kind.isPrivateKey {
        do throws(WrappedKey.Fault) {
          let key = try PrivateKeyText.read(bytes).publicKey
          if slot == .privateKey { publicKey = key }
          return faultOfName(slot, key)
        } catch {
          return error.reason
        }
      }
      let part = bytes.withSpan { BoundSecret.part(of: $0, slot.kind) }
      if let fault = part.fault { return fault }
      return bytes.withSpan { faultOfHalf(slot, $0.extracting(part.range), publicKey) }
    } catch {
      // A slot that only its owner may read is as it should be.
      if error.isRefused { return nil }
      return error.isTooLarge ? "it is too large" : "it cannot be read: \(error.reason)"
    }
  }

  /// Whether public key and user id belong to the key in use, and a retired key to its name.
  private static func faultOfHalf(
    _ slot: SlotName, _ value: Span<UInt8>, _ publicKey: PublicKey?
  ) -> String? {
    switch slot.kind {
    case .publicKey:
      guard let publicKey, let own = Hex.decode32(value) else { return nil }
      return PublicKey(bytes: own) == publicKey ? nil : "it is not that of the private key"
    case .userID:
      guard let publicKey, let own = UserID(hex: value) else { return nil }
      return own == UserID(of: publicKey) ? nil : "it is not that of the private key"
    case .retiredPublicKey:
      return Hex.decode32(value).flatMap { faultOfName(slot, PublicKey(bytes: $0)) }
    case .privateKey, .retiredPrivateKey, .exchangeKey, .text, .token, .generic: return nil
    }
  }

  private static func faultOfName(_ slot: SlotName, _ key: PublicKey) -> String? {
    guard slot.kind.isRetired else { return nil }
    let isOwn = slot.text.split(separator: ".").dropFirst().first.map(String.init)
    return isOwn == UserID(of: key).text ? nil : "it is the key of another user id"
  }
}
