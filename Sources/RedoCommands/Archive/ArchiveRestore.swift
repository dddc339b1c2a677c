// redo archive restore: the nodes of a registered archive become a pack of the store again.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive restore [-n] [-q] [--json] [-z] (<file> | <name>)...`.
enum ArchiveRestore: Command {
  static let name = "restore"
  static let summary = "bring the nodes of registered archives back into the store"
  static var usage: [String] {
    ["redo-archive restore [-n] [-q] [--json] [-z] (<file> | <name>)..."]
  }
  static var options: [OptionSpec] { [.dryRun, .quiet, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, context.effects)
    for name in options.arguments {
      let archive = try held.one(name, context.effects)
      let directory: PackDirectory
      if options.has(.dryRun) {
        directory = try ArchiveProving.prove(archive.path, context.effects).directory
      } else {
        directory = try restore(archive, &held, &context)
        if !options.has(.quiet) {
          context.note(
            "\(archive.nodes) nodes are in the store again; "
              + "'\(Escape.text(archive.path))' stays where it is")
        }
      }
      let row = ArchiveRow(directory: directory, fileBytes: archive.bytes, path: archive.path)
      try row.write(
        isJSON: options.has(.json), end: options.rowEnd, &context)
    }
    return .ok
  }

  /// Brings the nodes of an archive back.
  ///
  /// - Returns: what the archive says of itself.
  /// - Throws: `fatal` when the archive is away or damaged, or the pack cannot be written; the archive
  ///   is registered then as before.
  private static func restore(
    _ archive: RegisteredArchive, _ held: inout HeldArchives, _ context: inout Context
  ) throws -> PackDirectory {
    let objects = held.opened.objects
    let file = try open(archive)
    var pack: RestoredPack
    let copy: File
    pack = try RestoredPack(in: objects.packs)
    var isDone = false
    while !isDone {
      try context.checkInterrupt()
      isDone = try !pack.copy(from: file)
    }
    copy = try pack.reopen()
    var writes: [ObjectWrite] = []
    var workspace = LooseStore.Workspace()
    let proof = try ArchiveProving.prove(copy, archive.path, context.effects) {
      nodes throws in
      for node in nodes {
        if let write = try Self.better(node, objects.own, &workspace) { writes.append(write) }
      }
    }
    guard proof.hash == archive.hash else {
      throw CommandError.fatal("'\(Escape.text(archive.path))' is not the file that was registered")
    }
    // Two packs may have a node with different signatures: a loose copy of the better one is read
    // before either.
    if !writes.isEmpty { _ = try objects.primary.write(writes) }
    try pack.commit(proof)
    held.register.remove(archive.name)
    try held.save()
    held.removeIndex(of: archive)
    return proof.directory
  }

  private static func open(_ archive: RegisteredArchive) throws -> File {
    do throws(SystemError) {
      return try File.open(archive.path, .read, [.nonBlocking])
    } catch {
      throw CommandError.fatal(
        "the archive '\(Escape.text(archive.path))' cannot be read: \(error.reason)",
        hints: [StoreError.registerHint])
    }
  }

  /// The better of two copies of a node, where the store has one with another signature.
  private static func better(
    _ node: StoredObject, _ own: Layer, _ workspace: inout LooseStore.Workspace
  ) throws -> ObjectWrite? {
    guard try own.contains(node.id) else { return nil }
    let stored: StoredObject?
    do throws(StoreError) { stored = try own.read(node.id, &workspace) } catch {
      guard case .corrupt = error else { throw error }
      stored = nil
    }
    guard let stored, stored.signature != node.signature else { return nil }
    var decoder = NodeDecoder()
    let key = decoder.decode(node)?.publicKey
    let choice = SignatureChoice.between(
      stored: stored.signature, arriving: node.signature, of: node, key: key)
    return ObjectWrite(choice == .take ? node : stored, key: key)
  }
}
