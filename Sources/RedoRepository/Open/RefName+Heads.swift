// Which heads stand under the name of a ref.

package import RedoObject
package import RedoStore

extension RefName {
  /// The last part of the name of heads: a task, or `-`.
  private var headsPart: ArraySlice<UInt8>? {
    isMultiValued ? bytes.split(separator: UInt8(ascii: "/")).last : nil
  }

  /// The task whose heads stand under the name; `nil` for other names, and for `-`.
  package var task: TaskID? {
    guard let part = headsPart, let task = TaskID(Array(part).span),
      task.text.utf8.elementsEqual(part)
    else { return nil }
    return task
  }

  /// Whether the heads of the nodes without a task stand under the name.
  package var isHeadsWithoutTask: Bool { headsPart.map { $0.elementsEqual("-".utf8) } ?? false }

  /// Whether the heads of this store's own history stand under the name.
  package var isOwnHeads: Bool { hasPrefix(Array("heads/".utf8)) && isMultiValued }
}
