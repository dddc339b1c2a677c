// An archive that is read: a file given by its path, or the output of a pipe.

package import RedoObject
package import RedoStore

/// Opens archives and hands on their nodes.
package struct ArchiveFile: ~Copyable {
  /// Its name in messages.
  package let path: String
  package let reader: PackReader
  /// The bytes of the file, if it is an encrypted one.
  private let sealedBytes: Int?

  /// The largest archive in bytes that is read from a pipe: it is kept in memory.
  private static let pipeLimit = 1 << 30

  /// Opens an archive; one that is encrypted, with the keys of the keyring, and without asking for its passphrase.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - effects: says where relative paths begin.
  /// - Throws: `ArchiveFault` when it cannot be read or is no archive; `SealFault.locked` when nothing opens it.
  package init(_ path: String, _ effects: Effects) throws {
    try self.init(path, SealKeys(asks: false), effects)
  }

  /// Opens an archive that may be an encrypted one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - keys: what opens it.
  ///   - effects: says where relative paths begin, and whose keyring and terminal are asked.
  /// - Throws: `ArchiveFault` when it cannot be read or is not an archive; `SealFault.locked` when nothing opens it.
  package init(_ path: String, _ keys: SealKeys, _ effects: Effects) throws {
    try self.init(path, Self.source(path, at: effects.resolve(path)), keys, effects)
  }

  /// The same of an open file.
  ///
  /// - Parameters:
  ///   - name: its name in messages.
  ///   - file: a regular file.
  ///   - keys: what opens it.
  ///   - effects: whose keyring and terminal are asked.
  /// - Throws: as above.
  init(_ name: String, _ file: consuming File, _ keys: SealKeys, _ effects: Effects) throws {
    try self.init(name, Self.source(of: file, name), keys, effects)
  }

  private init(
    _ path: String, _ source: consuming PackSource, _ keys: SealKeys, _ effects: Effects
  ) throws {
    guard try Self.isSealed(source, path) else {
      try self.init(path, source, sealedBytes: nil)
      return
    }
    let opened = try AgeSource.open(source, path, keys, effects)
    let bytes = opened.fileBytes
    do {
      try self.init(path, .age(opened), sealedBytes: bytes)
    } catch ArchiveFault.pack(.notPack, _) {
      throw ArchiveFault.sealedOther(path: path)
    }
  }

  private init(
    _ path: String, _ source: consuming PackSource, sealedBytes: Int?
  ) throws {
    let reader: PackReader
    do throws(PackError) {
      reader = try PackReader(source, of: ObjectKind.packed)
    } catch {
      throw Self.failure(error, path)
    }
    self.path = path
    self.reader = reader
    self.sealedBytes = sealedBytes
  }

  private static func isSealed(
    _ source: borrowing PackSource, _ path: String
  ) throws -> Bool {
    let start: [UInt8]
    do throws(PackError) {
      start = try source.start(ForeignFile.startBytes)
    } catch {
      throw failure(error, path)
    }
    if let error = ForeignFile.error(start, path) { throw error }
    return AgeSource.isOne(start)
  }

  /// The bytes of a pack, which may be encrypted: a regular file is read in place, anything else, and what armor is taken
  /// off, in memory.
  package static func source(
    _ path: String, at resolved: String
  ) throws -> PackSource {
    try source(of: InputFile.open(path, at: resolved), path)
  }

  private static func source(of file: consuming File, _ path: String) throws -> PackSource {
    let source: PackSource
    let start: [UInt8]
    do throws(SystemError) {
      if try file.status().kind == .regular {
        start = try file.read(ForeignFile.startBytes, at: 0)
        source = .file(file)
      } else {
        let bytes = try readPipe(file)
        start = Array(bytes.prefix(ForeignFile.startBytes))
        source = .memory(bytes)
      }
    } catch {
      throw error.named(path)
    }
    return try AgeSource.bare(source, start, path)
  }

  /// Everything that comes out of a pipe, but only the beginning of what is no archive: a device may have no end.
  private static func readPipe(_ file: borrowing File) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while try file.read(into: &bytes, atMost: 65_536) > 0 {
      guard bytes.count >= ForeignFile.startBytes else { continue }
      guard bytes.starts(with: PackFormat.magic) || AgeSource.isOne(bytes) else { break }
      bytes += try file.readAll(limit: pipeLimit - bytes.count)
      break
    }
    return bytes
  }

  /// The kind of its objects.
  package var kind: ObjectKind { reader.directory.kind }

  /// The row of the archive.
  package var row: ArchiveRow {
    ArchiveRow(
      directory: reader.directory, fileBytes: sealedBytes ?? reader.fileBytes, path: path,
      isSealed: sealedBytes != nil)
  }

  /// Compares all bytes with the hash of the file.
  ///
  /// - Throws: `ArchiveFault` when they differ.
  package func check() throws {
    do throws(PackError) { try reader.checkBytes() } catch { throw Self.failure(error, path) }
  }

  /// Hands on the nodes of each frame.
  ///
  /// - Parameters:
  ///   - effects: says whether the work is cancelled.
  ///   - body: receives the nodes of one frame, and the bytes of the frame in the file.
  /// - Throws: `ArchiveFault` for a damaged frame, or what the closure throws.
  package func forEachFrame(
    _ effects: Effects,
    _ body: ([StoredObject], Int) throws -> Void
  ) throws {
    var inflater = FrameInflater()
    for frame in reader.directory.frames.indices {
      try effects.checkInterrupt()
      let nodes: [StoredObject]
      do throws(PackError) {
        nodes = try reader.nodes(ofFrame: frame, &inflater)
      } catch {
        throw Self.failure(error, path)
      }
      try body(nodes, reader.directory.frames[frame].fileBytes)
    }
  }

  /// The one node that a name stands for.
  ///
  /// - Parameters:
  ///   - name: its id, or the beginning of it.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: the node.
  /// - Throws: `ArchiveFault` for a name that is none, or stands for no node or for several, and for a damaged frame.
  package func one(_ name: String, _ effects: Effects) throws -> StoredObject {
    var names = try ArchiveNames([name])
    var found: StoredObject?
    var inflater = FrameInflater()
    for frame in reader.directory.frames.indices {
      try effects.checkInterrupt()
      do throws(PackError) {
        let nodes = try reader.nodes(ofFrame: frame, &inflater) { names.take($0) }
        found = nodes.first ?? found
      } catch {
        throw Self.failure(error, path)
      }
    }
    try names.check(path)
    guard let found else { preconditionFailure("BUG: a node that was found is not there") }
    return found
  }

  /// The error for a pack that cannot be read: that of a system call with the name of the file, or what is wrong with
  /// the pack.
  package static func failure(_ error: PackError, _ path: String) -> any Error {
    if case .system(let error) = error { return error.named(path) }
    return ArchiveFault.pack(error, path: path)
  }
}

