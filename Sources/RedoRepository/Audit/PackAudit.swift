// The packs of a store, opened for an audit: found by the names in their directory, whatever is in them.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// The packs of a store.
package struct PackAudit: ~Copyable {
  /// The packs that can be opened, in the order of their names.
  package private(set) var packs: [AuditedPack] = []
  /// The packs that cannot be opened, because they are damaged or, of an archive, away; with the IDs that their indexes
  /// list.
  package private(set) var closed: [(path: String, ids: [ObjectID], isAway: Bool)] = []
  /// What is wrong with the packs that cannot be opened.
  package private(set) var findings: [StoreFinding] = []
  private let folder: Folder?
  private var archives: [ShelvedArchive] = []

  /// The directory of packs.
  ///
  /// A class, because there may be none, and an open directory cannot be copied.
  private final class Folder: Sendable {
    let directory: Directory
    init(_ path: String) throws(SystemError) { directory = try Directory.open(path) }
  }

  package static let repair = StoreRepair.objects

  /// Opens all packs of a directory of objects.
  package init(_ store: ObjectStore) {
    folder = try? Folder(store.packs.path)
    while true {
      let names = names()
      for name in names { open(name) }
      // A pack that disappeared before it was opened was replaced by others.
      if packs.count + closed.count == names.count { break }
      (packs, closed, findings) = ([], [], [])
    }
    // A damaged list is reported by the check of names.
    archives = (try? store.archives?.all()) ?? []
    for shelved in archives { open(shelved) }
  }

  /// Opens a registered archive; one that is away is reported with the list.
  private mutating func open(_ shelved: ShelvedArchive) {
    let path = shelved.archive.path
    var reason = ""
    if case .damaged(let why) = shelved.condition() { reason = why }
    if shelved.condition() == .present {
      do throws(PackError) {
        let number = UInt16(clamping: packs.count + 1)
        packs.append(
          AuditedPack(
            path: path, number: number, pack: try OpenPack(shelved.open(), of: ObjectKind.packed),
            archive: shelved.archive
          ))
        return
      } catch {
        reason = error.description
      }
    }
    closed.append((path, (try? shelved.ids()) ?? [], isAway: reason.isEmpty))
    if !reason.isEmpty {
      findings.append(
        StoreFinding(.packCorrupt, path: path, detail: reason, repair: Self.repair))
    }
  }

  private static func path(_ name: String) -> String { joinPath(Layout.packs, name) }

  private func names() -> [String] {
    guard let folder else { return [] }
    return ((try? folder.directory.list()) ?? []).filter { name in
      PackStore.packName(name) != nil
        // What is not a file is reported by the check of names.
        && (try? folder.directory.status(name))??.kind == .regular
    }.sorted()
  }

  private mutating func open(_ name: String) {
    guard let folder else { return }
    let path = Self.path(name)
    let reason: String
    do throws(PackError) {
      let file: File
      do throws(SystemError) {
        file = try folder.directory.openRegularFile(name)
      } catch {
        throw .system(error)
      }
      let number = UInt16(clamping: packs.count + 1)
      packs.append(
        AuditedPack(
          path: path, number: number, pack: try OpenPack(.file(file), of: ObjectKind.packed)))
      return
    } catch {
      if case .system(let cause) = error, cause.isMissing { return }
      reason = error.description
    }
    closed.append((path, ids(name).flatMap { $0 }, isAway: false))
    findings.append(
      StoreFinding(.packCorrupt, path: path, detail: reason, repair: Self.repair))
  }

  /// The IDs that the index of a pack lists, by frame.
  private func ids(_ name: String) -> [[ObjectID]] {
    guard let folder, let digest = PackStore.packName(name),
      let index = PackIndex.open(
        in: folder.directory, PackStore.indexName(digest), name: digest)
    else { return [] }
    return (try? index.idsByFrame()) ?? []
  }

  /// The IDs of a frame that cannot be read, as far as the index lists them.
  package func ids(ofFrame frame: Int, of pack: AuditedPack) -> [ObjectID] {
    if let archive = pack.archive {
      let shelved = archives.first { $0.archive == archive }
      let frames = try? shelved?.pack.asking { index throws(PackIndexDamage) in
        try index.idsByFrame()
      }
      return frames.flatMap { frame < $0.count ? $0[frame] : nil } ?? []
    }
    let frames = ids(pack.path.split(separator: "/").last.map(String.init) ?? "")
    return frame < frames.count ? frames[frame] : []
  }

  /// What is wrong with a pack as a whole, and with its index.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - exam: what was found in its frames.
  ///   - store: the store's directory.
  /// - Returns: a finding for each thing.
  package func findings(
    _ pack: AuditedPack, _ exam: consuming PackExam, in store: borrowing Directory
  ) -> [StoreFinding] {
    let (problems, index, isWhole) = exam.finish()
    var findings = problems.map { problem in
      StoreFinding(.packCorrupt, path: pack.path, detail: problem.text, repair: Self.repair)
    }
    if let archive = pack.archive {
      let path = joinPath(ArchiveRegister.folder, archive.indexName)
      // Whether it is whole is reported with the list.
      if case .wrong(let why) = PackIndexState(in: store, path, index, isWhole: isWhole) {
        findings.append(
          StoreFinding(.cacheWrong, path: path, detail: why, repair: StoreRepair.archives))
      }
      return findings
    }
    let file = pack.path.split(separator: "/").last.map(String.init) ?? ""
    guard let folder, let name = PackStore.packName(file) else { return findings }
    if name != pack.pack.reader.directory.name {
      findings.append(
        StoreFinding(
          .packCorrupt, path: pack.path, detail: "it is the pack of another name",
          repair: Self.repair))
    }
    let indexName = PackStore.indexName(name)
    switch PackIndexState(in: folder.directory, indexName, index, isWhole: isWhole) {
    case .good: break
    case .missing:
      findings.append(
        StoreFinding(
          .packIndex, path: pack.path, detail: "it has none; every reader works it out",
          repair: StoreRepair.packs))
    case .bad(let why):
      findings.append(
        StoreFinding(
          .packIndex, path: Self.path(indexName), detail: why, repair: StoreRepair.packs))
    case .wrong(let why):
      findings.append(
        StoreFinding(
          .cacheWrong, path: Self.path(indexName), detail: why, repair: StoreRepair.packs))
    }
    return findings
  }

  /// How many frames the packs have.
  package var frameCount: Int { packs.reduce(0) { $0 + $1.pack.frameCount } }

  /// A name that identifies these packs.
  package var name: String { AuditPart.name(of: packs.map(\.path)) }
}
