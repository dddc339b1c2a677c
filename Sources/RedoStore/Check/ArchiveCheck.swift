// `archives/`: the list of registered archives, their indexes, and whether their files are where it says.
// What is in the files is looked at with the packs.

internal import RedoCrypto
internal import RedoObject

/// The check of registered archives.
package enum ArchiveCheck {
  /// What a name in the directory means.
  @Sendable static func meaning(_ name: String) -> CheckedName {
    name == ArchiveRegister.fileName || archiveName(name) != nil ? .file : .unknown
  }

  private static func archiveName(_ file: String) -> Digest? {
    guard file.hasSuffix(".idx") else { return nil }
    let digits = Array(file.utf8.dropLast(4))
    return ObjectID(hex: digits.span)?.digest
  }

  /// Looks at the list, at what is beside it, and for the files that it names.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - unlock: finds the keys of archives that are encrypted.
  /// - Returns: what is wrong, by path.
  package static func findings(
    in store: borrowing Directory, unlock: @escaping AgeUnlocking = { _ in nil }
  ) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    let names = FileCheck.entries(of: ArchiveRegister.folder, in: store, &findings).map(\.name)
    let indexes = Set(names.filter { archiveName($0) != nil })
    guard names.contains(ArchiveRegister.fileName) else {
      if !indexes.isEmpty {
        findings.append(
          StoreFinding(
            .fileMissing, path: ArchiveRegister.path,
            detail: "there are indexes of \(indexes.count) archives", repair: StoreRepair.archives))
      }
      return findings.sorted()
    }
    let register: ArchiveRegister
    do throws(ArchiveRegister.Failure) {
      register = try ArchiveRegister.read(in: store)
    } catch {
      findings.append(
        StoreFinding(
          .archiveList, path: ArchiveRegister.path, detail: error.description,
          repair: StoreRepair.archives))
      return findings.sorted()
    }
    for archive in register.archives { findings += look(at: archive, in: store, unlock) }
    let known = Set(register.archives.map(\.indexName))
    for name in indexes.subtracting(known) {
      findings.append(
        StoreFinding(
          .fileUnfinished, path: joinPath(ArchiveRegister.folder, name),
          detail: "the index of an archive that is not registered",
          repair: FileCheck.unfinishedRepair))
    }
    return findings.sorted()
  }

  private static func look(
    at archive: RegisteredArchive, in store: borrowing Directory, _ unlock: @escaping AgeUnlocking
  ) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    let path = joinPath(ArchiveRegister.folder, archive.indexName)
    let index = PackIndex.open(in: store, path, name: archive.name)
    if ((try? index?.payload()) ?? nil) == nil || index?.nodeCount != archive.nodes {
      let found = (try? store.status(path)) ?? nil
      let isMissing = found.map { _ in false } ?? true
      findings.append(
        StoreFinding(
          .packIndex, path: path,
          detail: isMissing
            ? "it is missing; every reader works it out"
            : "its bytes are not those of the archive's index",
          repair: StoreRepair.archives))
    }
    let shelved = ShelvedArchive(
      archive, in: store, cache: FrameCache(), counters: nil, unlock: unlock)
    if case .away(let reason) = shelved.condition() {
      findings.append(
        StoreFinding(
          .archiveOffline, path: archive.path, detail: "\(archive.nodes) nodes: \(reason)",
          repair: StoreRepair.archives))
    } else if archive.state == .removing {
      findings.append(
        StoreFinding(
          .fileUnfinished, path: archive.path,
          detail: "its nodes are not all out of the store yet", repair: StoreRepair.packs))
    }
    return findings
  }
}
