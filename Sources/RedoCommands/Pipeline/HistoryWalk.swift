// The nodes that some tips reach, in the total order (protocol, section 2).

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Walks a history.
enum HistoryWalk {
  /// The nodes that tips reach, oldest first.
  ///
  /// Only what the order depends on is kept: about 150 bytes a node.
  ///
  /// - Throws: `fatal` when a node is missing or corrupt, or a tip is no node.
  static func order(
    from tips: [ObjectID], _ store: ObjectStore
  ) throws(CommandError) -> [ObjectID] {
    var entries: [OrderEntry] = []
    var seen = Set<ObjectID>()
    var level: [ObjectID] = []
    for tip in tips where seen.insert(tip).inserted { level.append(tip) }
    while !level.isEmpty {
      let found = Threads.parallelMap(
        level, threads: level.count < 16 ? 1 : Threads.processorCount,
        makeState: { NodeReader() }
      ) { reader, id -> Result<OrderEntry, CommandError> in
        do throws(CommandError) {
          let object = try object(id, store, &reader)
          guard let node = reader.decode(object) else {
            return .failure(.fatal("object '\(id.text)' is no valid node"))
          }
          return .success(OrderEntry(node))
        } catch {
          return .failure(error)
        }
      }
      var next: [ObjectID] = []
      for result in found {
        switch result {
        case .success(let entry):
          entries.append(entry)
          for parent in entry.parents where seen.insert(parent).inserted { next.append(parent) }
        case .failure(let error): throw error
        }
      }
      level = next
    }
    return TotalOrder.positions(of: entries).map { entries[$0].id }
  }

  /// How many nodes are read together.
  private static let batchCount = 1024

  /// The tips that are named, or else all heads.
  ///
  /// - Throws: `fatal` when a name stands for no object, or the refs cannot be read.
  static func tips(
    _ names: [String], _ opened: OpenRepository
  ) throws(CommandError) -> [ObjectID] {
    var tips: [ObjectID] = []
    for name in names { tips.append(try ObjectName.one(name, in: opened.objects)) }
    guard names.isEmpty else { return tips }
    var snapshot = try opened.snapshot()
    do throws(RefsError) {
      try snapshot.forEach(prefix: "heads/") { ref throws(RefsError) in
        tips.append(ref.id)
        return true
      }
    } catch {
      throw .fatal(error)
    }
    return tips
  }

  /// Makes something of each of some nodes, on all processors, in bounded memory.
  ///
  /// - Parameters:
  ///   - ids: the nodes, which must be there.
  ///   - store: where they are.
  ///   - transform: makes it.
  ///   - visit: receives what was made, in the order of the nodes.
  /// - Throws: `fatal` for a node that is missing or corrupt, or what the closures throw.
  static func forEach<Output: Sendable>(
    _ ids: [ObjectID], _ store: ObjectStore,
    _ transform: @Sendable (StoredObject, inout NodeReader) throws(CommandError) -> Output,
    _ visit: (Output) throws(CommandError) -> Void
  ) throws(CommandError) {
    for start in stride(from: 0, to: ids.count, by: batchCount) {
      let part = Array(ids[start..<min(start + batchCount, ids.count)])
      let results = Threads.parallelMap(
        part, threads: part.count < 16 ? 1 : Threads.processorCount,
        makeState: { NodeReader() }
      ) { reader, id -> Result<Output, CommandError> in
        do throws(CommandError) {
          return .success(try transform(try object(id, store, &reader), &reader))
        } catch {
          return .failure(error)
        }
      }
      for result in results {
        switch result {
        case .success(let output): try visit(output)
        case .failure(let error): throw error
        }
      }
    }
  }

  /// A node of a history, which must be there.
  static func object(
    _ id: ObjectID, _ store: ObjectStore, _ reader: inout NodeReader
  ) throws(CommandError) -> StoredObject {
    guard let object = try CatNodeBatch.read(id, store, &reader) else {
      throw .fatal(
        "object '\(id.text)' is missing",
        hints: ["another copy of the log may have it; 'redo import' brings it back"])
    }
    guard object.kind == .node else {
      throw .fatal("object '\(id.text)' is a \(object.kind.name), not a node")
    }
    return object
  }
}
