// Where REDO_TRACE sends the events, in the manner of git's GIT_TRACE2_EVENT.

import Glibc
internal import RedoObject
package import RedoRepository
internal import RedoStore

extension Trace {
  /// The variable that asks for a trace.
  package static let variable = "REDO_TRACE"

  /// The trace that a value of the variable asks for.
  ///
  /// - Parameters:
  ///   - value: `1`, `2` or `true` for stderr, `3` to `9` for that descriptor, an absolute path of a
  ///     file to append to, or of a directory that gets one file for each process.
  ///   - milliseconds: returns the time of day, for the name of such a file.
  /// - Returns: the trace; if it cannot be written, one that is off and says why.
  package static func process(_ value: String?, at milliseconds: () -> Int64) -> Trace {
    switch value {
    case nil, "", "0", "false": return .off
    case "1", "2", "true": return make(STDERR_FILENO)
    case .some(let text):
      if let number = Int32(text), (3...9).contains(number) {
        guard fcntl(number, F_GETFD) != -1 else {
          return Trace(problem: "cannot trace to descriptor \(number): it is not open")
        }
        return make(number)
      }
      guard text.utf8.first == UInt8(ascii: "/") else {
        return Trace(
          problem: "'\(variable)' is neither 1, nor a descriptor, nor an absolute path: '\(text)'")
      }
      return open(text, milliseconds)
    }
  }

  private static func open(_ path: String, _ milliseconds: () -> Int64) -> Trace {
    var status = stat()
    // SAFETY: fills in a plain C struct.
    let isDirectory = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    var file = path
    if isDirectory {
      // The names sort by time, and differ between processes.
      let name = WallTime(milliseconds: milliseconds()).text.filter { $0 != ":" }
      file += "/redo-\(name)-\(getpid()).ndjson"
    }
    // Non-blocking, so that a named pipe without a reader cannot block this process.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // SAFETY: the path lives during the call.
    let descriptor = unsafe Glibc.open(file, flags, 0o600)
    guard descriptor >= 0 else {
      return Trace(problem: "cannot trace to '\(path)': \(SystemError.reason(of: errno))")
    }
    return make(descriptor)
  }

  private static func make(_ descriptor: Int32) -> Trace {
    Trace(processID: getpid(), clock: { SystemClock.monotonicNanoseconds() }) { line in
      // SAFETY: the pointer and count are the array's. One call per line, so that processes that
      // append to one file do not cut each other's lines.
      let written = unsafe line.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      return written == line.count ? 0 : written < 0 ? errno : EIO
    }
  }
}
