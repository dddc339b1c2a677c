// redo verify-pack: checks every byte of packs and their indexes.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo verify-pack [-v] [-q] [--json] [-z] [<pack>|<index>...]`.
enum VerifyPack: Command {
  static let name = "verify-pack"
  static let summary = "check packs and their indexes, and list what is in them"
  static var usage: [String] { ["redo-verify-pack [-v] [-q] [--json] [-z] [<pack>|<index>...]"] }

  private static let verbose = OptionSpec(
    "verbose", letter: "v", help: "list the nodes, and say of each pack whether it is sound")
  static var options: [OptionSpec] { [verbose, .quiet, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    var packs = options.arguments.map { PackPlace($0, context) }
    if options.arguments.isEmpty { packs = try ofStore(&context) }
    let output = VerifyPackOutput(
      isVerbose: options.has(verbose), isQuiet: options.has(.quiet), isJSON: options.has(.json),
      end: options.rowEnd)
    var isSound = true
    var isKnown = true
    for place in packs {
      do {
        if try !verify(place, output, &context) { isSound = false }
      } catch {
        let error = CommandError(error)
        // A pack that cannot be read does not keep the others from being checked.
        guard error.kind == .fatal else { throw error }
        try output.end(place, error, &context)
        isKnown = false
      }
    }
    return !isKnown ? .fatal : isSound ? .ok : .no
  }

  /// The packs of the store.
  private static func ofStore(_ context: inout Context) throws -> [PackPlace] {
    let opened = try context.effects.openRepository()
    let folder = joinPath(opened.objects.primary.path, "pack")
    do throws(SystemError) {
      guard try FileStatus.at(folder) != nil else { return [] }
      return try Directory.open(folder).list().filter { PackPlace.isPack($0) }.sorted()
        .map { PackPlace(inStore: joinPath(folder, $0)) }
    } catch {
      throw CommandError.fatal(error, folder)
    }
  }

  /// Checks one pack.
  ///
  /// - Returns: whether it is sound.
  /// - Throws: `fatal` when it cannot be read at all.
  private static func verify(
    _ place: PackPlace, _ output: VerifyPackOutput, _ context: inout Context
  ) throws -> Bool {
    if place.isInStore, (try? FileStatus.ofLink(at: place.resolved))??.kind == .symbolicLink {
      try output.end(place, [.pack("it is a symbolic link, which no reader follows")], &context)
      return false
    }
    let source = try ArchiveFile.source(place.path, at: place.resolved)
    let pack: OpenPack
    do throws(PackError) {
      pack = try OpenPack(source, of: ObjectKind.packed)
    } catch {
      if case .system(let cause) = error { throw CommandError.fatal(cause, place.path) }
      try output.end(place, [.pack(error.description)], &context)
      return false
    }
    var exam = PackExam(pack)
    let batch = 4 * Threads.processorCount
    for start in stride(from: 0, to: pack.frameCount, by: batch) {
      try context.checkInterrupt()
      let frames = Threads.parallelMap(
        Array(start..<min(start + batch, pack.frameCount)), threads: Threads.processorCount,
        makeState: { PackTools() }
      ) { tools, number in pack.frame(number, &tools) }
      for frame in frames {
        exam.take(frame)
        try output.write(frame, of: pack.reader.directory.frames[frame.number], &context)
      }
    }
    var (problems, index, isWhole) = exam.finish()
    let state = try place.state(of: index, isWhole: isWhole)
    if let why = state?.fault { problems.append(.index(why)) }
    try output.end(place, pack.reader, state, problems, &context)
    return problems.isEmpty
  }
}

/// The paths of a pack and its index.
struct PackPlace {
  /// The path of the pack in messages.
  let path: String
  /// The path of the pack, as passed to the file system.
  let resolved: String
  /// The path of the index in messages; `nil` when no index is to be checked.
  let index: String?
  /// Whether a missing index is reported.
  let needsIndex: Bool
  /// Whether it was found in the store rather than named.
  private(set) var isInStore = false

  /// Whether a file name is that of a pack of a store.
  static func isPack(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count == 5 + ObjectID.hexCount + 5, name.hasPrefix("pack-"), name.hasSuffix(".pack")
    else { return false }
    return ObjectID(hex: bytes.span.extracting(5..<5 + ObjectID.hexCount)) != nil
  }

  /// A pack found in a store.
  init(inStore path: String) {
    self.path = path
    resolved = path
    index = Self.index(of: path)
    needsIndex = true
    isInStore = true
  }

  /// A pack named on the command line.
  init(_ name: String, _ context: borrowing Context) {
    var path = name
    if name.hasSuffix(".idx") {
      path = String(name.dropLast(4)) + ".pack"
    } else if !name.hasSuffix(".pack"), Self.isThere(name + ".pack", context) {
      path = name + ".pack"
    }
    self.path = path
    resolved = context.resolve(path)
    let index = path.hasSuffix(".pack") ? Self.index(of: path) : nil
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    let needsIndex = name.hasSuffix(".idx") || Self.isPack(file)
    self.needsIndex = needsIndex
    if let index, needsIndex || Self.isThere(index, context) {
      self.index = index
    } else {
      self.index = nil
    }
  }

  private static func index(of path: String) -> String { String(path.dropLast(5)) + ".idx" }

  private static func isThere(_ path: String, _ context: borrowing Context) -> Bool {
    (try? FileStatus.at(context.resolve(path))) ?? nil != nil
  }

  /// Compares the index with the expected one.
  ///
  /// - Returns: `nil` when no index is to be checked.
  /// - Throws: `fatal` when the directory cannot be opened.
  func state(of expected: PackIndex, isWhole: Bool) throws -> PackIndexState? {
    guard index != nil, let slash = resolved.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return nil
    }
    let name = Self.index(of: String(resolved[resolved.index(after: slash)...]))
    do throws(SystemError) {
      let folder = slash == resolved.startIndex ? "/" : String(resolved[..<slash])
      return PackIndexState(in: try Directory.open(folder), name, expected, isWhole: isWhole)
    } catch {
      throw CommandError.fatal(error, path)
    }
  }
}
