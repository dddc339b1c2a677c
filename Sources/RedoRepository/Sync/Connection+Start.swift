// How each kind of remote is reached. Programs receive their words as an array; no shell of this machine reads any of
// them.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

extension Connection {
  /// Reaches a remote.
  ///
  /// From then on signals are only noted, and a closed pipe is an error.
  ///
  /// - Parameters:
  ///   - remote: where it is.
  ///   - service: the requested service.
  ///   - effects: the environment; receives events.
  /// - Returns: the open connection; nothing has been sent yet.
  /// - Throws: `RemoteFault` when there is nothing at that place, or no program that reaches it; the error when a local
  ///   store or bundle cannot be opened.
  package static func connect(
    to remote: Remote, service: Service, _ effects: Effects
  ) throws -> Connection {
    effects.cancellation.hold()
    switch remote.url {
    case .path(let path): return try toPath(path, remote, service, effects)
    case .ssh(let address): return try toSSH(address, remote, service, effects)
    case .helper(let scheme, let url):
      return try toHelper(scheme, url, remote, service, effects)
    }
  }

  /// How long to wait for bytes.
  private static func patience(
    _ seconds: Int?, _ effects: Effects
  ) -> TwoWayStream.Patience {
    let cancellation = effects.cancellation
    return TwoWayStream.Patience(seconds: seconds) { cancellation.signal != 0 }
  }

  // MARK: Paths

  private static func toPath(
    _ path: String, _ remote: Remote, _ service: Service, _ effects: Effects
  ) throws -> Connection {
    let status: FileStatus?
    do throws(SystemError) { status = try FileStatus.at(path) } catch {
      throw error.named(remote.text)
    }
    switch status?.kind {
    case .directory:
      let opened = try effects.openOther(StorePlace.find(path, remote.text))
      try refuseSame(opened, remote)
      return try answered(effects) { end, effects in
        var options = ServeSession.Options()
        options.rights = service == .write ? .write : .read
        // Anyone who can write the store's files can also change its settings.
        options.allowsUnsigned = true
        options.kinds = Set(ObjectKind.allCases.filter(\.hasHistory))
        return ServeSession.run(end, opened, options, effects).error
      }
    case .regular:
      guard service == .read else { throw RemoteFault.fileIsReadOnly(remote: remote.text) }
      let bundle = try Bundle(remote.text, at: path, effects)
      return try answered(effects) { end, _ in BundleSession.run(end, bundle) }
    case nil: throw RemoteFault.notThere(remote: remote.text)
    case .symbolicLink, .fifo, .other:
      throw RemoteFault.neitherStoreNorBundle(remote: remote.text)
    }
  }

  private static func refuseSame(
    _ opened: Repository, _ remote: Remote
  ) throws {
    guard let own = remote.storePath else { return }
    let isSame = try SystemError.naming(remote.text) {
      try FileStatus.at(own)?.isSameFile(as: opened.store.directory.status()) ?? false
    }
    guard !isSame else { throw RemoteFault.sameStore(remote: remote.text) }
  }

  /// A connection to a thread of this process.
  private static func answered(
    _ effects: Effects,
    _ body: @escaping @Sendable (StreamEnd, Effects) -> RemoteError?
  ) throws -> Connection {
    let ends = try SystemError.naming("") {
      try TwoWayStream.pair(patience(nil, effects))
    }
    let theirs = ends.1
    let answered = Answered()
    let others = effects.untraced()
    let thread = Threads.start {
      answered.outcome = body(StreamEnd(theirs), others)
      theirs.close()
    }
    guard let thread else { throw RemoteFault.noThread }
    return Connection(ends.0, .thread(thread, answered))
  }

  // MARK: Programs

