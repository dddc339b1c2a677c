// One point of a backup, for reading: a tar archive whose every byte follows from its manifest and the files in it.
//
//   manifest, the files that it names in their order, `sha256`: the hash of all bytes before its header, two zero blocks

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// The form of the file of a point.
enum BackupForm {
  static let manifestName = "manifest"
  static let endName = "sha256"
  static let nodesName = "nodes.redopack"
  static let receiptsName = "receipts.redopack"
  static let schemasName = "schemas.redopack"
  /// The packs that a backup may have, and the kinds of their objects.
  static let packs: [(name: String, kind: ObjectKind)] = [
    (nodesName, .node), (receiptsName, .receipt), (schemasName, .schema),
  ]
  static let reflogName = "reflog.gz"
  static let receivedName = "received"
  static let outsideName = "outside"
  static let absentName = "absent"
  static let blobPrefix = "blobs/"
  static let filePrefix = "files/"

  /// The bytes of the file that ends a backup.
  static func end(_ digest: Digest) -> [UInt8] {
    Array("\(Hex.text(digest.bytes.span))\n".utf8)
  }
  static let endBytes = 65
}

/// An open point of a backup.
package struct BackupFile: ~Copyable {
  /// Its path, for messages.
  package let path: String
  /// What it says of itself.
  package let manifest: BackupManifest
  /// The bytes of its file.
  package let fileBytes: Int
  /// Whether it is encrypted.
  package let isSealed: Bool
  private let source: PackSource
  /// The bytes of the tar archive.
  private let size: Int
  private let manifestBytes: [UInt8]
  private let places: [String: Int]

  private static let pieceBytes = 1 << 20

  /// Opens a point and reads its manifest.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - final: the name that it will have, if it has none yet.
  ///   - shelf: the directory.
  /// - Throws: `BackupFault`, `FileFault`; `SealFault` for an encrypted one that nothing opens, or whose header is damaged.
  init(_ name: String, as final: String? = nil, in shelf: borrowing BackupShelf) throws {
    let path = joinPath(shelf.path, name)
    let file: File
    do throws(SystemError) { file = try shelf.directory.openRegularFile(name) } catch {
      if error.isNotRegular || error.isSymbolicLink { throw FileFault.irregular(path: path) }
      throw FileFault.failed(error, path: path)
    }
    let fileBytes: Int
    let start: [UInt8]
    do throws(SystemError) {
      fileBytes = try file.status().size
      start = try file.read(ForeignFile.startBytes, at: 0)
    } catch {
      throw FileFault.failed(error, path: path)
    }
    let isSealed = AgeHeader.isAge(start)
    let source = try Self.source(file, isSealed: isSealed, path, shelf)
    let size: Int
    do throws(PackError) { size = try source.byteCount() } catch { throw Self.failure(error, path) }
    let head = try Self.part(of: source, TarHeader.blockBytes, at: 0, path)
    guard head.count == TarHeader.blockBytes,
      head.starts(with: Array(BackupForm.manifestName.utf8) + [0])
    else { throw BackupFault.damaged(path: path, .noBackup) }
    // The size of the manifest is all that its header adds to what the manifest says.
    guard let count = Self.octal(head[124..<135]), count <= BackupManifest.byteLimit else {
      throw BackupFault.damaged(path: path, .header(BackupForm.manifestName))
    }
    let text = try Self.part(of: source, count, at: TarHeader.blockBytes, path)
    guard text.count == count else { throw BackupFault.damaged(path: path, .length) }
    let manifest: BackupManifest
    do throws(BackupManifest.Defect) { manifest = try BackupManifest(text) } catch {
      switch error {
      case .malformed: throw BackupFault.damaged(path: path, .manifest)
      case .unsupported(let version): throw BackupFault.unsupported(path: path, version: version)
      }
    }
    guard manifest.fileName == final ?? name else {
      throw BackupFault.damaged(path: path, .renamed(manifest.fileName))
    }
    // What is secret is never in a file that anybody can read.
    guard manifest.files.allSatisfy({ StoredPath($0.path).isTaken(isSealed: isSealed) }) else {
      throw BackupFault.damaged(path: path, .manifest)
    }
    guard head == TarHeader.block(BackupForm.manifestName, size: count, seconds: manifest.seconds)
    else { throw BackupFault.damaged(path: path, .header(BackupForm.manifestName)) }
    var place = Self.next(after: 0, count)
    var places: [String: Int] = [:]
    for part in manifest.parts {
      guard Self.isName(part.name, isSealed: isSealed),
        places.updateValue(place, forKey: part.name) == nil
      else {
        throw BackupFault.damaged(path: path, .manifest)
      }
      place = Self.next(after: place, part.size)
    }
    guard
      size == Self.next(after: place, BackupForm.endBytes) + TarHeader.end.count
    else { throw BackupFault.damaged(path: path, .length) }
    self.path = path
    self.manifest = manifest
    self.places = places
    manifestBytes = text
    self.size = size
    self.fileBytes = fileBytes
    self.isSealed = isSealed
    self.source = source
  }

  /// The tar archive: the file, or what is in it.
  private static func source(
    _ file: consuming File, isSealed: Bool, _ path: String, _ shelf: borrowing BackupShelf
  ) throws -> PackSource {
    guard isSealed else { return .file(file) }
    return .age(try AgeSource.open(.file(file), path, shelf.keys, shelf.effects))
  }

  /// A part of a source; fewer bytes only where it ends.
  private static func part(
    of source: borrowing PackSource, _ count: Int, at place: Int, _ path: String
  ) throws -> [UInt8] {
    do throws(PackError) { return try source.part(count, at: place) } catch {
      throw failure(error, path)
    }
  }

  /// The error for bytes that cannot be read or decrypted.
  private static func failure(_ error: PackError, _ path: String) -> any Error {
    if case .system(let error) = error { return FileFault.failed(error, path: path) }
    return BackupFault.damaged(path: path, .encryption)
  }

  /// Where the header after a file begins.
  private static func next(after place: Int, _ size: Int) -> Int {
    place + TarHeader.blockBytes + size + TarHeader.padding(after: size)
  }

  private static func octal(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
      number = number * 8 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// Whether a file may be in a backup under this name.
  private static func isName(_ name: String, isSealed: Bool) -> Bool {
    if name.hasPrefix(BackupForm.filePrefix) {
      return StoredPath(String(name.dropFirst(BackupForm.filePrefix.utf8.count)))
        .isTaken(isSealed: isSealed)
    }
    if name.hasPrefix(BackupForm.blobPrefix) {
      let hex = Array(name.utf8.dropFirst(BackupForm.blobPrefix.utf8.count))
      return ObjectID(hex: hex.span) != nil
    }
    return BackupForm.packs.contains { $0.name == name }
      || [
        BackupForm.reflogName, BackupForm.receivedName, BackupForm.outsideName,
        BackupForm.absentName,
      ].contains(name)
  }

  private func bytes(_ count: Int, at place: Int) throws -> [UInt8] {
    let bytes = try Self.part(of: source, count, at: place, path)
    guard bytes.count == count else { throw BackupFault.damaged(path: path, .length) }
    return bytes
  }

  /// Reads every byte: headers, files, and both hashes.
  ///
  /// - Parameter effects: says whether the work is cancelled.
  /// - Returns: SHA-256 of the tar archive.
  /// - Throws: `BackupFault.damaged` for the first thing that is wrong.
  func check(_ effects: Effects) throws -> Digest {
    var whole = SHA256()
    func take(_ expected: [UInt8], at place: Int, _ damage: BackupFault.Damage) throws {
      let found = try bytes(expected.count, at: place)
      guard found == expected else { throw BackupFault.damaged(path: path, damage) }
      whole.update(found.span)
    }
    try take(
      header(BackupForm.manifestName, manifestBytes.count) + manifestBytes
        + Self.zeros(after: manifestBytes.count), at: 0, .manifest)
    var place = Self.next(after: 0, manifestBytes.count)
    for part in manifest.parts {
      try take(header(part.name, part.size), at: place, .header(part.name))
      var member = SHA256()
      var done = 0
      while done < part.size {
        try effects.checkInterrupt()
        let piece = try bytes(
          min(Self.pieceBytes, part.size - done), at: place + TarHeader.blockBytes + done)
        member.update(piece.span)
        whole.update(piece.span)
        done += piece.count
      }
      guard member.finalize() == part.digest else {
        throw BackupFault.damaged(path: path, .member(part.name))
      }
      try take(Self.zeros(after: part.size), at: place + TarHeader.blockBytes + part.size, .length)
      place = Self.next(after: place, part.size)
    }
    var copy = whole
    try take(end(copy.finalize()), at: place, .end)
    return whole.finalize()
  }

  /// Reads every byte, and only compares the hash at the end: enough to know the bytes that were once checked again.
  ///
  /// - Parameter effects: says whether the work is cancelled.
  /// - Returns: SHA-256 of the tar archive.
  /// - Throws: `BackupFault.damaged`.
  func digest(_ effects: Effects) throws -> Digest {
    var whole = SHA256()
    let last = size - Self.next(after: 0, BackupForm.endBytes) - TarHeader.end.count
    var done = 0
    while done < last {
      try effects.checkInterrupt()
      let piece = try bytes(min(Self.pieceBytes, last - done), at: done)
      whole.update(piece.span)
      done += piece.count
    }
    var copy = whole
    let end = try self.end(copy.finalize())
    guard try bytes(end.count, at: last) == end else {
      throw BackupFault.damaged(path: path, .end)
    }
    whole.update(end.span)
    return whole.finalize()
  }

  /// The bytes that end the file, from the header of its hash on.
  private func end(_ digest: Digest) throws -> [UInt8] {
    let text = BackupForm.end(digest)
    return try header(BackupForm.endName, text.count) + text
      + Self.zeros(after: text.count) + TarHeader.end
  }

  private func header(_ name: String, _ size: Int) throws -> [UInt8] {
    guard let block = TarHeader.block(name, size: size, seconds: manifest.seconds) else {
      throw BackupFault.damaged(path: path, .manifest)
    }
    return block
  }

  private static func zeros(after size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: TarHeader.padding(after: size))
  }

  /// A file in the backup, whose bytes are those of its hash.
  ///
  /// - Parameter name: its name.
  /// - Returns: `nil` when there is no such file.
  /// - Throws: `BackupFault.damaged`.
  func read(_ name: String) throws -> [UInt8]? {
    guard let place = places[name], let part = manifest.parts.first(where: { $0.name == name })
    else { return nil }
    let found = try bytes(part.size, at: place + TarHeader.blockBytes)
    guard SHA256.digest(of: found.span) == part.digest else {
      throw BackupFault.damaged(path: path, .member(name))
    }
    return found
  }

  /// The log of refs that is in it.
  func reflog() throws -> [UInt8] {
    guard let packed = try read(BackupForm.reflogName) else { return [] }
    var reader = GzipReader()
    var output: [UInt8] = []
    var place = 0
    do throws(GzipError) {
      while try reader.read(packed, from: &place, into: &output, atMost: Self.pieceBytes) > 0 {}
      try reader.finish()
    } catch {
      throw BackupFault.damaged(path: path, .member(BackupForm.reflogName))
    }
    return output
  }

  /// The lines of a file that is left out where there are none; each ends with a line feed.
  private func lines(of name: String) throws -> [ArraySlice<UInt8>] {
    guard let text = try read(name) else { return [] }
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1, lines.removeLast().isEmpty else {
      throw BackupFault.damaged(path: path, .member(name))
    }
    return lines
  }

  /// The objects outside of the history that the store had then, with their kinds.
  func outside() throws -> [ObjectID: ObjectKind] {
    var found: [ObjectID: ObjectKind] = [:]
    for line in try lines(of: BackupForm.outsideName) {
      let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard words.count == 2, let id = ObjectID(ascii: Array(words[1]).span) else {
        throw BackupFault.damaged(path: path, .member(BackupForm.outsideName))
      }
      guard let kind = ObjectKind(name: String(decoding: words[0], as: UTF8.self)) else {
        throw BackupFault.damaged(path: path, .member(BackupForm.outsideName))
      }
      found[id] = kind
    }
    return found
  }

  /// The nodes of the history that could not be read then.
  func absent() throws -> Set<ObjectID> {
    var found: Set<ObjectID> = []
    for line in try lines(of: BackupForm.absentName) {
      guard let id = ObjectID(ascii: Array(line).span) else {
        throw BackupFault.damaged(path: path, .member(BackupForm.absentName))
      }
      found.insert(id)
    }
    return found
  }
}

extension BackupManifest {
  /// The time of the files in it.
  var seconds: Int64 { time / 1000 }
}
