// Reading whole files that are named on a command line.

package import RedoCrypto
package import RedoStore

/// Reads whole inputs.
package enum InputFile {
  /// The name of standard input in messages.
  package static let standardInputName = "<stdin>"
  /// What stands for it in arguments and rows.
  package static let standardInputSign = "-"

  /// The whole of a file.
  ///
  /// - Parameters:
  ///   - path: a regular file, or a link to anything readable, such as `/dev/fd/63`.
  ///   - limit: the largest number of bytes to read.
  ///   - cuts: whether a longer file is cut at the limit instead of refused.
  ///   - effects: says where relative paths begin.
  /// - Returns: its bytes.
  /// - Throws: `InputFault` for a directory or a named pipe, `SystemError` for a missing or unreadable file,
  ///   `InputError` for one that is too large.
  package static func read(
    _ path: String, limit: Int, cuts: Bool = false, _ effects: Effects
  ) throws -> [UInt8] {
    try read(path, at: effects.resolve(path), limit: limit, cuts: cuts)
  }

  /// The whole of a file that has another name in messages.
  package static func read(
    _ path: String, at resolved: String, limit: Int, cuts: Bool
  ) throws -> [UInt8] {
    let file = try open(path, at: resolved)
    do throws(SystemError) { return try read(file, limit: limit, cuts: cuts) } catch {
      throw error.named(path)
    }
  }

  /// Opens a file that has another name in messages; `-` is standard input.
  ///
  /// - Throws: as `read`.
  package static func open(_ path: String, at resolved: String) throws -> File {
    let resolved = path == standardInputSign ? "/dev/stdin" : resolved
    do throws(SystemError) {
      let file = try File.open(resolved, .read, .nonBlocking)
      switch try file.status().kind {
      case .regular: return file
      case .directory: break
      default:
        // A named pipe without a writer would block for ever; a link to one has a writer.
        if try FileStatus.ofLink(at: resolved)?.kind != .fifo { return try File.open(resolved) }
      }
    } catch {
      throw error.named(path)
    }
    let isDirectory = (try? FileStatus.at(resolved))??.kind == .directory
    throw isDirectory ? InputFault.directory(path: path) : InputFault.namedPipe(path: path)
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
      throw InputError.tooLarge(standardInputName)
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
  /// - Throws: as `read`.
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
