// The nodes of a store that can be packed, or its objects of another kind, and where each of their copies is. Everything is
// read completely here before anything is planned.

package import RedoHistory
package import RedoObject
package import RedoStore

/// Objects of one kind that can be packed; here they are called nodes, whatever the kind.
///
/// It takes about 170 bytes a node.
package struct RepackScan {
  /// A copy of a node.
  package struct Copy {
    /// The number of the node in the set.
    package let number: Int32
    package let place: NodePlace
  }

  /// The nodes that were found.
  package private(set) var set = PackSet()
  /// Their copies; those of one node in the order in which they were found.
  package private(set) var copies: [Copy] = []
  /// Whether each of them is a loose object.
  private(set) var isLoose: [Bool] = []

  /// The kind of the objects.
  package let kind: ObjectKind
  /// Receives how many copies were read.
  private let progress: Progress

  /// Creates an empty value.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - effects: receives how far the reading has come.
  package init(_ kind: ObjectKind, _ effects: Effects) {
    self.kind = kind
    progress = Progress(.readingNodes, effects)
  }

  /// Says that everything was read.
  package func finish() { progress.finish(copies.count) }

  private enum Found: Sendable {
    case node(ObjectID, ObjectKind, HistoryPlace)
    case other
    case damaged(TidyDamage)
  }

  private mutating func add(_ id: ObjectID, _ found: HistoryPlace, at place: NodePlace) {
    set.add(id, found)
    guard let number = set.number(of: id) else { return }
    if number == isLoose.count { isLoose.append(false) }
    if place.isLoose { isLoose[number] = true }
    copies.append(Copy(number: Int32(number), place: place))
    if copies.count % Self.progressCount == 0 { progress.update(copies.count) }
  }

  /// After how many copies their number is said.
  private static let progressCount = 1024

  // MARK: Loose objects

  private static let shardsPerThread = 2

  /// Reads all loose objects.
  ///
  /// - Parameters:
  ///   - store: where they are.
  ///   - scans: receive the objects of their kinds.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: what is damaged.
  /// - Throws: `StoreError` when something cannot be read.
  package static func addLoose(
    _ store: LooseStore, to scans: inout [RepackScan], _ effects: Effects
  ) throws -> [TidyDamage] {
    var damages: [TidyDamage] = []
    let step = Threads.processorCount * Self.shardsPerThread
    for first in stride(from: 0, to: 256, by: step) {
      try effects.checkInterrupt()
      let shards = Threads.parallelMap(
        Array(first..<min(first + step, 256)), threads: Threads.processorCount,
        makeState: { NodeReader() }
      ) { reader, byte -> Result<[Found], StoreError> in
        do throws(StoreError) {
          return .success(try Self.shard(UInt8(byte), store, &reader))
        } catch {
          return .failure(error)
        }
      }
      for shard in shards {
        switch shard {
        case .success(let found):
          for entry in found {
            switch entry {
            case .node(let id, let kind, let place):
              guard let scan = scans.firstIndex(where: { $0.kind == kind }) else { continue }
              scans[scan].add(id, place, at: .loose)
            case .other: break
            case .damaged(let damage): damages.append(damage)
            }
          }
        case .failure(let error): throw error
        }
      }
    }
    return damages
  }

  private static func shard(
    _ byte: UInt8, _ store: LooseStore, _ reader: inout NodeReader
  ) throws(StoreError) -> [Found] {
    guard let shard = try store.openShard(byte) else { return [] }
    var found: [Found] = []
    found.reserveCapacity(shard.ids.count)
    for id in shard.ids {
      do throws(StoreError) {
        guard let object = try store.read(id, in: shard, &reader.workspace) else { continue }
        found.append(self.found(object, &reader))
      } catch {
        guard case .corrupt = error else { throw error }
        found.append(.damaged(.object(error)))
      }
    }
    return found
  }

  private static func found(_ object: StoredObject, _ reader: inout NodeReader) -> Found {
    guard object.kind.packNumber != nil else { return .other }
    guard object.canonical.count <= PackFormat.nodeLimit,
      let place = reader.places.place(of: object)
    else {
      return .damaged(.invalid(object.id, object.kind))
    }
    return .node(object.id, object.kind, place)
  }

  // MARK: Packs

  /// Reads a pack, every byte and every frame.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - number: the number that its copies get.
  /// - Throws: what is wrong with the pack; nothing from it is kept then.
  package mutating func add(_ pack: Pack, _ number: Int) throws(PackError) {
    let start = copies.count
    do throws(PackError) {
      try pack.checkBytes()
      try pack.forEachFrame { frame, objects throws(PackError) in
        let nodes = Threads.parallelMap(
          objects, threads: objects.count < 64 ? 1 : Threads.processorCount,
          makeState: { PlaceDecoder() }
        ) { decoder, object in decoder.place(of: object) }
        for (place, node) in nodes.enumerated() {
          guard let node else {
            let offset = try pack.directory().frames[frame].offset
            throw .corrupt(
              offset: offset, reason: "'\(objects[place].id.text)' is no \(kind.name)")
          }
          add(objects[place].id, node, at: NodePlace(pack: number, frame: frame, place: place))
        }
      }
    } catch {
      copies.removeSubrange(start...)
      throw error
    }
  }
}
