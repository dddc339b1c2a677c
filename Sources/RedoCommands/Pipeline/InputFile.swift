// Files that are named on a command line, whole.

internal import RedoStore

/// Reads whole inputs.
enum InputFile {
  /// What standard input is called in messages.
  static let standardInputName = "<stdin>"

  /// The whole of a file.
  ///
  /// - Parameters:
  ///   - path: a regular file, or a link to whatever can be read, such as `/dev/fd/63`.
  ///   - limit: the most bytes that are read.
  ///   - cuts: whether a longer file is cut at the limit rather than refused.
  ///   - context: says where relative paths begin.
  /// - Returns: its bytes.
  /// - Throws: `fatal` for a directory, a named pipe, a missing or unreadable file.
  static func read(
    _ path: String, limit: Int, cuts: Bool = false, _ context: borrowing Context
  ) throws(CommandError) -> [UInt8] {
    try read(path, at: context.resolve(path), limit: limit, cuts: cuts)
  }

  /// The whole of a file that messages call by another name.
  static func read(
    _ path: String, at resolved: String, limit: Int, cuts: Bool
  ) throws(CommandError) -> [UInt8] {
    let file = try open(path, at: resolved)
    do throws(SystemError) { return try read(file, limit: limit, cuts: cuts) } catch {
      throw .fatal(error, path)
    }
  }

  /// Opens a file that messages call by another name.
  ///
  /// - Throws: as `read`.
  static func open(_ path: String, at resolved: String) throws(CommandError) -> File {
    do throws(SystemError) {
      let file = try File.open(resolved, .read, .nonBlocking)
      switch try file.status().kind {
      case .regular: return file
      case .directory: break
      default:
        // A named pipe without a writer would hold us up for ever; a link to one has a writer.
        if try FileStatus.ofLink(at: resolved)?.kind != .fifo { return try File.open(resolved) }
      }
    } catch {
      throw .fatal(error, path)
    }
    let isDirectory = (try? FileStatus.at(resolved))??.kind == .directory
    guard !isDirectory else { throw .fatal("'\(path)' is a directory") }
    throw .fatal("'\(path)' is a named pipe, not a file", hints: ["pipe it into '--stdin'"])
  }

  /// The rest of a descriptor, such as standard input.
  static func read(
    _ descriptor: Int32, limit: Int, cuts: Bool = false
  ) throws(CommandError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than the limit shows that there is more.
    let stop = cuts ? limit : limit + 1
    while bytes.count < stop {
      let step = min(stop - bytes.count, max(bytes.count, 65_536))
      let count = try InterruptibleRead.append(
        descriptor, atMost: step, to: &bytes, name: standardInputName)
      if count == 0 { break }
    }
    guard bytes.count <= limit else { throw .fatal("'\(standardInputName)' is too large") }
    return bytes
  }

  private static func read(
    _ file: borrowing File, limit: Int, cuts: Bool
  ) throws(SystemError) -> [UInt8] {
    guard cuts else { return try file.readAll(limit: limit) }
    var bytes: [UInt8] = []
    let size = try file.status().size
    while bytes.count < limit {
      let step = min(limit - bytes.count, max(size + 1 - bytes.count, 4096))
      if try file.read(into: &bytes, atMost: step) == 0 { break }
    }
    return bytes
  }
}

extension CommandError {
  /// A failed system call, as the end of a command.
  static func fatal(_ error: SystemError, _ path: String) -> CommandError {
    if error.isTooLarge { return .fatal("'\(path)' is too large") }
    return .fatal(SystemError(code: error.code, operation: error.operation, path: path).description)
  }

  /// A failed operation on objects, as the end of a command.
  static func fatal(_ error: StoreError) -> CommandError {
    if case .locked = error {
      return CommandError(.temporary, error.description)
    }
    if case .offline = error {
      return .fatal(error.description, hints: [StoreError.registerHint])
    }
    if case .archives = error {
      return .fatal(
        error.description, hints: ["'redo archive register <file>' sets the list right"])
    }
    return .fatal(error.description)
  }
}

extension StoreError {
  /// What helps against an archive that is away.
  static let registerHint = "'redo archive register <file>' says where it is now"
}
