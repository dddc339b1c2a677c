// Faults and events of opening, of checkpoints and of exchanges: their members, and the messages and exit
// statuses that they become.

import RedoCrypto
import RedoObject
import RedoRemote
import RedoStore
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

/// A fault, and the message that it becomes.
private struct Said: CustomTestStringConvertible {
  let fault: any WordedFault
  let code: RedoError.Code
  let exit: Exit
  let message: String
  var hints: [String] = []

  var testDescription: String { message }

  init(
    _ fault: any WordedFault, _ code: RedoError.Code, _ exit: Exit, _ message: String,
    _ hints: String...
  ) {
    (self.fault, self.code, self.exit, self.message, self.hints) = (
      fault, code, exit, message, hints
    )
  }
}

@Suite("words of faults and events")
struct FaultWordsTests {
  private static let id = ObjectID(digest: SHA256.digest(of: [1].span))
  private static let task = TaskID(Array("01234567-89ab-4cde-8f01-23456789abcd".utf8).span)
  private static let missing = SystemError(code: 2, operation: "open", path: "/x")

  private func check(_ said: Said) {
    let words = CommandError(said.fault)
    #expect(words.messageWithCode == said.message)
    #expect(words.hints == said.hints)
    #expect(words.ending == .exit(said.exit))
    #expect(RedoError(said.fault).code == said.code)
  }

  @Test(
    "what keeps a store, a file or a name from being opened",
    arguments: [
      Said(InputFault.directory(path: "d"), .invalid, .fatal, "'d' is a directory"),
      Said(
        InputFault.namedPipe(path: "p"), .invalid, .fatal, "'p' is a named pipe, not a file",
        "'-' in its place is standard input, into which it can be piped"),
      Said(
        InputFault.foreign(name: "a.redo", .lzfse), .unsupported, .fatal,
        "'a.redo' is compressed with LZFSE, which is not read here [STORAGE_003]",
        "the app's own export is not compressed; 'lzfse -decode' makes JSON of it"),
      Said(
        NameFault.noObject(name: "abcd"), .missing, .fatal, "no object has the name 'abcd'"),
      Said(
        NameFault.malformedObject(name: "?"), .malformed, .fatal, "not a valid object name '?'"),
      Said(
        NameFault.shortTask(name: "01"), .invalid, .fatal,
        "the beginning of a task id has at least 4 characters: '01'"),
      Said(
        NameFault.ambiguousTask(name: "0123", [task].compactMap(\.self), hasMore: true), .invalid,
        .fatal, "'0123' is the beginning of several tasks", "they are",
        "  01234567-89ab-4cde-8f01-23456789abcd", "  and more"),
      Said(
        TrustFileFault.relative(value: "t", place: "line 2 of x"), .invalid, .fatal,
        "'t' is no path for 'trust.file' (line 2 of x): it begins with neither '/' nor '~/'"),
    ])
  private func opening(said: Said) { check(said) }

  @Test(
    "what keeps a key from being had",
    arguments: [
      Said(
        KeyFault.noKey, .missing, .fatal, "there is no key", "'redo key generate' makes one"),
      Said(
        KeyFault.notPrivateKey(.command(setting: "key.command"), .version("9")), .malformed, .fatal,
        "the output of 'key.command' is no private key: its version '9' is not known, only 1 "
          + "[KEYCHAIN_003]"),
      Said(
        KeyFault.unreadableCredential(missing), .system, .fatal,
        "cannot open '/x': no such file or directory [KEYCHAIN_002]"),
      Said(
        KeyFault.failedCommand(setting: "key.command", status: 3), .system, .fatal,
        "'key.command' ends with status 3 [KEYCHAIN_002]"),
      Said(
        KeyFault.refusedPassphrase(user: "0a"), .denied, .access,
        "the passphrase does not open the key of user '0a'"),
      Said(
        KeyFault.emptyPassphrase(.descriptor(3)), .invalid, .fatal,
        "the passphrase on 'descriptor 3' is empty"),
      Said(
        KeyFault.emptyPassphrase(.credential(name: "c")), .invalid, .fatal,
        "the passphrase in the credential 'c' is empty"),
    ])
  private func keys(said: Said) { check(said) }

