// How large an object is for its readers.

package import RedoObject

extension StoredObject {
  /// The number of bytes that reading the object returns: for a node all of it, with its ID and its signature.
  package var wholeSize: Int {
    guard kind == .node else { return canonical.count }
    // "id":"sha256:<64>", and ,"signature":"<128>"
    return canonical.count + 79 + (signature == nil ? 0 : 143)
  }
}
