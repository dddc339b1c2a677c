// How each kind of remote is reached. Programs get their words as an array; no shell of this machine
// reads any of them.

internal import RedoRemote
internal import RedoStore

extension Connection {
  /// Reaches a remote.
  ///
  /// From now on signals wait, and a closed pipe is an error.
  ///
  /// - Parameters:
  ///   - remote: where it is.
  ///   - service: what is wanted of it.
  ///   - context: the environment, and where messages go.
  /// - Returns: the open connection; nothing has been said yet.
  /// - Throws: `fatal` when there is nothing there, or no program that reaches it.
  static func connect(
    to remote: Remote, service: Service, _ context: inout Context
  ) throws -> Connection {
    context.holdSignals()
    switch remote.url {
    case .path(let path): return try toPath(path, remote, service, context)
    case .ssh(let address): return try toSSH(address, remote, service, context)
    case .helper(let scheme, let url):
      return try toHelper(scheme, url, remote, service, context)
    }
  }

  /// How long bytes are waited for.
  private static func patience(
    _ seconds: Int?, _ context: borrowing Context
  ) -> TwoWayStream.Patience {
    let signals = context.signals
    return TwoWayStream.Patience(seconds: seconds) { signals.pending != 0 }
  }

  // MARK: Paths

  private static func toPath(
    _ path: String, _ remote: Remote, _ service: Service, _ context: borrowing Context
  ) throws -> Connection {
    let status: FileStatus?
    do throws(SystemError) { status = try FileStatus.at(path) } catch {
      throw CommandError.fatal(error, remote.text)
    }
    switch status?.kind {
    case .directory:
      let opened = try context.openOther(StorePlace.find(path, remote.text))
      try refuseSame(opened, remote)
      return try answered(context) { end, context in
        var options = ServeSession.Options()
        options.rights = service == .write ? .write : .read
        // Whoever may write the store's files may also say so.
        options.allowsUnsigned = true
        return ServeSession.run(end, opened, options, &context).error
      }
    case .regular:
      guard service == .read else {
        throw CommandError.fatal(
          "'\(remote.text)' is a file, which nothing can be pushed to",
          hints: ["'redo archive bundle' writes one"])
      }
      let bundle = try Bundle(remote.text, at: path)
      return try answered(context) { end, _ in BundleSession.run(end, bundle) }
    case nil: throw CommandError.fatal("'\(remote.text)' is not there")
    case .symbolicLink, .fifo, .other:
      throw CommandError.fatal("'\(remote.text)' is neither a store nor a bundle")
    }
  }

  private static func refuseSame(
    _ opened: OpenRepository, _ remote: Remote
  ) throws {
    guard let own = remote.storePath else { return }
    let isSame = try CommandError.wrapping(remote.text) { () throws(SystemError) in
      try FileStatus.at(own)?.isSameFile(as: opened.repository.directory.status()) ?? false
    }
    guard !isSame else { throw CommandError.fatal("'\(remote.text)' is this store itself") }
  }

  /// A connection to a thread of this process.
  private static func answered(
    _ context: borrowing Context,
    _ body: @escaping @Sendable (StreamEnd, inout Context) -> RemoteError?
  ) throws -> Connection {
    let ends = try CommandError.wrapping("") { () throws(SystemError) in
      try TwoWayStream.pair(patience(nil, context))
    }
    let surroundings = Surroundings(context)
    let theirs = ends.1
    let answered = Answered()
    let thread = Threads.start {
      var context = surroundings.context()
      answered.outcome = body(StreamEnd(theirs), &context)
      context.errors.flushOrDrop()
      theirs.close()
    }
    guard let thread else { throw CommandError.fatal("the system gives no thread") }
    return Connection(ends.0, .thread(thread, answered))
  }

  // MARK: Programs

  private static func toSSH(
    _ address: SSHAddress, _ remote: Remote, _ service: Service, _ context: borrowing Context
  ) throws -> Connection {
    var words = try sshWords(remote, context)
    if let port = address.port { words += ["-p", "\(port)"] }
    // What follows is never read as an option.
    words += ["--", address.host]
    // The other machine's shell reads this one word: it is made of quoted ones.
    var command = [remote.setting("program") ?? "redo", "serve", "--stdio"]
    if service == .read { command.append("--read-only") }
    command += ["--", address.path]
    words.append(command.map { ShellQuote.word(Array($0.utf8)) }.joined(separator: " "))
    return try started(
      words, isBeside: false, isRemote: true, remote, [:], context,
      limitSeconds: try remote.timeoutSeconds(),
      missing: "'REDO_SSH' and 'core.sshCommand' name another program")
  }

