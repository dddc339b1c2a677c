// What archives need from elsewhere.

package import RedoObject
package import RedoStore

/// What archives need from elsewhere.
package enum ArchiveNeeds {
  /// The prerequisites of some nodes that a store does not have, in their order.
  package static func missing(
    _ ids: [ObjectID], in store: ObjectStore
  ) throws -> [ObjectID] {
    var missing: [ObjectID] = []
    for id in ids {
      if try !store.contains(id) { missing.append(id) }
    }
    return missing
  }
}
