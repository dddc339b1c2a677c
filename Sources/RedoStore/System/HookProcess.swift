// A hook: a program in a store that is run when something happens to the store, in git's manner
// (githooks(5)).

internal import Glibc

/// Runs the hooks of a store.
package enum HookProcess {
  /// What a name in the directory of hooks is.
  package enum Found: Equatable, Sendable {
    /// Nothing.
    case none
    /// A program that may be run.
    case program
    /// A file that its owner has not made executable.
    case idle
    /// A hook that must not be run: a link, or somebody else's; why.
    case foreign(String)
  }

  /// The hook that may refuse nodes before they are taken in.
  package static let preReceive = "pre-receive"
  /// The hook that may refuse what comes for one ref.
  package static let update = "update"
  /// The hook that may refuse the change of refs as a whole, and is told how it ends.
  package static let referenceTransaction = "reference-transaction"
  /// The hook that is run after nodes were taken in.
  package static let postReceive = "post-receive"
  /// Those that are asked before anything can be seen, in their order.
  package static let asked = [preReceive, update, referenceTransaction]
  /// The names that mean something in the directory of hooks.
  static let names = asked + [postReceive]

  /// Looks for a hook.
  ///
  /// - Parameters:
  ///   - name: its name in the directory of hooks.
  ///   - store: the store's directory.
  /// - Returns: what is there.
  /// - Throws: what the calls answered.
  package static func find(
    _ name: String, in store: borrowing Directory
  ) throws(SystemError) -> Found {
    guard let around = try store.status(Layout.hooks) else { return .none }
    guard around.kind == .directory else { return .foreign("'\(Layout.hooks)' is no directory") }
    guard let status = try store.status(joinPath(Layout.hooks, name)) else { return .none }
    guard status.kind == .regular else { return .foreign("it is no regular file") }
    // Anybody else who may write to it decides what this process does.
    for (what, status) in [("the directory of hooks", around), ("it", status)] {
      guard status.userID == CurrentProcess.effectiveUserID || status.userID == 0 else {
        return .foreign("\(what) belongs to another user")
      }
      guard status.mode & 0o022 == 0 else { return .foreign("others may write \(what)") }
    }
    return status.mode & 0o100 == 0 ? .idle : .program
  }

  /// Runs a hook and waits for its end.
  ///
  /// It runs in the store's directory, which `REDO_DIR` names; what it prints is for people, and goes to standard
  /// error.
  ///
  /// - Parameters:
  ///   - name: its name in the directory of hooks.
  ///   - arguments: what it is called with.
  ///   - store: the store's directory.
  ///   - input: what it reads.
  ///   - shown: the directory of objects that it is shown, if there is one.
  /// - Returns: its exit status, or 128 and the number of the signal it died by.
  /// - Throws: what a call answered before it ran.
  package static func run(
    _ name: String, _ arguments: [String] = [], in store: borrowing Directory, input: [UInt8],
    shown: String? = nil
  ) throws(SystemError) -> Int32 {
    let path = try CurrentProcess.realPath(store.path)
    // A file instead of a pipe: a hook need not read its input.
    let lines = try File.unnamed(in: joinPath(path, Layout.quarantine))
    try lines.writeAll(input)
    guard lseek(lines.raw, 0, SEEK_SET) == 0 else { throw .last("seek", name) }
    let program = "./" + joinPath(Layout.hooks, name)
    var spawn = Spawn(
      path: program, words: [program] + arguments, input: lines.raw, output: File.standardError.raw,
      directory: path)
    spawn.unset(misleading)
    spawn.set(["REDO_DIR": path])
    if let shown { spawn.set([shownVariable: shown]) }
    let child = try spawn.start()
    extendLifetime(lines)
    return Spawn.wait(for: child)
  }

  /// The variables that lead to another store than the hook's own.
  private static let misleading = [
    "REDO_OBJECT_DIRECTORY", "REDO_ALTERNATE_OBJECT_DIRECTORIES", shownVariable,
  ]
  /// The variable that names what a hook is shown.
  private static let shownVariable = "REDO_QUARANTINE_PATH"
}