  private static func toSSH(
    _ address: SSHAddress, _ remote: Remote, _ service: Service, _ effects: Effects
  ) throws -> Connection {
    var words = try sshWords(remote, effects)
    if let port = address.port { words += ["-p", "\(port)"] }
    // The words that follow are never read as options.
    words += ["--", address.host]
    // The other machine's shell reads this one word: it is made of quoted ones.
    var command = [remote.setting("program") ?? "redo", "serve", "--stdio"]
    if service == .read { command.append("--read-only") }
    command += ["--", address.path]
    words.append(command.map { ShellQuote.word(Array($0.utf8)) }.joined(separator: " "))
    return try started(
      words, .shell, remote, [:], effects, limitSeconds: try remote.timeoutSeconds())
  }

  /// The program that reaches other machines, and its first words.
  private static func sshWords(
    _ remote: Remote, _ effects: Effects
  ) throws -> [String] {
    if let program = effects.surroundings.usual.sshProgram { return [program] }
    guard let entry = remote.config.entry("core.sshcommand"), let text = entry.value, !text.isEmpty
    else { return ["ssh"] }
    guard let words = CommandWords.split(text), !words.isEmpty else {
      throw RemoteFault.unendedQuote(value: text, place: entry.place)
    }
    return words
  }

  /// Transports that make many requests in one turn, and set time limits for them themselves: nothing is heard from
  /// them meanwhile.
  private static let unhurried: Set = ["firestore"]

  private static func toHelper(
    _ scheme: String, _ url: String, _ remote: Remote, _ service: Service,
    _ effects: Effects
  ) throws -> Connection {
    let words = [
      "redo-remote-\(scheme)", remote.name?.text ?? "-", url, service.rawValue,
    ]
    var variables = try settings(effects)
    if let path = remote.storePath {
      variables["REDO_DIR"] = try SystemError.naming(path) {
        try CurrentProcess.realPath(path)
      }
    }
    return try started(
      words, .helper, remote, variables, effects,
      limitSeconds: Self.unhurried.contains(scheme) ? nil : try remote.timeoutSeconds())
  }

  /// The options `-c`, as variables that another command of this suite reads.
  private static func settings(
    _ effects: Effects
  ) throws -> [String: String] {
    let given = effects.surroundings.settings
    guard !given.isEmpty else { return [:] }
    // The helper inherits those that are set already.
    let first = try effects.surroundings.usual.configSources.environment.get().count
    var variables = ["REDO_CONFIG_COUNT": "\(first + given.count)"]
    for (index, setting) in given.enumerated() {
      variables["REDO_CONFIG_KEY_\(first + index)"] = setting.key
      variables["REDO_CONFIG_VALUE_\(first + index)"] = setting.value
    }
    return variables
  }

  /// A connection to a program.
  private static func started(
    _ words: [String], _ kind: RemoteFault.ProgramKind, _ remote: Remote,
    _ variables: [String: String], _ effects: Effects, limitSeconds: Int?
  ) throws -> Connection {
    let program = words.first ?? ""
    let places = effects.surroundings.usual.programPath
    guard let path = Programs.find(program, isBeside: kind == .helper, in: places) else {
      throw RemoteFault.noProgram(program, remote: remote.title, kind)
    }
    let patience = patience(limitSeconds, effects)
    let child = try ChildProcess(path, words, variables: variables, patience)
    return Connection(child.stream, .program(child, isRemote: kind == .shell))
  }
}

/// Where the store of a directory is.
package enum StorePlace {
  /// The store's directory inside a directory, or the directory itself if it is one; parent directories are not
  /// searched.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - name: its name in messages.
  /// - Returns: the path of a directory; `open` decides whether it may be used.
  /// - Throws: `RemoteFault` when there is no store.
  package static func find(_ path: String, _ name: String) throws -> String {
    for place in [joinPath(path, Layout.directoryName), path] {
      let names = [Layout.config, Layout.objects]
      if names.allSatisfy({ (try? FileStatus.at(joinPath(place, $0))) ?? nil != nil }) {
        return place
      }
    }
    throw RemoteFault.noStore(directory: name)
  }
}
