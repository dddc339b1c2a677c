// The notes of converted logs: they are rewritten without the rows of removed nodes.

package import RedoObject
package import RedoStore

/// Removes nodes from notes.
package enum WipeNotes {
  /// Adds steps to a change that replace notes which name removed nodes by new notes.
  ///
  /// - Parameters:
  ///   - transaction: receives the steps.
  ///   - notes: the refs of all notes.
  ///   - store: where they are.
  ///   - isWiped: whether a node is removed.
  ///   - blobs: receives the new notes.
  /// - Returns: the notes that are removed.
  /// - Throws: `WipeFault.unreadableNotes` when notes cannot be read.
  package static func update(
    _ transaction: inout RefTransaction, _ notes: [Ref], _ store: ObjectStore,
    without isWiped: (ObjectID) -> Bool, _ blobs: inout [[UInt8]]
  ) throws -> [ObjectID] {
    var gone: [ObjectID] = []
    for ref in notes {
      let object = try store.read(ref.id)
      guard let object, var sheet = V0Notes(object.canonical) else {
        throw WipeFault.unreadableNotes(ref: ref.name.text)
      }
      let count = sheet.rows.count
      sheet.rows.removeAll { isWiped($0.id) }
      guard sheet.rows.count < count else { continue }
      gone.append(ref.id)
      transaction.delete(ref.name)
      guard !sheet.rows.isEmpty else { continue }
      let bytes = sheet.bytes
      let blob = StoredObject(blob: bytes)
      blobs.append(bytes)
      transaction.update(V0Notes.name(of: blob.id), to: blob.id)
    }
    return gone
  }
}