  /// The program that reaches other machines, and its first words.
  private static func sshWords(
    _ remote: Remote, _ context: borrowing Context
  ) throws -> [String] {
    if let program = context.storeEnvironment.nonEmpty("REDO_SSH") { return [program] }
    guard let entry = remote.config.entry("core.sshcommand"), let text = entry.value, !text.isEmpty
    else { return ["ssh"] }
    guard let words = CommandWords.split(text), !words.isEmpty else {
      throw CommandError.fatal(
        "bad value '\(text)' for 'core.sshCommand' (\(entry.place)): a quote does not end")
    }
    return words
  }

  /// Transports that make many requests in one turn, and see to it themselves that each of them ends: nothing is
  /// heard of them meanwhile.
  private static let unhurried: Set = ["firestore"]

  private static func toHelper(
    _ scheme: String, _ url: String, _ remote: Remote, _ service: Service,
    _ context: borrowing Context
  ) throws -> Connection {
    let words = [
      "redo-remote-\(scheme)", remote.name?.text ?? "-", url, service.rawValue,
    ]
    var variables = try settings(context)
    if let path = remote.storePath {
      variables["REDO_DIR"] = try CommandError.wrapping(path) { () throws(SystemError) in
        try CurrentProcess.realPath(path)
      }
    }
    return try started(
      words, isBeside: true, isRemote: false, remote, variables, context,
      limitSeconds: Self.unhurried.contains(scheme) ? nil : try remote.timeoutSeconds(),
      missing: "it is looked for beside 'redo' and on the PATH")
  }

  /// The options `-c`, as variables that another command of this suite reads.
  private static func settings(
    _ context: borrowing Context
  ) throws -> [String: String] {
    let given = context.repository.settings
    guard !given.isEmpty else { return [:] }
    let first = context.storeEnvironment.nonEmpty("REDO_CONFIG_COUNT").flatMap { Int($0) } ?? 0
    var variables = ["REDO_CONFIG_COUNT": "\(first + given.count)"]
    for (index, setting) in given.enumerated() {
      variables["REDO_CONFIG_KEY_\(first + index)"] = setting.key
      variables["REDO_CONFIG_VALUE_\(first + index)"] = setting.value
    }
    return variables
  }

  /// A connection to a program.
  private static func started(
    _ words: [String], isBeside: Bool, isRemote: Bool, _ remote: Remote,
    _ variables: [String: String], _ context: borrowing Context, limitSeconds: Int?, missing: String
  ) throws -> Connection {
    let program = words.first ?? ""
    guard let path = Programs.find(program, isBeside: isBeside, context.storeEnvironment) else {
      throw CommandError.fatal(
        "there is no program '\(program)', which '\(remote.title)' needs", hints: [missing])
    }
    let patience = patience(limitSeconds, context)
    let child = try ChildProcess(path, words, variables: variables, patience)
    return Connection(child.stream, .program(child, isRemote: isRemote))
  }
}

/// Where the store of a directory is.
enum StorePlace {
  /// The store's directory in a directory, or this itself; directories above are not looked at.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - name: what messages call it.
  /// - Returns: the path of a directory; whether it may be used is for `open` to say.
  /// - Throws: `fatal` when there is no store.
  static func find(_ path: String, _ name: String) throws -> String {
    for place in [joinPath(path, Layout.directoryName), path] {
      let names = [Layout.config, Layout.objects]
      if names.allSatisfy({ (try? FileStatus.at(joinPath(place, $0))) ?? nil != nil }) {
        return place
      }
    }
    throw CommandError.fatal("there is no redo store in '\(name)'")
  }
}

/// What another thread needs to be surrounded by the same.
struct Surroundings: Sendable {
  private let environment: @Sendable (String) -> String?
  private let clock: @Sendable () -> Int64
  private let random: @Sendable () -> UInt64
  private let signals: Signals
  private let repository: RepositoryOptions
  private let errors: Int32

  /// The surroundings of a command.
  init(_ context: borrowing Context) {
    environment = context.environment
    clock = context.clock
    random = context.random
    signals = context.signals
    repository = context.repository
    errors = context.errors.raw
  }

  /// Surroundings whose messages go where those of the command go; data go nowhere.
  func context() -> Context {
    var context = Context(
      errors: errors >= 0 ? .descriptor(errors) : .memory(), environment: environment,
      clock: clock, random: random, signals: signals)
    context.repository = repository
    return context
  }
}
