// The process: its arguments and its ends. Nothing else in this module exits.

import Glibc
internal import RedoRepository
internal import RedoStore

extension Shell {
  /// Runs this process's command line and ends the process.
  ///
  /// - Parameters:
  ///   - name: `redo-<command>` for an executable that is one command, even after it was renamed; `nil`
  ///     for the one that takes the command from its own name or first argument.
  ///   - suite: the available commands.
  package static func main(as name: String? = nil, _ suite: CommandSuite) -> Never {
    Context.guardStandardDescriptors()
    var arguments: [String] = []
    var failure: CommandError?
    for index in 0..<Int(CommandLine.argc) {
      // SAFETY: the kernel gives argc strings that end in NUL and live as long as the process.
      guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let text = unsafe String(validatingCString: pointer) else {
        // If a path were silently changed, it could name another file.
        let bytes = unsafe UnsafeBufferPointer(start: pointer, count: strlen(pointer))
        let shown = unsafe Escape.text(bytes.map { UInt8(bitPattern: $0) })
        failure = .fatal("argument \(index) is not UTF-8: '\(shown)'")
        continue
      }
      arguments.append(text)
    }
    let program = name ?? arguments.first ?? suite.name
    var context = Context.process(arguments: Array(arguments.dropFirst()))
    if let failure {
      context.report(failure, asJSON: false)
      exit(Exit.fatal.rawValue)
    }
    switch run(&context, as: program, suite) {
    case .exit(let status): exit(status.rawValue)
    case .signal(let number):
      Signals.raiseDefault(number)
      exit(128 + number)
    }
  }
}

/// Ends the process when there is no memory: the Swift runtime calls this in place of its own
/// `swift_abortAllocationFailure`, which aborts with a stack trace (`--wrap` of ld(1), in the Makefile).
///
/// As after a kill, only unfinished files are left. Nothing here takes memory.
///
/// - Parameters:
///   - size: how many bytes were asked for.
///   - alignMask: how they were to be aligned.
@_cdecl("__wrap__ZN5swift28swift_abortAllocationFailureEmm")
func endWithoutMemory(size: Int, alignMask: Int) -> Never {
  let message: StaticString = "fatal: out of memory\n"
  // SAFETY: reads the bytes of a constant.
  _ = unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
  _exit(Exit.fatal.rawValue)
}

/// Takes the place of malloc(3) in the executables.
///
/// Where there are not even a few bytes the process ends, because the frames of accessors are used without a look at
/// whether they are there. Who asks for more looks.
///
/// - Parameter size: how many bytes are asked for.
/// - Returns: as malloc(3).
@_cdecl("__wrap_malloc")
func allocate(size: Int) -> UnsafeMutableRawPointer? {
  // The most bytes without which nothing goes on.
  let leastBytes = 4096
  guard let memory = unsafe Allocator.allocate(size) else {
    if size <= leastBytes { endWithoutMemory(size: size, alignMask: 0) }
    return nil
  }
  return unsafe memory
}