  @Test(
    "what keeps a checkpoint from being found or written",
    arguments: [
      Said(
        CheckpointFault.broken(
          name: "c", .diverged(.entriesMissing(counted: 5, left: 3), wipe: nil)),
        .invalid, .fatal,
        "'c' is no checkpoint that holds: of 5 entries 3 are left, 2 are missing"),
      Said(
        CheckpointFault.relativeFile(value: "f", place: "line 1 of y"), .invalid, .fatal,
        "bad value 'f' for 'checkpoint.file' (line 1 of y): not an absolute path"),
      Said(
        CheckpointFault.occupied(path: "f"), .refused, .fatal,
        "'f' is there already, and is something else"),
    ])
  private func checkpoints(said: Said) { check(said) }

  @Test(
    "flaws of checkpoints",
    arguments: [
      (.fileAbsent, .checkpointForm, "the file is not there"),
      (
        .diverged(.otherEntries(counted: 4, firstOther: 3, lastOther: 3), wipe: nil),
        .checkpointDiverged,
        "its 4 entries are not the first 4 of the history: entry 3 is another"
      ),
      (
        .diverged(.otherEntries(counted: 4, firstOther: 2, lastOther: 4), wipe: nil),
        .checkpointDiverged,
        "its 4 entries are not the first 4 of the history: the first other one is among 2 to 4"
      ),
      (
        .diverged(.otherRefs(entry: 7), wipe: .init(entry: 8, milliseconds: 0)),
        .checkpointDiverged,
        "the refs after change 7 were others; change 8 of the refs says that it is a wipe, of "
          + DateStyle.iso.text(0, now: 0)
      ),
      (
        .shrunk(before: "x", size: 9, entry: 2), .checkpointDiverged,
        "the one before, x, has 9 entries and 2 changes"
      ),
    ] as [(CheckpointFlaw, Rule, String)])
  func flaws(flaw: CheckpointFlaw, rule: Rule, words: String) {
    #expect(flaw.rule == rule)
    #expect(flaw.detail == words)
  }

  @Test(
    "what keeps a remote from being found, reached or talked to",
    arguments: [
      Said(
        RemoteFault.absent(name: "orign", known: ["origin"]), .missing, .absent,
        "there is no remote 'orign'", "did you mean 'origin'?"),
      Said(
        RemoteFault.malformedURL(text: "-x", .dash), .malformed, .fatal, "'-x' begins with '-'",
        "a path can begin with './'"),
      Said(
        RemoteFault.noProgram("ssh", remote: "r", .shell), .missing, .fatal,
        "there is no program 'ssh', which 'r' needs",
        "'REDO_SSH' and 'core.sshCommand' name another program"),
      Said(
        RemoteFault.readOnly(remote: "r"), .denied, .access, "nothing may be pushed to 'r'"),
      Said(
        RemoteFault.kindRefused(remote: "r", .receipt), .denied, .access,
        "'r' exchanges no receipts",
        "on a machine of yours 'redo config serve.kinds \"node receipt schema\"' lets it, there"),
      Said(
        RemoteFault.badKinds(key: "serve.kinds", value: "b\n"), .malformed, .fatal,
        "bad value 'b\\x0a' for 'serve.kinds': it is some of node, receipt and schema, divided by blanks"
      ),
      Said(
        RemoteFault.ended(
          remote: "r", .closed, .exchange(attempts: 5, keepsWhatCame: true)),
        .unavailable, .temporary,
        "'r' cannot be reached after 5 attempts: the other side has closed the connection",
        "what has come is kept; the same command goes on from there"),
      Said(
        RemoteFault.ended(
          remote: "r", .peer(PeerFault(.denied, "no")),
          .exchange(attempts: 1, keepsWhatCame: false)),
        .denied, .access, "'r' denies access: no"),
      Said(
        RemoteFault.ended(remote: "r", .peer(PeerFault(.changed, "gone back")), .greeting),
        .identity, .identity, "'r' is not what it was: gone back",
        "nothing was taken or sent; if that is right, 'redo remote rm r' forgets what was there"),
      Said(
        RemoteFault.ended(
          remote: "r", .peer(PeerFault(.stopped, "no such account")), .question(attempts: 1)),
        .refused, .fatal, "'r': no such account"),
      Said(
        RemoteFault.ended(remote: "r", .stopped("it is full"), .greeting), .refused, .fatal,
        "'r': it is full"),
      Said(
        RemoteIdentityFault.changed(remote: "r", .shrunk(count: 3, before: 4)), .identity,
        .identity, "'r' has gone back: its checkpoint counts 3 changes, and one before it 4",
        "nothing was taken or sent; if that is right, 'redo remote rm r' forgets the old one"),
      Said(
        RemoteIdentityFault.damagedID(path: "/s/id"), .corrupt, .fatal,
        "'/s/id' is damaged: it is not an id of 32 hex digits",
        "it tells a changed remote; 'redo remote rm' forgets it, 'redo remote check' shows the id"),
      Said(
        ProgramEnd(program: "ssh", end: .exited(127), isMissingThere: true), .missing, .fatal,
        "'ssh' has ended with status 127: there is no 'redo' there, see 'remote.<name>.program'"),
    ])
  private func remotes(said: Said) { check(said) }

