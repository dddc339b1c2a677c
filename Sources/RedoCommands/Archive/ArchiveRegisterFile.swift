// redo archive register: archives whose nodes count as nodes of the store, wherever their files lie.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive register [-q] [--json] [-z] <file>...`.
enum ArchiveRegisterFile: Command {
  static let name = "register"
  static let summary = "let the store read archives, or tell it where they are now"
  static var usage: [String] { ["redo-archive register [-q] [--json] [-z] <file>..."] }
  static var options: [OptionSpec] { [.quiet, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, salvages: true, context.effects)
    for path in options.arguments {
      let proof = try ArchiveProving.prove(path, context.effects)
      let archive = try Self.register(proof, path, .kept, &held, context)
      let row = ArchiveRow(
        directory: proof.directory, fileBytes: proof.fileBytes, path: path)
      if archive.state == .removing {
        var removal = ArchiveRemoval(opened, proof)
        try removal.finish(&held, context.effects)
      }
      try row.write(
        isJSON: options.has(.json), end: options.rowEnd, &context)
    }
    return .ok
  }

  /// Notes an archive in the list, under the path that it has now.
  ///
  /// - Parameters:
  ///   - proof: what is known of it.
  ///   - path: its file.
  ///   - state: of an archive that is new to the list.
  ///   - held: the list, which is written.
  ///   - context: says where relative paths begin.
  /// - Returns: its line.
  /// - Throws: `fatal` when another file of the same nodes is registered, or nothing can be written.
  @discardableResult
  static func register(
    _ proof: ArchiveProof, _ path: String, _ state: RegisteredArchive.State,
    _ held: inout HeldArchives, _ context: borrowing Context
  ) throws -> RegisteredArchive {
    let real: String
    do throws(SystemError) {
      real = try CurrentProcess.realPath(context.resolve(path))
    } catch {
      throw CommandError.fatal(error, path)
    }
    var archive = proof.registered(at: real, state)
    if let old = held.register.archive(archive.name) {
      guard old.hash == archive.hash else {
        throw CommandError.fatal(
          "another file of the same nodes is registered: '\(Escape.text(old.path))'",
          hints: [
            "their signatures may differ; 'redo archive forget' takes the other one out of the list"
          ])
      }
      if state == .kept { archive.state = old.state }
    }
    try proof.writeIndex(in: held.opened.store.directory)
    held.register.put(archive)
    try held.save()
    return archive
  }
}
