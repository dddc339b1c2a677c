// The process: its arguments, and its end. Nothing else in this module exits.

import Glibc

extension Shell {
  /// Runs this process's command line and ends the process.
  ///
  /// - Parameter name: `redo-<command>` for an executable that is one command, whatever it was
  ///   renamed to; `nil` for the one that takes the command from its own name or first argument.
  package static func main(as name: String? = nil) -> Never {
    Context.guardStandardDescriptors()
    var arguments: [String] = []
    var broken: Int?
    for index in 0..<Int(CommandLine.argc) {
      // SAFETY: the kernel gives argc strings that end in NUL and live as long as the process.
      guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
      let text = unsafe String(validatingCString: pointer)
      if text == nil { broken = index }
      arguments.append(unsafe text ?? String(cString: pointer))
    }
    let program = name ?? arguments.first ?? "redo"
    var context = Context.process(arguments: Array(arguments.dropFirst()))
    if let broken {
      // A path that is silently changed could name another file.
      context.report(
        .fatal("argument \(broken) is not UTF-8: '\(arguments[broken])'"), asJSON: false)
      exit(Exit.fatal.rawValue)
    }
    switch run(&context, as: program) {
    case .exit(let status): exit(status.rawValue)
    case .signal(let number):
      Signals.raiseDefault(number)
      exit(128 + number)
    }
  }
}
