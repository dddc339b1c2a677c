// Which heads a ref name is for.

internal import RedoCrypto
package import RedoObject
package import RedoStore

extension RefName {
  /// The last part of the name of heads: a task, or `-`.
  private var headsPart: ArraySlice<UInt8>? {
    isMultiValued ? bytes.split(separator: UInt8(ascii: "/")).last : nil
  }

  /// The task that the name holds the heads of; `nil` for other names, and for `-`.
  package var task: TaskID? {
    guard let part = headsPart, let task = TaskID(Array(part).span),
      task.text.utf8.elementsEqual(part)
    else { return nil }
    return task
  }

  /// Whether the name holds the heads of the nodes without a task.
  package var isHeadsWithoutTask: Bool { headsPart.map { $0.elementsEqual("-".utf8) } ?? false }

  /// Whether the name holds heads of this store's own history.
  package var isOwnHeads: Bool { hasPrefix(Array("heads/".utf8)) && isMultiValued }

  /// The kind of the objects whose heads the name holds; `nil` for a name that holds no heads.
  package var kind: ObjectKind? {
    guard isMultiValued else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "/"))
    return ObjectKind(headsFolder: parts[parts.count - 2])
  }

  /// Whether the name holds heads of this store's own history, of whichever kind.
  package var isOfOwnHistory: Bool {
    isMultiValued && bytes.count { $0 == UInt8(ascii: "/") } == 1
  }

  /// Whether the last part of the name is that of a group.
  package func names(_ group: HistoryPlace.Group?) -> Bool {
    headsPart?.elementsEqual(Self.part(of: group)) ?? false
  }

  /// The name of the ref that holds the heads of a group of this store's own history.
  ///
  /// - Parameter group: a task, a chain of receipts, or a schema.
  /// - Returns: `heads/` and the task, `receipts/` and the 64 digits of the first receipt, or `schemas/` and the name of the
  ///   schema, in which every byte other than letters, digits, `-` and `_` is two digits behind `%`.
  package static func heads(of group: HistoryPlace.Group) -> RefName {
    let folder = group.kind.headsFolder?.description ?? ""
    guard let name = RefName(bytes: Array("\(folder)/".utf8) + part(of: group)) else {
      preconditionFailure("BUG: a group has no ref name")
    }
    return name
  }

  private static func part(of group: HistoryPlace.Group?) -> [UInt8] {
    switch group {
    case nil: return Array("-".utf8)
    case .task(let task): return Array(task.text.utf8)
    case .chain(let root): return Array(root.text.utf8.dropFirst(ObjectID.prefixCount))
    case .schema(let name):
      var part: [UInt8] = []
      for byte in name.id.utf8 {
        if byte.isRefLetter {
          part.append(byte)
        } else {
          part.append(UInt8(ascii: "%"))
          Hex.append([byte].span, to: &part)
        }
      }
      if let scope = name.scope { part += "@\(scope.text)".utf8 }
      return part
    }
  }
}

extension UInt8 {
  /// Whether it stands for itself in the name of a schema's ref.
  fileprivate var isRefLetter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Repository {
  /// The heads of the groups of a kind in this store's history: of chains of receipts, or of schemas.
  ///
  /// - Parameter kind: the kind.
  /// - Returns: the heads, and of how many groups they are.
  /// - Throws: `RefsError` when the refs cannot be read.
  package func heads(of kind: ObjectKind) throws -> (ids: [ObjectID], groups: Int) {
    var snapshot = try snapshot()
    var ids: [ObjectID] = []
    var groups: Set<RefName> = []
    try snapshot.forEach(prefix: "\(kind.headsFolder ?? "")/") { (ref) throws(RefsError) in
      ids.append(ref.id)
      groups.insert(ref.name)
      return true
    }
    return (ids, groups.count)
  }

  /// The name of the ref that holds the heads of the group of an object; `nil` for one that is not here, cannot be read, or is
  /// a node.
  package func groupName(of id: ObjectID) throws -> RefName? {
    guard let object = try? objects.read(id) else { return nil }
    var decoder = PlaceDecoder()
    return decoder.grouped(object)?.place.group.map { .heads(of: $0) }
  }

  /// When each object of the history was received, in milliseconds since 1970.
  ///
  /// - Throws: `RefsError` when the refs or the received log cannot be read.
  package func receivedTimes() throws -> [ObjectID: Int64] {
    var times: [ObjectID: Int64] = [:]
    let end = try snapshot().receivedBytes
    try store.received.forEach(to: end) { id, note in
      switch note {
      case .received(let time): times[id] = times[id] ?? time
      case .forgotten: times[id] = nil
      }
      return true
    }
    return times
  }
}
