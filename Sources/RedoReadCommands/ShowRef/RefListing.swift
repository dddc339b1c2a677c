// Rows of refs: printed as they come if neither sorting nor objects are asked for, so that memory
// does not grow with the number of refs; otherwise in batches, or all at once when they must be sorted.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// How refs are listed.
struct RefListing {
  /// The format; `nil` for JSON.
  let format: Format<RefAtom>?
  /// The sort keys, most significant first; empty for the order of names.
  let keys: [RefSort]
  /// The byte that ends a row.
  let end: UInt8
  /// The most rows.
  let limit: Int
  /// The rows shown so far.
  private(set) var shown = 0

  /// How many refs are processed together.
  private static let batchCount = 1024

  init(format: Format<RefAtom>?, keys: [RefSort], end: UInt8, limit: Int) {
    self.format = format
    self.keys = keys
    self.end = end
    self.limit = limit
  }

  /// Whether a ref cannot be shown, or sorted, without its object.
  private func needsObject(_ name: RefName) -> Bool {
    func isNeeded(_ atom: RefAtom) -> Bool {
      if case .task = atom { return name.task == nil && !name.isHeadsWithoutTask }
      return atom.needsObject
    }
    return keys.contains { isNeeded($0.atom) } || format?.contains(where: isNeeded) == true
  }

  /// Lists the refs whose names are wanted.
  ///
  /// - Throws: `fatal` when refs or objects cannot be read, and the errors of the output.
  mutating func list(
    _ snapshot: inout RefsSnapshot, prefix: String, _ store: ObjectStore,
    _ context: inout Context, _ isWanted: (Ref) -> Bool
  ) throws {
    guard limit > 0 else { return }
    var batch: [Ref] = []
    var failure: CommandError?
    try snapshot.forEach(prefix: prefix) { (ref) throws(RefsError) in
      guard isWanted(ref) else { return true }
      batch.append(ref)
      guard keys.isEmpty else { return true }
      if batch.count < min(Self.batchCount, limit - shown) { return true }
      do {
        try show(batch, store, &context)
      } catch {
        let error = CommandError(error)
        failure = error
      }
      batch = []
      return failure == nil && shown < limit
    }
    if let failure { throw failure }
    if keys.isEmpty {
      try show(batch, store, &context)
    } else {
      try showSorted(batch, store, &context)
    }
  }

  /// Shows refs in the order given.
  mutating func show(
    _ refs: [Ref], _ store: ObjectStore, _ context: inout Context
  ) throws {
    for result in rows(refs, store, values: false) {
      switch result {
      case .success(let row): try context.output.write(row.text)
      case .failure(let error): throw error
      }
      shown += 1
    }
  }

  private mutating func showSorted(
    _ refs: [Ref], _ store: ObjectStore, _ context: inout Context
  ) throws {
    var found: [(ref: Ref, values: [RefSort.Value], text: [UInt8])] = []
    for start in stride(from: 0, to: refs.count, by: Self.batchCount) {
      let part = Array(refs[start..<min(start + Self.batchCount, refs.count)])
      for (ref, result) in zip(part, rows(part, store, values: true)) {
        switch result {
        case .success(let row): found.append((ref, row.values, row.text))
        case .failure(let error): throw error
        }
      }
    }
    let keys = keys
    found.sort { RefSort.precedes(($0.ref, $0.values), ($1.ref, $1.values), keys) }
    for row in found.prefix(limit) {
      try context.output.write(row.text)
      shown += 1
    }
  }

  private struct Rendered: Sendable {
    let text: [UInt8]
    let values: [RefSort.Value]
  }

  /// The texts of some refs, and their sort values; objects are read on all processors.
  private func rows(
    _ refs: [Ref], _ store: ObjectStore, values: Bool
  ) -> [Result<Rendered, CommandError>] {
    let listing = self
    let isReading = refs.contains { needsObject($0.name) }
    return Threads.parallelMap(
      refs, threads: refs.count < 16 || !isReading ? 1 : Threads.processorCount,
      makeState: { NodeReader() }
    ) { reader, ref -> Result<Rendered, CommandError> in
      do {
        var row = RefRow(ref: ref, object: nil, node: nil, isRaw: listing.end == 0)
        if listing.needsObject(ref.name) {
          guard let object = try reader.object(ref.id, in: store) else {
            throw CommandError.fatal("object '\(ref.id.text)' of '\(ref.name.text)' is missing")
          }
          row = RefRow(
            ref: ref, object: object, node: reader.decode(object),
            isRaw: listing.end == 0)
        }
        return .success(
          Rendered(
            text: listing.text(row), values: values ? listing.keys.map { $0.value(of: row) } : []))
      } catch {
        let error = CommandError(error)
        return .failure(error)
      }
    }
  }

  private func text(_ row: RefRow) -> [UInt8] {
    var text: [UInt8] = []
    if let format {
      format.append(to: &text) { atom, output in row.append(atom, to: &output) }
    } else {
      row.appendJSON(to: &text)
    }
    text.append(end)
    return text
  }
}
