// Every name below `.redo`: what it is, whether it may be there, whether it is missing. Shards, the
// keyring and what files hold have checks of their own.

internal import RedoCrypto
internal import RedoObject

/// The check of the names of a store.
package enum LayoutCheck {
  /// The files that a store cannot do without; its settings have a check of their own.
  private static let needed = [
    Refs.Name.refs, Refs.Name.journal, Refs.Name.reflog, Refs.Name.received,
  ]

  /// Looks at all names of a store.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong, by path.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    if let status = try? store.status(), status.mode & 0o022 != 0 {
      findings.append(
        StoreFinding(
          .fileMode, detail: "the store has mode \(status.modeText): others may write",
          repair: "chmod go-w .redo"))
    }
    for (directory, meaning) in directories {
      for entry in FileCheck.entries(of: directory, in: store, &findings) {
        let path = directory.isEmpty ? entry.name : joinPath(directory, entry.name)
        if let finding = FileCheck.finding(entry, at: path, meaning(entry.name)) {
          findings.append(finding)
        }
      }
    }
    findings += lonelyIndexes(in: store)
    for remote in FileCheck.entries(of: Layout.remotes, in: store, &findings) {
      let folder = joinPath(Layout.remotes, remote.name)
      for entry in FileCheck.entries(of: folder, in: store, &findings) {
        let path = joinPath(folder, entry.name)
        if let finding = FileCheck.finding(entry, at: path, inRemote(entry.name)) {
          findings.append(finding)
        }
      }
      let mirror = joinPath(folder, Layout.mirror)
      for entry in FileCheck.entries(of: mirror, in: store, &findings) {
        let path = joinPath(mirror, entry.name)
        if let finding = FileCheck.finding(entry, at: path, inMirror(entry.name)) {
          findings.append(finding)
        }
      }
    }
    for name in needed + [Layout.objects] {
      guard isMissing(name, in: store) else { continue }
      let isObjects = name == Layout.objects
      findings.append(
        StoreFinding(
          .fileMissing, path: name,
          repair: isObjects ? StoreRepair.objects : StoreRepair.refs))
    }
    return findings.sorted()
  }

  private static func isMissing(_ name: String, in store: borrowing Directory) -> Bool {
    do throws(SystemError) { return try store.status(name) == nil } catch { return false }
  }

  /// The directories whose names are known, and what each name means.
  private static let directories: [(String, @Sendable (String) -> CheckedName)] = [
    ("", inStore), (Layout.objects, inObjects), (Layout.objectInfo, inObjectInfo),
    (Layout.packs, inPacks), (ArchiveRegister.folder, ArchiveCheck.meaning),
    (Layout.remotes, { $0.hasPrefix(FileCheck.temporaryPrefix) ? .unknown : .directory }),
    (Layout.hooks, inHooks),
    (Layout.quarantine, QuarantineCheck.meaning), (Layout.incoming, QuarantineCheck.meaningOfPack),
    (Layout.orphans, inOrphans), (QuarantinedDocuments.path, QuarantinedDocuments.meaning),
    (Layout.documents, DocumentsCheck.meaning),
    (Layout.cache, inCache), (Layout.snapshots, inSnapshots), (Layout.tokens, inTokens),
  ]

  @Sendable private static func inStore(_ name: String) -> CheckedName {
    switch name {
    case Layout.config: .fileOrLink
    case Layout.trust, Layout.created, Layout.access, Layout.local, Refs.Name.refs,
      Refs.Name.journal,
      Refs.Name.reflog, Refs.Name.received, Refs.Name.lock:
      .file
    case Layout.objects, Layout.keys, Layout.quarantine, Layout.remotes, Layout.cache,
      Layout.lostFound, Layout.hooks, Layout.documents, ArchiveRegister.folder:
      .directory
    default: .unknown
    }
  }

  @Sendable private static func inObjects(_ name: String) -> CheckedName {
    name == "info" || name == "pack" ? .directory : inOrphans(name)
  }

  /// The nodes that wait for their parents lie as loose objects do.
  @Sendable private static func inOrphans(_ name: String) -> CheckedName {
    if name == LooseTransaction.lockName { return .file }
    let isShard = name.utf8.count == 2 && name.utf8.allSatisfy { Hex.value($0) < 16 }
    return isShard ? .directory : .unknown
  }

  @Sendable private static func inHooks(_ name: String) -> CheckedName {
    HookProcess.names.contains(name) ? .file : .unknown
  }

  @Sendable private static func inObjectInfo(_ name: String) -> CheckedName {
    name == "alternates" || name == SignatureMark.name ? .file : .unknown
  }

  @Sendable private static func inPacks(_ name: String) -> CheckedName {
    let isKnown =
      name == PackStore.lockName || PackStore.packName(name) != nil
      || PackStore.packName(name, ending: ".idx") != nil
    return isKnown ? .file : .unknown
  }

  /// Indexes whose packs are not there.
  private static func lonelyIndexes(in store: borrowing Directory) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    let names = Set(FileCheck.entries(of: Layout.packs, in: store, &findings).map(\.name))
    return names.compactMap { name in
      guard let digest = PackStore.packName(name, ending: ".idx"),
        !names.contains(PackStore.fileName(digest))
      else { return nil }
      return StoreFinding(
        .fileUnfinished, path: joinPath(Layout.packs, name),
        detail: "the index of a pack that is not there", repair: StoreRepair.packs)
    }
  }

  @Sendable private static func inCache(_ name: String) -> CheckedName {
    switch name {
    case "snapshots", "tokens": .directory
    case "living", DamageNotes.name: .file
    case let name where CacheCheck.indexNames.contains(name): .file
    case let name where CacheCheck.tableNames.contains(name): .file
    default: .unknown
    }
  }

  /// `<kind>-<32 hex>`, a token of a service.
  @Sendable private static func inTokens(_ name: String) -> CheckedName {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count > 1, let digits = parts.last, digits.utf8.count == 32 else { return .unknown }
    return digits.utf8.allSatisfy { Hex.value($0) < 16 } ? .file : .unknown
  }

  private static func inRemote(_ name: String) -> CheckedName {
    if name == Layout.mirror { return .directory }
    return ["access", "checkpoint", "heldback", "id", "last"].contains(name) ? .file : .unknown
  }

  /// What the transport of a Firestore remembers.
  private static func inMirror(_ name: String) -> CheckedName {
    ["bodies", "lock", "mirror"].contains(name) ? .file : .unknown
  }

  @Sendable private static func inSnapshots(_ name: String) -> CheckedName {
    name == "current" || ObjectID(hex: Array(name.utf8).span) != nil ? .file : .unknown
  }
}

/// What is to be run against damage.
package enum StoreRepair {
  /// Objects come back from another copy.
  package static let objects = "redo verify --repair-from=<source>"
  /// Refs are repaired from what is here.
  package static let refs = "redo verify --repair-refs"
  /// Indexes of packs are made again, and leftovers of packs are removed.
  package static let packs = "redo gc"
  /// What came is taken in, or refused.
  package static let quarantine = "redo quarantine promote"
  /// The list of archives is set right, or told where an archive is now.
  package static let archives = "redo archive register <file>"
  /// What is derived is made again.
  package static let cache = "delete it; it is made again"
}
