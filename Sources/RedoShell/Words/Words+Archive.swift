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
    case .pack(let error, let path): Self.words(error, path)
    case .sealedOther(let path):
      .fatal(
        "'\(path)' is encrypted in the form of age, and what it has is no archive",
        hints: [
          "'redo age -d' decrypts it, and what reads files reads the result from '-', out of a pipe"
        ])
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

  private static func words(_ error: PackError, _ path: String) -> CommandError {
    switch error {
    case .system(let error): CommandError(error.named(path))
    case .notPack: .fatal("'\(path)' is no archive: \(error.description)")
    case .unsupported(let version):
      .fatal(
        "'\(path)' is an archive of version \(version), of which nothing is known here",
        hints: [
          "this release reads versions \(PackFormat.version) and \(PackFormat.kindsVersion); a later one may read all"
        ])
    case .kind: .fatal("'\(path)' cannot be read: \(error.description)")
    case .locked: .fatal("'\(path)' cannot be read: \(error.description)")
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
        "'\(name)' is no private key: \(Self.words(fault))", hints: Self.hints(fault),
        code: "KEYCHAIN_003")
    case .relative(let value):
      .fatal(
        "'archive.identity' is \(value.map { "'\(Escape.text($0))'" } ?? "a key itself"), "
          + "neither the name of a slot nor a whole path")
    case .keyAsName:
      .usage(
        "a private key is given where the name of its slot or file belongs",
        hints: ["others can see what stands on a command line: keep the key in a file"])
    case .memory(let logarithm):
      .fatal(
        "there is not enough memory for a passphrase: it takes \(Self.mebibytes(logarithm)) MiB")
    case .wrappedOutside:
      .fatal("the key is wrapped, and its passphrase is asked for only in a store")
    case .locked(let path, let locks, let tried, let hasOptions):
      CommandError(
        .access, Self.message(path, locks, tried),
        hints: [
          hasOptions
            ? "'--identity' names a private key, '--passphrase-file' a file whose first line is the passphrase"
            : "'-c \(SealKeys.setting)=<slot or whole path>' names a private key"
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
      if locks.hasHybrid { ways.append("a post-quantum key, which is not supported") }
      if locks.hasUnknown { ways.append("something that is not known here") }
      return
        "'\(path)' is encrypted for \(ways.joined(separator: " and ")), and nothing here opens it"
    }
  }

  private static func words(_ fault: Unreadable) -> String {
    switch fault {
    case .comments: "its lines are comments, or empty"
    case .line(let number): "line \(number) is neither a key nor a comment"
    case .hybrid(let number): "line \(number) is a post-quantum key, which is not supported"
    case .recipient(let number): "line \(number) is a public key"
    case .encrypted: "it is itself encrypted"
    case .ssh(.encrypted): "it is an OpenSSH key under a passphrase, which is not read"
    case .ssh(.otherAlgorithm): "it is an OpenSSH key of another algorithm than Ed25519"
    case .ssh(.form): "it is damaged, or a form of OpenSSH keys that is not known here"
    case .wrapped(let fault): fault.reason
    }
  }

  private static func hints(_ fault: Unreadable) -> [String] {
    switch fault {
    case .line, .wrapped, .comments:
      ["a file of keys has lines of AGE-SECRET-KEY-1..., a key of redo or one of OpenSSH"]
    case .encrypted: ["'redo age -d' opens it"]
    case .ssh(.encrypted): ["'ssh-keygen -p -N \"\" -f <copy>' takes the passphrase off a copy"]
    case .hybrid, .recipient, .ssh: []
    }
  }

  private static func mebibytes(_ logarithm: Int) -> Int {
    Scrypt.memoryBytes(logarithm: logarithm) >> 20
  }

  private static func words(_ error: AgeFileError, _ path: String) -> CommandError {
    switch error {
    case .system(let error): return CommandError(error.named(path))
    case .age(.notAge): return .fatal("'\(path)' is not encrypted in the form of age")
    case .age(.version):
      return .fatal("'\(path)' is an age file of another version than v1, the only one known here")
    case .age(.work(let logarithm)):
      return .fatal(
        "the passphrase of '\(path)' asks for a work factor of \(logarithm), more than "
          + "\(AgePassphrase.readLimit)",
        hints: ["one more doubles memory and time; \(AgePassphrase.readLimit) takes 4 GiB"])
    case .age(.memory(let logarithm)):
      return .fatal(
        "there is not enough memory for the passphrase of '\(path)': it takes "
          + "\(mebibytes(logarithm)) MiB")
    case .age(let fault): return .fatal("'\(path)' is damaged: \(words(fault))")
    }
  }

  private static func words(_ fault: AgeFault) -> String {
    switch fault {
    case .header(let line, let fault): "line \(line) of its header \(words(fault))"
    case .changedHeader: "its header is not the one that was written"
    case .payload(let chunk, .changed): "chunk \(chunk) was changed, or the file is cut off"
    case .payload(let chunk, .cutOff): "it is cut off in chunk \(chunk)"
    case .payload(_, .trailing): "something follows its last chunk"
    case .payload(let chunk, .empty): "chunk \(chunk) is empty"
    case .armor(let line, .start): "line \(line) is not '\(AgeArmor.firstLine)'"
    case .armor(let line, .line): "line \(line) of its armor is not Base64 of 64 characters"
    case .armor(let line, .cutOff): "its armor is cut off in line \(line)"
    case .armor(let line, .trailing): "something follows its armor in line \(line)"
    case .notAge, .version, .work, .memory: ""
    }
  }

  private static func words(_ fault: AgeFault.Header) -> String {
    switch fault {
    case .cutOff: "is cut off"
    case .tooLong: "is beyond \(AgeHeader.byteLimit) bytes"
    case .form: "is neither a stanza nor the end"
    case .body: "is not Base64 without padding in lines of 64 characters"
    case .stanza: "is not as its kind has to be"
    case .lowOrder: "has a share that everybody knows the secret of"
    case .passphraseNotAlone: "follows a passphrase that is not the only way to open it"
    }
  }
}