  @Test(
    "what ends an exchange on this side",
    arguments: [
      Said(
        SyncFault.busy(lock: "/l"), .unavailable, .temporary,
        "another synchronisation of this store is under way ('/l')"),
      Said(
        SyncFault.unstartableHook(name: "pre-receive", missing), .system, .fatal,
        "the hook 'pre-receive' cannot be run: cannot open '/x': no such file or directory"),
      Said(
        SyncFault.foreignHook(name: "pre-receive", reason: "others may write it"), .refused, .fatal,
        "the hook 'pre-receive' is not run: others may write it",
        "only a file of your own, which nobody else may write, is run"),
      Said(
        SyncFault.busyDocuments(.locked("/d")), .unavailable, .temporary,
        "another server has the documents of this store open ('/d')"),
    ])
  private func exchanges(said: Said) { check(said) }

  @Test(
    "events",
    arguments: [
      (
        .sync(
          .unreachable(
            remote: "r", .stream("reset"), attempt: 2, limit: 5, delayMilliseconds: 2_000)),
        ["warning: 'r' cannot be reached: reset; attempt 2 of 5 in 2 seconds"]
      ),
      (
        .sync(.lost(remote: "r", count: 1, of: .node, isSent: false)),
        [
          "warning: 'r' lacks what it had: the heads of 1 task",
          "hint: 'redo push r' gives it back",
        ]
      ),
      (
        .sync(.lost(remote: "r", count: 2, of: .node, isSent: true)),
        ["warning: 'r' lacks what it had: the heads of 2 tasks"]
      ),
      (
        .sync(.lost(remote: "r", count: 2, of: .receipt, isSent: false)),
        [
          "warning: 'r' lacks what it had: the heads of 2 chains",
          "hint: 'redo push --kind=receipt r' gives it back",
        ]
      ),
      (
        .sync(.parentMissing(OrphanNode(id: id, parent: id))),
        [
          "error: ValidationError: missing parent \(id.text) (Invalid parent reference) in \(id.text)"
        ]
      ),
      (
        .sync(.waiting(count: 1)),
        ["hint: 1 change waits in the quarantine for its parents; 'redo quarantine list' shows it"]
      ),
      (
        .sync(.hookFailed(name: "post-receive", status: 3)),
        ["warning: the hook 'post-receive' ended with 3"]
      ),
      (
        .sync(.hookRefused(name: "update", ref: "heads/-", status: 1)),
        ["error: the hook 'update' refuses what came for 'heads/-': it ended with 1"]
      ),
      (
        .sync(
          .hookUntold(SyncFault.foreignHook(name: "post-receive", reason: "it is no regular file"))),
        ["warning: the hook 'post-receive' is not run: it is no regular file"]
      ),
      (
        .opening(.settingIgnored(key: "trust.file", place: "line 3 of z")),
        ["warning: 'trust.file' on line 3 of z is ignored; only your own settings name it"]
      ),
      (
        .opening(
          .passedOver(
            acting(["core.sshcommand", "user.name"]), path: "/a b/.redo", standing: .stranger,
            isOther: true)),
        [
          "warning: '/a b/.redo' is not known as your store: its settings core.sshCommand, user.name"
            + ", its hook pre-receive, its trust file and its caches are passed over",
          "hint: 'redo --redo-dir='/a b/.redo' config trust-store' accepts it, '--show' lists what then"
            + " takes effect",
        ]
      ),
      (
        .opening(
          .passedOver(
            ActingParts(settings: [
              Config.Entry(key: "user.name", value: "x", origin: .option, line: 0)
            ]),
            path: "/a", standing: .changed, isOther: false)),
        [
          "warning: something other than 'redo config' has changed settings of '/a': its setting user.name is passed over",
          "hint: 'redo config trust-store' accepts it, '--show' lists what then takes effect",
        ]
      ),
      (
        .opening(.hookUnasked(name: "pre-receive", path: "/a")),
        ["warning: clients may only fetch from '/a': its hook pre-receive is passed over"]
      ),
      (
        .opening(.createdUnknown(id, subject: "a.json", text: "soon", count: 2)),
        [
          "warning: 'a.json': 'createdAt' of '\(id.text)' is no time in a form that is known, and "
            + "is not kept: 'soon'; 2 times in all"
        ]
      ),
    ] as [(RedoEvent, [String])])
  func events(event: RedoEvent, lines: [String]) {
    #expect(MessageStream.lines(of: event) == lines)
  }

