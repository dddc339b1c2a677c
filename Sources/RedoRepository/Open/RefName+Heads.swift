// Which heads a ref name is for.

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

  /// Whether the name holds the heads of a chain of receipts.
  package var isReceipts: Bool {
    let parts = bytes.split(separator: UInt8(ascii: "/"))
    return isMultiValued && parts[parts.count - 2].elementsEqual("receipts".utf8)
  }

  /// The kind of the objects whose heads the name holds; `nil` for a name that holds no heads.
  package var kind: ObjectKind? { isMultiValued ? isReceipts ? .receipt : .node : nil }

  /// Whether the name holds heads of this store's own history, of nodes or receipts.
  package var isOfOwnHistory: Bool {
    isOwnHeads || isMultiValued && hasPrefix(Array("receipts/".utf8))
  }

  /// Whether the last part of the name is that of a chain of receipts.
  ///
  /// - Parameter root: the first receipt of the chain.
  /// - Returns: whether it is.
  package func names(_ root: ObjectID) -> Bool {
    headsPart?.elementsEqual(root.text.utf8.dropFirst(ObjectID.prefixCount)) ?? false
  }
}

extension Repository {
  /// The heads of the chains of receipts of this store's history.
  ///
  /// - Returns: the heads, and of how many chains they are.
  /// - Throws: `RefsError` when the refs cannot be read.
  package func receiptHeads() throws -> (ids: [ObjectID], chains: Int) {
    guard store.config.mayHaveReceipts else { return ([], 0) }
    var snapshot = try snapshot()
    var ids: [ObjectID] = []
    var chains: Set<RefName> = []
    try snapshot.forEach(prefix: "\(ObjectKind.receipt.headsFolder ?? "")/") {
      (ref) throws(RefsError) in
      ids.append(ref.id)
      chains.insert(ref.name)
      return true
    }
    return (ids, chains.count)
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
