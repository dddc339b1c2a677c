// Whether what lies beside an archive says what is in it, and who signed that.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// What is wrong beside an archive: `<letter> <file> <reason>`, or the same as JSON.
struct ManifestRow {
  let letter: Unicode.Scalar
  let path: String
  /// A rule, or what is wrong.
  let reason: String
  /// The member that differs.
  var pointer: String?
  /// Whose signature it is.
  var key: PublicKey?
  /// What the trust file says.
  var standing: Standing?

  /// `<letter> <file> <reason>[ at <pointer>]`.
  static var columns: [RowColumn<ManifestRow>] {
    [
      .word("letter") { String($0.letter) },
      .text("file") { $0.path },
      .word("rule") { $0.reason },
      .word("pointer", in: .text, absent: .leftOut) { row in
        row.pointer.map { $0.isEmpty ? "at its end" : "at \($0)" }
      },
      .text("pointer", in: .json) { $0.pointer },
      .word("key", in: .json) { $0.key.map { Hex.text($0.bytes.span) } },
      .number("line", in: .json) { $0.standing?.line },
    ]
  }
}

/// Checks what lies beside an archive.
enum ManifestCheck {
  /// The rows of what is wrong.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - directory: what it says of itself, which has been found true.
  ///   - isSealed: whether it is encrypted.
  ///   - heads: its heads.
  ///   - context: whose trust file is asked.
  /// - Returns: none when nothing lies beside it, or nothing is wrong with that.
  /// - Throws: `fatal` when a file cannot be read.
  static func rows(
    _ path: String, _ directory: PackDirectory, isSealed: Bool, heads: [ObjectID],
    _ context: inout Context
  ) throws -> [ManifestRow] {
    let names = (path + ArchiveManifest.suffix, path + ManifestSignature.suffix)
    let text = try read(names.0, limit: ArchiveManifest.byteLimit, context)
    let signed = try read(names.1, limit: ManifestSignature.byteLimit, context)
    guard let text else {
      guard signed != nil else { return [] }
      return [ManifestRow(letter: "B", path: names.0, reason: "manifest-missing")]
    }
    let (digest, count) = try digest(of: path, context)
    let manifest = ArchiveManifest(
      directory: directory, fileBytes: count, fileDigest: digest, isSealed: isSealed,
      heads: heads, store: nil)
    var rows: [ManifestRow] = []
    if let pointer = manifest.difference(from: text) {
      rows.append(
        ManifestRow(letter: "B", path: names.0, reason: "manifest-differs", pointer: pointer))
    }
    if let signed, let row = try row(names.1, signed, text, directory, &context) {
      rows.append(row)
    }
    return rows
  }

  private static func row(
    _ path: String, _ bytes: [UInt8], _ manifest: [UInt8], _ directory: PackDirectory,
    _ context: inout Context
  ) throws -> ManifestRow? {
    guard let signed = ManifestSignature(bytes) else {
      return ManifestRow(letter: "B", path: path, reason: Rule.signatureForm.id)
    }
    guard signed.holds(for: manifest) else {
      return ManifestRow(letter: "B", path: path, reason: Rule.signatureBad.id, key: signed.key)
    }
    let opened = try context.effects.openRepositoryIfPresent()
    guard let trust = try context.effects.trustList(opened) else { return nil }
    // A manifest has no time of its own; it was made when its last node was, or later.
    let last = directory.walls?.upperBound ?? 0
    let standing = trust.standing(of: signed.key, at: WallTime(milliseconds: last))
    guard let rule = standing.rule else { return nil }
    return ManifestRow(
      letter: standing.letter, path: path, reason: rule.id, key: signed.key, standing: standing)
  }

  private static func read(
    _ path: String, limit: Int, _ context: borrowing Context
  ) throws -> [UInt8]? {
    let resolved = context.resolve(path)
    let status = try CommandError.wrapping(path) {
      try FileStatus.at(resolved)
    }
    guard status != nil else { return nil }
    return try InputFile.read(path, limit: limit, context.effects)
  }

  /// SHA-256 of a file, and its bytes.
  private static func digest(
    of path: String, _ context: borrowing Context
  ) throws -> (Digest, Int) {
    let file = try InputFile.open(path, at: context.resolve(path))
    var hash = SHA256()
    var count = 0
    while true {
      try context.checkInterrupt()
      var bytes: [UInt8] = []
      do throws(SystemError) {
        if try file.read(into: &bytes, atMost: 1 << 18) == 0 { break }
      } catch {
        throw CommandError.fatal(error, path)
      }
      hash.update(bytes.span)
      count += bytes.count
    }
    return (hash.finalize(), count)
  }
}