extension AgeWorkFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .nobody:
      .usage(
        "it is not said for whom",
        hints: ["'-r <recipient>' or '-R <file>' names public keys, '-p' asks for a passphrase"])
    case .same(let path): .fatal("'\(path)' is the file that is read")
    }
  }
}

extension ArchiveHistoryFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .empty: .fatal("no node of the archives has all its ancestors in them")
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
          "\(node.kind.name) '\(node.id.text)' of \(Self.text(node.time)) stays: its ancestor "
            + "'\(node.ancestor.text)' is of \(Self.text(node.ancestorTime))"
        )
      ]
    case .moreStay(let kind, let count):
      [("warning: ", "\(count) more \(kind.name)s stay for the same reason; '-n' names them all")]
    case .listSalvaged(let error, let name, let archives):
      [
        ("warning: ", "\(error.description); its bytes are kept in '.redo/\(name ?? "")'"),
        (
          "warning: ",
          "\(archives) of its lines are good; 'redo archive register' adds what is missing"
        ),
      ]
    case .incomplete(let count, let missing, let first):
      [
        (
          "warning: ",
          "\(count) node\(count == 1 ? " is" : "s are") left out, because \(missing) "
            + "ancestor\(missing == 1 ? " is" : "s are") in none of the archives; the first is "
            + "'\(first.text)'"
        ),
        ("hint: ", "name the archives that have them, too"),
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
      [("", "took \(freed.count) \(freed.kind.name)s out of the store, about \(freed.bytes) bytes")]
    case .wouldRemove(let freed):
      [
        (
          "",
          "would take \(freed.count) \(freed.kind.name)s out of the store, about \(freed.bytes) bytes"
        )
      ]
    }
  }

  private static func text(_ time: WallTime?) -> String { time?.text ?? "unknown time" }

  private static func unfinished(_ path: String, _ reason: String) -> String {
    "the nodes of '\(Escape.text(path))' are not all out of the store: \(reason)"
  }
}
