// Files that are named on a command line, whole.

package import RedoCrypto
package import RedoStore

/// Reads whole inputs.
package enum InputFile {
  /// What standard input is called in messages.
  package static let standardInputName = "<stdin>"

  /// The whole of a file.
  ///
  /// - Parameters:
  ///   - path: a regular file, or a link to whatever can be read, such as `/dev/fd/63`.
  ///   - limit: the most bytes that are read.
  ///   - cuts: whether a longer file is cut at the limit rather than refused.
  ///   - effects: says where relative paths begin.
  /// - Returns: its bytes.
  /// - Throws: `fatal` for a directory, a named pipe, a missing or unreadable file.
  package static func read(
    _ path: String, limit: Int, cuts: Bool = false, _ effects: Effects
  ) throws -> [UInt8] {
    try read(path, at: effects.resolve(path), limit: limit, cuts: cuts)
  }

  /// The whole of a file that messages call by another name.
  package static func read(
    _ path: String, at resolved: String, limit: Int, cuts: Bool
  ) throws -> [UInt8] {
    let file = try open(path, at: resolved)
    do throws(SystemError) { return try read(file, limit: limit, cuts: cuts) } catch {
      throw CommandError.fatal(error, path)
    }
  }

  /// Opens a file that messages call by another name.
  ///
  /// - Throws: as `read`.
  package static func open(_ path: String, at resolved: String) throws -> File {
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
      throw CommandError.fatal(error, path)
    }
    let isDirectory = (try? FileStatus.at(resolved))??.kind == .directory
    guard !isDirectory else { throw CommandError.fatal("'\(path)' is a directory") }
    throw CommandError.fatal(
      "'\(path)' is a named pipe, not a file", hints: ["pipe it into '--stdin'"])
  }

  /// The rest of a descriptor, such as standard input.
  package static func read(
    _ descriptor: Int32, limit: Int, cuts: Bool = false
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than the limit shows that there is more.
    let stop = cuts ? limit : limit + 1
    while bytes.count < stop {
      let step = min(stop - bytes.count, max(bytes.count, 65_536))
      let count = try InterruptibleRead.append(
        descriptor, atMost: step, to: &bytes, name: standardInputName)
      if count == 0 { break }
    }
    guard bytes.count <= limit else {
      throw CommandError.fatal("'\(standardInputName)' is too large")
    }
    return bytes
  }

  /// A secret from a file, or from standard input.
  ///
  /// - Parameters:
  ///   - path: the file; `nil` and `-` are standard input.
  ///   - limit: the most bytes.
  ///   - effects: says where relative paths begin.
  /// - Returns: its bytes; `nil` when there are none.
  /// - Throws: `fatal` when it cannot be read or has more.
  package static func secret(
    from path: String?, limit: Int, _ effects: Effects
  ) throws -> SecretBytes? {
    guard let path, path != "-" else {
      return try SecretInput.all(
        of: effects.surroundings.standardInput, limit: limit, name: standardInputName)
    }
    let file = try open(path, at: effects.resolve(path))
    return try SecretInput.all(of: file.raw, limit: limit, name: path)
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
  package static func fatal(_ error: SystemError, _ path: String) -> CommandError {
    if error.isTooLarge { return .fatal("'\(path)' is too large") }
    return .fatal(SystemError(code: error.code, operation: error.operation, path: path).description)
  }

  /// A failed operation on objects, as the end of a command.
  package static func fatal(_ error: StoreError) -> CommandError {
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
  package static let registerHint = "'redo archive register <file>' says where it is now"
}