  @Test("what is passed over in a store is said once")
  func once() {
    let stream = MessageStream(.memory(), clock: { 0 }, isTerminal: { false })
    for path in ["/a", "/a", "/b"] {
      stream.report(
        .opening(
          .passedOver(acting(["user.name"]), path: path, standing: .stranger, isOther: false)))
    }
    #expect(stream.text.split(separator: "\n").count == 4)
  }
}

/// Everything of a stranger's store that could act, with these settings.
private func acting(_ keys: [String]) -> ActingParts {
  var parts = ActingParts(
    settings: keys.map { Config.Entry(key: $0, value: "x", origin: .store(path: "/"), line: 1) })
  (parts.hooks, parts.hasTrust, parts.caches) = (["pre-receive"], true, ["graph", "living"])
  return parts
}

@Suite("attempts with a remote")
struct AttemptsTests {
  private let log = EventLog()

  private func run(
    _ errors: [any Error], repeats: Bool = true, isQuiet: Bool = false
  ) throws -> Int {
    var left = errors[...]
    return try Attempts("r", repeats: repeats, isQuiet: isQuiet).run(
      Effects(reporter: log), { .question(attempts: $0) }
    ) { () throws in
      if let error = left.popFirst() { throw error }
    }.attempts
  }

  @Test("what may pass is waited for, and told")
  func passing() throws {
    #expect(try run([RemoteError.closed, RemoteError.closed]) == 3)
    let told = log.events.compactMap { event -> [Int64]? in
      guard case .sync(.unreachable("r", .closed, let attempt, let limit, let delay)) = event else {
        return nil
      }
      return [Int64(attempt), Int64(limit), delay]
    }
    #expect(told == [[2, 5, 2_000], [3, 5, 4_000]])
  }

  @Test("the last attempt says what it was; nothing is told to who does not ask")
  func last() throws {
    let closed = [any Error](repeating: RemoteError.closed, count: 9)
    #expect {
      _ = try run(closed, isQuiet: true)
    } throws: {
      guard case RemoteFault.ended("r", .closed, .question(5)) = $0 else { return false }
      return true
    }
    #expect(log.events.isEmpty)
    #expect {
      _ = try run(closed, repeats: false)
    } throws: {
      guard case RemoteFault.ended("r", .closed, .question(1)) = $0 else { return false }
      return true
    }
  }

  @Test("what does not pass ends it at once, and what is no error of a remote as it is")
  func ending() throws {
    #expect(throws: RemoteFault.self) { _ = try run([RemoteError.limit("x")]) }
    #expect(throws: SystemError.self) {
      _ = try run([SystemError(code: 2, operation: "open", path: "")])
    }
    #expect(log.events.isEmpty)
  }
}