/// IDs that are asked for by prefix.
package struct ArchiveNames {
  private let names: [(text: String, hex: [UInt8])]
  /// The ids that were found, for each name.
  package private(set) var found: [[ObjectID]]

  /// The shortest beginning of an id.
  package static let shortest = 4

  /// - Parameter texts: whole ids or their beginnings, with or without `sha256:`; CIDs.
  /// - Throws: `ArchiveFault` for a text that is not the beginning of an ID.
  package init(_ texts: [String]) throws {
    var names: [(text: String, hex: [UInt8])] = []
    for text in texts {
      let digits = text.hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
      let hex = Array((ObjectID(name: Array(text.utf8).span)?.hex ?? digits).utf8)
      let isHex = hex.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
      guard isHex, hex.count >= Self.shortest, hex.count <= ObjectID.hexCount else {
        throw ArchiveFault.malformedName(text)
      }
      names.append((text, hex))
    }
    self.names = names
    found = Array(repeating: [], count: names.count)
  }

  /// Whether a node is asked for.
  package mutating func take(_ id: ObjectID) -> Bool {
    var hex: [UInt8] = []
    id.appendHex(to: &hex)
    var isTaken = false
    for (index, name) in names.enumerated() where hex.starts(with: name.hex) {
      found[index].append(id)
      isTaken = true
    }
    return isTaken
  }

  /// Makes sure that each name has found one node.
  ///
  /// - Throws: `ArchiveFault` for the first name without a node.
  package func check(_ path: String) throws {
    for (name, ids) in zip(names, found) where ids.count != 1 {
      guard ids.isEmpty else {
        throw ArchiveFault.severalNodes(name.text, ids, path: path)
      }
      throw ArchiveFault.noNode(name.text, path: path)
    }
  }
}
