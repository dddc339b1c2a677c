// Checks the manifest beside an archive against its content, and who signed it.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// What is wrong beside an archive.
package struct ManifestFinding {
  /// What is wrong.
  package enum Defect: Equatable, Sendable {
    /// There is a signature, but not what it signs.
    case manifestMissing
    /// The manifest belongs to another archive.
    case manifestDiffers
    /// The documents of a remote belong to another archive.
    case documentsDiffer
    /// A rule is broken.
    case rule(Rule)
  }

  /// The letter of the verdict, as for nodes.
  package let letter: Unicode.Scalar
  /// The file beside the archive.
  package let path: String
  /// What is wrong.
  package let defect: Defect
  /// The member that differs, empty for what follows the last.
  package var pointer: String?
  /// Whose signature it is.
  package var key: PublicKey?
  /// What the trust file says.
  package var standing: Standing?
}

/// Checks what lies beside an archive.
package enum ManifestCheck {
  /// What is wrong.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - directory: what the archive says about itself, which has been verified.
  ///   - isSealed: whether it is encrypted.
  ///   - heads: its heads.
  ///   - ids: its nodes, in any order.
  ///   - effects: whose trust file is asked.
  /// - Returns: the findings; empty when there is no file beside it, or nothing is wrong.
  /// - Throws: `FileFault` when a file cannot be read.
  package static func findings(
    _ path: String, _ directory: PackDirectory, isSealed: Bool, heads: [ObjectID],
    ids: [ObjectID], _ effects: Effects
  ) throws -> [ManifestFinding] {
    let names = (path + ArchiveManifest.suffix, path + ManifestSignature.suffix)
    let text = try read(names.0, limit: ArchiveManifest.byteLimit, effects)
    let signed = try read(names.1, limit: ManifestSignature.byteLimit, effects)
    guard let text else {
      guard signed != nil else { return [] }
      return [ManifestFinding(letter: "B", path: names.0, defect: .manifestMissing)]
    }
    let (digest, count) = try digest(of: path, effects)
    let manifest = ArchiveManifest(
      directory: directory, fileBytes: count, fileDigest: digest, isSealed: isSealed,
      heads: heads, idsDigest: HistoryStatement.digest(of: ids.sorted()), store: nil)
    var findings: [ManifestFinding] = []
    if let pointer = manifest.difference(from: text) {
      findings.append(
        ManifestFinding(letter: "B", path: names.0, defect: .manifestDiffers, pointer: pointer))
    }
    if let signed, let finding = try finding(names.1, signed, text, directory, effects) {
      findings.append(finding)
    }
    return findings
  }

  private static func finding(
    _ path: String, _ bytes: [UInt8], _ manifest: [UInt8], _ directory: PackDirectory,
    _ effects: Effects
  ) throws -> ManifestFinding? {
    guard let signed = ManifestSignature(bytes) else {
      return ManifestFinding(letter: "B", path: path, defect: .rule(.signatureForm))
    }
    guard signed.holds(for: manifest) else {
      return ManifestFinding(letter: "B", path: path, defect: .rule(.signatureBad), key: signed.key)
    }
    let opened = try effects.openRepositoryIfPresent()
    guard let trust = try effects.trustList(opened) else { return nil }
    // A manifest has no time of its own; it was made when its last node was, or later.
    let last = directory.walls?.upperBound ?? 0
    let standing = trust.standing(of: signed.key, at: WallTime(milliseconds: last))
    guard let rule = standing.rule else { return nil }
    return ManifestFinding(
      letter: standing.letter, path: path, defect: .rule(rule), key: signed.key, standing: standing)
  }

  private static func read(
    _ path: String, limit: Int, _ effects: Effects
  ) throws -> [UInt8]? {
    let resolved = effects.resolve(path)
    return try FileFault.naming(path) {
      guard try FileStatus.at(resolved) != nil else { return nil }
      return try File.openRegular(resolved).readAll(limit: limit)
    }
  }

  /// SHA-256 of a file, and its bytes.
  private static func digest(
    of path: String, _ effects: Effects
  ) throws -> (Digest, Int) {
    let file = try FileFault.naming(path) { try File.openRegular(effects.resolve(path)) }
    var hash = SHA256()
    var count = 0
    while true {
      try effects.checkInterrupt()
      var bytes: [UInt8] = []
      do throws(SystemError) {
        if try file.read(into: &bytes, atMost: 1 << 18) == 0 { break }
      } catch {
        throw FileFault.failed(error, path: path)
      }
      hash.update(bytes.span)
      count += bytes.count
    }
    return (hash.finalize(), count)
  }
}
