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
  /// - Throws: `fatal` for a directory, a named pipe, a missing or unreadable file.
  static func read(
    _ path: String, limit: Int, _ context: borrowing Context
  ) throws(CommandError) -> [UInt8] {
    let resolved = context.resolve(path)
    let isPipe: Bool
    let isDirectory: Bool
    do throws(SystemError) {
      // A named pipe without a writer would hold us up for ever; a link to one has a writer.
      isPipe = try FileStatus.ofLink(at: resolved)?.kind == .fifo
      isDirectory = try FileStatus.at(resolved)?.kind == .directory
    } catch {
      throw .fatal(error, path)
    }
    guard !isPipe else {
      throw .fatal("'\(path)' is a named pipe, not a file", hints: ["pipe it into '--stdin'"])
    }
    guard !isDirectory else { throw .fatal("'\(path)' is a directory") }
    do throws(SystemError) {
      return try File.open(resolved).readAll(limit: limit)
    } catch {
      throw .fatal(error, path)
    }
  }

  /// The rest of a descriptor, such as standard input.
  static func read(_ descriptor: Int32, limit: Int) throws(CommandError) -> [UInt8] {
    do throws(SystemError) {
      return try File.borrowing(descriptor, name: standardInputName).readAll(limit: limit)
    } catch {
      throw .fatal(error, standardInputName)
    }
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
    return .fatal(error.description)
  }
}
