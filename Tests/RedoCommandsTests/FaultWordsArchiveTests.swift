// Messages about archives, encrypted or not, and about packs: words, exit status, and kind of error.

import RedoCrypto
import RedoObject
@testable import RedoRepository
@testable import RedoShell
import RedoStore
import Testing

@Suite("Words: archives and packs")
struct FaultWordsArchiveTests {
  private static let id = StoredObject(blob: [1]).id

  private func expect(
    _ fault: any WordedFault, _ expected: CommandError, _ code: RedoError.Code,
    _ subject: String?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(CommandError(fault) == expected, sourceLocation: sourceLocation)
    #expect(RedoError(fault).code == code, sourceLocation: sourceLocation)
    #expect(RedoError(fault).subject == subject, sourceLocation: sourceLocation)
  }

  @Test("archives that cannot be used")
  func archives() {
    expect(
      ArchiveFault.unknown("a\u{7}"),
      .fatal(
        "no registered archive has the name 'a\\x07'",
        hints: ["'redo archive list' shows those that are registered"]), .missing, "a\u{7}")
    expect(
      ArchiveFault.gone,
      .fatal(
        "the archive is not there any more",
        hints: ["'redo archive register <file>' or 'redo gc' goes on with it"]), .missing, nil)
    expect(
      ArchiveFault.malformedName("x"),
      .fatal(
        "not an id or the beginning of one: 'x'",
        hints: ["an archive is asked by ids, of which 4 digits suffice"]), .malformed, "x")
  }

  @Test("files that are no good archives")
  func packs() {
    expect(
      ArchiveFault.pack(.corrupt(offset: 7, reason: "cut off"), path: "a"),
      .fatal("'a' is damaged at byte 7: cut off"), .corrupt, "a")
    expect(
      ArchiveFault.pack(.notPack, path: "a"),
      .fatal("'a' is no archive: it does not begin as a pack does"), .malformed, "a")
    expect(
      RepackFault.pack(.corrupt(offset: 7, reason: "cut off"), path: "a"),
      .fatal("pack 'a' is damaged at byte 7: cut off"), .corrupt, "a")
    expect(
      RepackFault.gone(Self.id), .fatal("object '\(Self.id.text)' has gone meanwhile"), .missing,
      Self.id.text)
    #expect(
      TidyDamage.pack(.notPack, path: "a").words
        == "pack 'a' cannot be read: it does not begin as a pack does; it stays as it is")
    #expect(
      TidyDamage.invalid(Self.id, .node).words
        == "object '\(Self.id.text)' is no valid node; it stays as it is")
    #expect(
      TidyDamage.invalid(Self.id, .receipt).words
        == "object '\(Self.id.text)' is no valid receipt; it stays as it is")
    #expect(
      RepackFault.message(.kind(1), "a")
        == "pack 'a' cannot be read: it is a pack of objects of the kind 'receipt', which are not wanted here"
    )
  }

  @Test("a file that nothing opens ends with the status of refused access")
  func locked() {
    let hint =
      "'--identity' names a private key, '--passphrase-file' a file whose first line is the passphrase"
    let locks = SealLocks(keys: 2, hasPassphrase: true)
    expect(
      SealFault.locked(path: "a", locks, .all, hasOptions: true),
      CommandError(
        .access, "'a' is encrypted for 2 keys and a passphrase, and nothing here opens it",
        hints: [hint]), .denied, "a")
    expect(
      SealFault.locked(path: "a", locks, .all, hasOptions: false),
      CommandError(
        .access, "'a' is encrypted for 2 keys and a passphrase, and nothing here opens it",
        hints: ["'-c archive.identity=<slot or whole path>' names a private key"]), .denied, "a")
    expect(
      SealFault.locked(path: "a", locks, .passphrase, hasOptions: true),
      CommandError(.access, "the passphrase does not open 'a'", hints: [hint]), .denied, "a")
    let fault = SealFault.locked(path: "a", locks, .all, hasOptions: true)
    #expect(CommandError(fault).ending == .exit(.access))
    expect(
      SealFault.emptyKey(name: "a"), .fatal("'a' is empty", code: "KEYCHAIN_003"), .malformed, "a")
    expect(
      SealFault.notKey(name: "a", .comments),
      .fatal(
        "'a' is no private key: its lines are comments, or empty",
        hints: ["a file of keys has lines of AGE-SECRET-KEY-1..., a key of redo or one of OpenSSH"],
        code: "KEYCHAIN_003"), .malformed, "a")
    expect(
      SealFault.relative(value: nil),
      .fatal("'archive.identity' is a key itself, neither the name of a slot nor a whole path"),
      .invalid, nil)
    expect(
      SealingFault.unknown(.line(3, path: "a")),
      .fatal(
        "line 3 of 'a' is no recipient",
        hints: [
          "a recipient is 'age1...', 'ssh-ed25519 ...', a signer's public key of 64 hex digits or a user id of 32"
        ]), .malformed, "a")
    expect(
      ArchiveFault.sealedOther(path: "a"),
      .fatal(
        "'a' is encrypted in the form of age, and what it has is no archive",
        hints: [
          "'redo age -d' decrypts it, and what reads files reads the result from '-', out of a pipe"
        ]), .malformed, "a")
    expect(
      SealFault.file(.age(.payload(chunk: 7, .cutOff)), path: "a"),
      .fatal("'a' is damaged: it is cut off in chunk 7"), .corrupt, "a")
    expect(
      SealFault.notKey(name: "a", .hybrid(line: 2)),
      .fatal(
        "'a' is no private key: line 2 is a post-quantum key, which is not supported",
        code: "KEYCHAIN_003"), .malformed, "a")
  }

  @Test("what happens to archives")
  func events() {
    let freed = FreedNodes(kind: .node, count: 3, bytes: 500)
    let staying = ArchiveEvent.Staying(
      kind: .node, id: Self.id, time: WallTime(milliseconds: 0), ancestor: Self.id,
      ancestorTime: nil)
    let rows: [(ArchiveEvent, [String])] = [
      (.removed(freed), ["took 3 nodes out of the store, about 500 bytes"]),
      (.wouldRemove(freed), ["would take 3 nodes out of the store, about 500 bytes"]),
      (
        .nodeStays(staying),
        [
          "warning: node '\(Self.id.text)' of 1970-01-01T00:00:00.000Z stays: its ancestor "
            + "'\(Self.id.text)' is of unknown time"
        ]
      ),
      (
        .removalFailed(path: "a", ArchiveFault.irregular(path: "a")),
        [
          "warning: the nodes of 'a' are not all out of the store: 'a' is not a regular file; "
            + "only such a one can be registered"
        ]
      ),
      (
        .removalReplaced(path: "a"),
        [
          "warning: the nodes of 'a' are not all out of the store: another file is in its place"
        ]
      ),
    ]
    for (event, lines) in rows { #expect(MessageStream.lines(of: .archive(event)) == lines) }
  }
}
