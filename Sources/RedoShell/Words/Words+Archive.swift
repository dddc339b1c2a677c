// Messages about archives, encrypted or not.

internal import RedoCrypto
internal import RedoObject
package import RedoRepository
internal import RedoStore

extension ArchiveFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .outside(let id): .fatal("object '\(id.text)' is no node of the history")
    case .unknown(let name):
      .fatal(
        "no registered archive has the name '\(Escape.text(name))'",
        hints: ["'redo archive list' shows those that are registered"])
    case .ambiguous(let name, let archives):
      .fatal(
        "'\(Escape.text(name))' stands for \(archives.count) archives", hints: archives.map(\.hex))
    case .gone: .fatal("the archive is not there any more", hints: [Self.removalHint])
    case .irregular(let path):
      .fatal("'\(path)' is not a regular file; only such a one can be registered")
    case .encrypted(let path, .whole): .fatal("'\(path)' is encrypted", hints: [Self.sealedHint])
    case .encrypted(let path, .nodes):
      .fatal("'\(path)' is encrypted: no single node of it can be read", hints: [Self.sealedHint])
    case .pack(let error, let path): Self.words(error, path)
    case .malformedName(let text):
      .fatal(
        "not an id or the beginning of one: '\(text)'",
        hints: ["an archive is asked by ids, of which \(ArchiveNames.shortest) digits suffice"])
    case .noNode(let name, let path): .fatal("no node of '\(path)' has the name '\(name)'")
    case .severalNodes(let name, let ids, let path):
      .fatal(
        "'\(name)' stands for \(ids.count) nodes of '\(path)'", hints: ids.prefix(10).map(\.text))
    }
  }

  private static let removalHint = "'redo archive register <file>' or 'redo gc' goes on with it"
  private static let sealedHint = "'redo archive extract' and 'redo import' read encrypted archives"

  private static func words(_ error: PackError, _ path: String) -> CommandError {
    switch error {
    case .system(let error): CommandError(error.named(path))
    case .notPack: .fatal("'\(path)' is no archive: \(error.description)")
    case .unsupported(let version):
      .fatal(
        "'\(path)' is an archive of version \(version), of which nothing is known here",
        hints: ["this release reads version \(PackFormat.version); a later one may read both"])
    case .corrupt: .fatal("'\(path)' is damaged \(error.description)")
    }
  }
}

extension SealFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .passphrasesDiffer: .fatal("the passphrases differ")
    case .nobodyToAsk:
      .fatal(
        "there is no terminal to ask for a passphrase",
        hints: ["'--passphrase-file' names a file whose first line it is"])
    case .emptyPassphrase(let path): .fatal("the first line of '\(path)' is empty")
    case .emptyKey(let name): .fatal("'\(name)' is empty", code: "KEYCHAIN_003")
    case .notKey(let name, let fault):
      .fatal(
        "'\(name)' is no private key: \(fault.reason)",
        hints: ["nor is it '\(SealKeys.prefix)' and 64 lower-case hex digits"],
        code: "KEYCHAIN_003")
    case .wrappedOutside:
      .fatal("the key is wrapped, and its passphrase is asked for only in a store")
    case .locked(let path, let locks, let tried):
      CommandError(
        .access, Self.message(path, locks, tried),
        hints: [
          "'--identity' names a private key, '--passphrase-file' a file whose first line is the passphrase"
        ])
    case .file(let error, let path): Self.words(error, path)
    }
  }

  private static func message(_ path: String, _ locks: SealLocks, _ tried: Tried) -> String {
    switch tried {
    case .passphraseForKeys: return "no passphrase opens '\(path)', it is encrypted for keys"
    case .passphrase: return "the passphrase does not open '\(path)'"
    case .all:
      var ways: [String] = []
      if locks.keys > 0 { ways.append("\(locks.keys) key\(locks.keys == 1 ? "" : "s")") }
      if locks.hasPassphrase { ways.append("a passphrase") }
      if locks.hasUnknown { ways.append("something that is not known here") }
      return
        "'\(path)' is encrypted for \(ways.joined(separator: " and ")), and nothing here opens it"
    }
  }

  private static func words(_ error: SealedError, _ path: String) -> CommandError {
    switch error {
    case .system(let error): CommandError(error.named(path))
    case .notSealed: .fatal("'\(path)' is no encrypted archive")
    case .unsupported(let version):
      .fatal(
        "'\(path)' is an encrypted archive of version \(version), of which nothing is known here",
        hints: ["this release reads version \(SealedFile.version); a later one may read both"])
    case .corrupt(let offset, let reason):
      .fatal("'\(path)' is damaged at byte \(offset): \(reason)")
    case .cost(let cost):
      .fatal(
        "the passphrase of '\(path)' asks for \(cost.passes) passes over \(cost.memoryKiB) KiB, "
          + "more than allowed")
    case .noMemory(let cost):
      .fatal("there is not enough memory for a passphrase: it takes \(cost.memoryKiB) KiB")
    }
  }
}

extension ArchiveEvent {
  /// The lines of the message, each with its prefix.
  var lines: [(prefix: String, text: String)] {
    switch self {
    case .nodeStays(let node):
      [
        (
          "warning: ",
          "node '\(node.id.text)' of \(Self.text(node.time)) stays: its ancestor "
            + "'\(node.ancestor.text)' is of \(Self.text(node.ancestorTime))"
        )
      ]
    case .moreStay(let count):
      [("warning: ", "\(count) more nodes stay for the same reason; '-n' names them all")]
    case .listSalvaged(let error, let name, let archives):
      [
        ("warning: ", "\(error.description); its bytes are kept in '.redo/\(name ?? "")'"),
        (
          "warning: ",
          "\(archives) of its lines are good; 'redo archive register' adds what is missing"
        ),
      ]
    case .packStays(let path, let error):
      [("warning: ", "'\(path)' stays as it is: \(error.description)")]
    case .copiesStay(let count):
      [
        (
          "warning: ",
          "\(count) nodes stay in the store too: its copies are not those of the archive"
        )
      ]
    case .removalFailed(let path, let error):
      [("warning: ", Self.unfinished(path, CommandError(error).message))]
    case .removalReplaced(let path):
      [("warning: ", Self.unfinished(path, "another file is in its place"))]
    case .removalFinished(let path):
      [("", "finished taking the nodes of '\(Escape.text(path))' out of the store")]
    case .removed(let freed):
      [("", "took \(freed.count) nodes out of the store, about \(freed.bytes) bytes")]
    case .wouldRemove(let freed):
      [("", "would take \(freed.count) nodes out of the store, about \(freed.bytes) bytes")]
    }
  }

  private static func text(_ time: WallTime?) -> String { time?.text ?? "unknown time" }

  private static func unfinished(_ path: String, _ reason: String) -> String {
    "the nodes of '\(Escape.text(path))' are not all out of the store: \(reason)"
  }
}
