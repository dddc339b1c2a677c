// The output of commands that tidy a store up: one row for each step.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension TidyStep {
  /// The step in one word.
  private var what: String {
    switch self {
    case .unfinished: "unfinished"
    case .index: "index"
    case .indexed: "indexed"
    case .expired: "expired"
    case .blob: "blob"
    case .blobs: "blobs"
    case .empty: "empty"
    case .packed: "packed"
    case .united: "united"
    case .loose: "loose"
    case .local: "local"
    case .damaged: "damaged"
    }
  }

  /// The problem; `nil` for steps that were done.
  fileprivate var trouble: String? {
    switch self {
    case .damaged(let damage): damage.words
    case .unfinished, .index, .indexed, .expired, .blob, .blobs, .empty, .packed, .united,
      .loose, .local:
      nil
    }
  }

  /// Appends the word and its subject.
  func append(to output: inout [UInt8]) {
    output += "\(what) ".utf8
    switch self {
    case .unfinished(let path), .index(let path):
      output += Escape.text(path).utf8
    case .expired(let id): id.append(to: &output)
    case .blob(let id, let bytes):
      id.append(to: &output)
      output += " \(bytes)".utf8
    case .blobs(let count, let bytes): output += "\(count) \(bytes)".utf8
    case .indexed(let name, let nodes), .united(let name, let nodes):
      output += "\(Self.hex(name)) \(nodes)".utf8
    case .packed(let name, let nodes, let bytes):
      output += "\(Self.hex(name)) \(nodes) \(bytes.map { "\($0)" } ?? "-")".utf8
    case .empty(let count), .loose(let count), .local(let count): output += "\(count)".utf8
    case .damaged:
      output += Escape.text(trouble ?? "").utf8
    }
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    switch self {
    case .unfinished(let path), .index(let path): row.add("path", path)
    case .expired(let id): row.add("id", id.text)
    case .blob(let id, let bytes):
      row.add("bytes", bytes)
      row.add("id", id.text)
    case .blobs(let count, let bytes):
      row.add("blobs", count)
      row.add("bytes", bytes)
    case .empty(let directories): row.add("directories", directories)
    case .indexed(let name, let nodes), .united(let name, let nodes):
      row.add("name", Self.hex(name))
      row.add("nodes", nodes)
    case .packed(let name, let nodes, let bytes):
      if let bytes { row.add("bytes", bytes) }
      row.add("name", Self.hex(name))
      row.add("nodes", nodes)
    case .local(let bytes): row.add("bytes", bytes)
    case .loose(let nodes): row.add("nodes", nodes)
    case .damaged: row.add("text", trouble ?? "")
    }
    row.add("what", what)
    row.append(to: &output)
  }

  private static func hex(_ name: Digest) -> String { Hex.text(name.bytes.span) }
}

/// Prints rows, and remembers whether anything is damaged.
struct TidyOutput {
  private let isQuiet: Bool
  private let isJSON: Bool
  /// Whether each blob gets a row.
  private let listsBlobs: Bool
  /// What was said to be damaged: two steps may meet it.
  private var told: Set<String> = []
  /// Whether nothing is damaged.
  private(set) var isClean = true

  init(_ options: ParsedOptions, listsBlobs: Bool = false) {
    isQuiet = options.has(.quiet)
    isJSON = options.has(.json)
    self.listsBlobs = listsBlobs
  }

  /// Prints a row, or names what is damaged.
  mutating func write(_ row: TidyStep, _ context: inout Context) throws {
    if let text = row.trouble {
      isClean = false
      if told.insert(text).inserted { context.error(text) }
      return
    }
    guard !isQuiet else { return }
    if case .blob = row, !listsBlobs { return }
    try context.output.append { output throws in
      if isJSON { row.appendJSON(to: &output) } else { row.append(to: &output) }
      output.append(UInt8(ascii: "\n"))
    }
  }
}
