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
