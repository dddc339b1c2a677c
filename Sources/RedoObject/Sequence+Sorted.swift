// Lists in the order of a key.

extension Sequence {
  /// The elements in the order of a key; those with equal keys keep their order.
  ///
  /// For lists of names, files and findings: the compiler makes one function for all of them, where a closure that
  /// compares gets a sort of its own. Use that for lists with an element for each change.
  ///
  /// - Parameter key: the key of an element.
  /// - Returns: the elements.
  package func sorted<Key: Comparable>(on key: (Element) -> Key) -> [Element] {
    map { (key: key($0), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
  }
}
