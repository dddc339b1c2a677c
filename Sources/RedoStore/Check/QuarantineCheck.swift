// `quarantine/`: packs that nobody takes in, nodes that wait for their parents, and whether these are whole.

internal import RedoCrypto
internal import RedoObject

/// The check of what was received and is not yet part of the store.
package enum QuarantineCheck {
  /// What a name in the directory means.
  @Sendable static func meaning(_ name: String) -> CheckedName {
    switch name {
    case Quarantine.lockName, QuarantineOwners.name: .file
    case Quarantine.incomingName, Quarantine.orphansName, QuarantinedDocuments.name: .directory
    default: ShownObjects.isName(name) ? .directory : .unknown
    }
  }

  /// What a name among the packs that come means.
  @Sendable static func meaningOfPack(_ name: String) -> CheckedName {
    IncomingPack.isName(name) ? .file : .unknown
  }

  /// Looks at the nodes that wait, and for packs that were left behind.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong, by path.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    for entry in FileCheck.entries(of: Layout.incoming, in: store, &findings)
    where IncomingPack.isName(entry.name) {
      guard let folder = try? store.openSubdirectory(Layout.incoming, isFollowing: false),
        (try? LockFile.isHeld(in: folder, name: entry.name)) == false
      else { continue }
      findings.append(
        StoreFinding(
          .fileUnfinished, path: joinPath(Layout.incoming, entry.name),
          detail: "an interrupted run has received it", repair: StoreRepair.quarantine))
    }
    for entry in FileCheck.entries(of: Layout.quarantine, in: store, &findings)
    where ShownObjects.isName(entry.name) {
      let path = joinPath(Layout.quarantine, entry.name)
      guard let folder = try? store.openSubdirectory(path, isFollowing: false),
        (try? LockFile.isHeld(in: folder, name: ShownObjects.lockName)) == false
      else { continue }
      findings.append(
        StoreFinding(
          .fileUnfinished, path: path, detail: "an interrupted run has shown it to a hook",
          repair: StoreRepair.quarantine))
    }
    guard (try? store.status(Layout.orphans))??.kind == .directory,
      let orphans = try? LooseStore(path: joinPath(store.path, Layout.orphans))
    else { return findings.sorted() }
    var workspace = LooseStore.Workspace()
    for byte in UInt8.min...UInt8.max {
      var found: [StoreFinding] = []
      guard let shard = orphans.checkShard(byte, &found) else {
        findings += found.map(moved)
        continue
      }
      findings += found.map(moved)
      for id in shard.ids {
        do throws(StoreError) {
          _ = try orphans.read(id, in: shard, &workspace)
        } catch {
          findings.append(
            StoreFinding(
              .objectCorrupt, id: id, path: joinPath(Layout.orphans, Layout.loose(id)),
              detail: error.description, repair: "redo quarantine drop \(id.text)"))
        }
      }
    }
    return findings.sorted()
  }

  /// A finding of a shard, which says where it would lie among the objects.
  private static func moved(_ finding: StoreFinding) -> StoreFinding {
    let start = Layout.objects + "/"
    let path =
      finding.path.hasPrefix(start)
      ? joinPath(Layout.orphans, String(finding.path.dropFirst(start.utf8.count))) : finding.path
    return StoreFinding(
      finding.rule, id: finding.id, path: path, detail: finding.detail,
      repair: finding.rule == .fileUnfinished ? StoreRepair.quarantine : finding.repair)
  }
}
