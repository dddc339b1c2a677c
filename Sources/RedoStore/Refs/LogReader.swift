// Reads an append-only file front to back, up to the length that counts; what comes after it was
// left by a crash.

/// Reads exact pieces of a log file through a window of bounded size.
struct LogReader: ~Copyable {
  /// The bytes read at once; longer pieces are read as they are.
  private static let windowCount = 262_144

  private let file: File
  private let path: String
  private let end: Int
  /// The place of the next byte.
  private(set) var position: Int
  private var window: [UInt8] = []
  private var windowStart = 0

  /// Opens a log and checks its first line.
  ///
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - name: the name of the file.
  ///   - firstLine: what it begins with.
  ///   - end: the bytes that count.
  ///   - start: where to read on; after the first line when it is `nil`.
  /// - Returns: a reader at that place.
  /// - Throws: when it cannot be opened, is too short, or has another first line.
  static func open(
    in directory: borrowing Directory, _ name: String, firstLine: StaticString, end: Int,
    from start: Int? = nil
  ) throws(RefsError) -> LogReader {
    let path = joinPath(directory.path, name)
    var reader = LogReader(file: try open(directory, name, path), path: path, end: end)
    let line = Array("\(firstLine)".utf8)
    try reader.checkStart(line)
    reader.position = start ?? line.count
    return reader
  }

  private init(file: consuming File, path: String, end: Int) {
    self.file = file
    self.path = path
    self.end = end
    position = 0
  }

  private static func open(
    _ directory: borrowing Directory, _ name: String, _ path: String
  ) throws(RefsError) -> File {
    let file = try RefsError.wrapping { () throws(SystemError) in
      try directory.openFileIfPresent(name, .read, [.noFollow, .nonBlocking])
    }
    if let file { return file }
    throw .corrupt(path, at: 0, "the file is missing")
  }

  private mutating func checkStart(_ line: [UInt8]) throws(RefsError) {
    var size = 0
    do throws(SystemError) { size = try file.status().size } catch { throw .system(error) }
    guard size >= end else {
      throw .corrupt(path, at: size, "the file is shorter than the refs say")
    }
    guard try take(min(line.count, end)) == line else {
      throw .corrupt(path, at: 0, "the first line is not that of the format")
    }
  }

  /// Whether all that counts has been taken.
  var isAtEnd: Bool { position >= end }

  /// Takes the next bytes.
  ///
  /// - Parameter count: how many.
  /// - Returns: exactly this many.
  /// - Throws: `corrupt` when the log ends before.
  mutating func take(_ count: Int) throws(RefsError) -> [UInt8] {
    guard count <= end - position else {
      throw .corrupt(path, at: position, "the log ends inside a record")
    }
    if position < windowStart || position + count > windowStart + window.count {
      let wanted = min(max(count, Self.windowCount), end - position)
      do throws(SystemError) {
        window = try file.read(wanted, at: position)
      } catch {
        throw .system(error)
      }
      windowStart = position
      guard window.count == wanted else {
        throw .corrupt(path, at: position + window.count, "the file has become shorter")
      }
    }
    let from = position - windowStart
    position += count
    return Array(window[from..<from + count])
  }
}
