// redo archive restore: the nodes of a registered archive become a pack of the store again.

internal import RedoObject
internal import RedoStore

/// `redo archive restore [-n] [-q] [--json] [-z] (<file> | <name>)...`.
enum ArchiveRestore: Command {
  static let name = "restore"
  static let summary = "bring the nodes of registered archives back into the store"
  static var usage: [String] {
    ["redo-archive restore [-n] [-q] [--json] [-z] (<file> | <name>)..."]
  }
  private static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "say what would be brought back, and change nothing")
  private static let quiet = OptionSpec("quiet", letter: "q", help: "say nothing but errors")
  static var options: [OptionSpec] { [dryRun, quiet, ArchiveWords.json, ArchiveWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    guard !options.arguments.isEmpty else { throw .usage("no archive is named") }
    let opened = try context.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, &context)
    for name in options.arguments {
      let archive = try held.one(name, context)
      let directory: PackDirectory
      if options.has(dryRun) {
        directory = try ArchiveProving.prove(archive.path, &context).directory
      } else {
        directory = try restore(archive, &held, &context)
        if !options.has(quiet) {
          context.note(
            "\(archive.nodes) nodes are in the store again; "
              + "'\(Escape.text(archive.path))' stays where it is")
        }
      }
      let row = ArchiveRow(directory: directory, fileBytes: archive.bytes, path: archive.path)
      try row.write(
        isJSON: options.has(ArchiveWords.json), end: ArchiveWords.end(options), &context)
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
  ) throws(CommandError) -> PackDirectory {
    let objects = held.opened.objects
    let file = try open(archive)
    var pack: RestoredPack
    let copy: File
    do throws(SystemError) {
      pack = try RestoredPack(in: objects.packs)
    } catch {
      throw .fatal(error.description)
    }
    var isDone = false
    while !isDone {
      try context.checkInterrupt()
      do throws(SystemError) { isDone = try !pack.copy(from: file) } catch {
        throw .fatal(error.description)
      }
    }
    do throws(SystemError) { copy = try pack.reopen() } catch { throw .fatal(error.description) }
    var writes: [ObjectWrite] = []
    var workspace = LooseStore.Workspace()
    let proof = try ArchiveProving.prove(copy, archive.path, &context) {
      nodes throws(CommandError) in
      for node in nodes {
        if let write = try Self.better(node, objects.own, &workspace) { writes.append(write) }
      }
    }
    guard proof.hash == archive.hash else {
      throw .fatal("'\(Escape.text(archive.path))' is not the file that was registered")
    }
    do throws(StoreError) {
      // Two packs may have a node with different signatures: a loose copy of the better one is read
      // before either.
      if !writes.isEmpty { _ = try objects.primary.write(writes) }
    } catch {
      throw .fatal(error)
    }
    do throws(SystemError) { try pack.commit(proof) } catch { throw .fatal(error.description) }
    held.register.remove(archive.name)
    try held.save()
    held.removeIndex(of: archive)
    return proof.directory
  }

  private static func open(_ archive: RegisteredArchive) throws(CommandError) -> File {
    do throws(SystemError) {
      return try File.open(archive.path, .read, [.nonBlocking])
    } catch {
      throw .fatal(
        "the archive '\(Escape.text(archive.path))' cannot be read: \(error.reason)",
        hints: [StoreError.registerHint])
    }
  }

  /// The better of two copies of a node, where the store has one with another signature.
  private static func better(
    _ node: StoredObject, _ own: Layer, _ workspace: inout LooseStore.Workspace
  ) throws(CommandError) -> ObjectWrite? {
    do throws(StoreError) {
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
    } catch {
      throw .fatal(error)
    }
  }
}
