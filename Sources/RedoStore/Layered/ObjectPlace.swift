// One of the places in which an object may lie: the loose files of a directory, or its packs.

internal import RedoCrypto
package import RedoObject

/// A place of objects among several.
package protocol ObjectPlace: Sendable {
  /// Whether there is an object of this name; its bytes are not looked at.
  func contains(_ id: ObjectID) throws(StoreError) -> Bool

  /// Reads an object with the buffers of a thread, and checks that its bytes have its name.
  ///
  /// - Returns: the object; `nil` when there is no object of this name.
  func read(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> StoredObject?
}

/// The places that are read after one.
package struct ObjectPlaces: Sendable {
  /// The places in their order.
  let all: [any ObjectPlace]
  /// How many of them, from the first on, belong to the store being written.
  let ownCount: Int

  /// No place at all.
  package static let none = ObjectPlaces(all: [], ownCount: 0)
}

extension ObjectPlace {
  /// What to do about an object whose name exists: `known` for nothing.
  ///
  /// - Parameters:
  ///   - object: the arriving object; its canonical bytes are not looked at.
  ///   - key: the signer's public key, if it is known.
  ///   - workspace: the thread's buffers.
  /// - Returns: what writing the object would do.
  /// - Throws: `system` when the stored one cannot be read.
  func compare(
    _ object: StoredObject, key: PublicKey?, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> WriteOutcome {
    let stored: StoredObject?
    do throws(StoreError) {
      stored = try read(object.id, &workspace)
    } catch {
      // What cannot be compared stays as it is.
      if case .offline = error { return .known }
      guard case .corrupt = error else { throw error }
      // A corrupt node must not come back as a blob: its label and signature would be lost.
      guard object.kind.hasHistory else { throw error }
      return .healed
    }
    guard let stored else { return .new }
    guard object.kind.hasHistory else { return .known }
    guard stored.kind.hasHistory else { return .upgraded }
    // The same bytes under the name of another kind: what arrives has been decoded as what it says.
    guard stored.kind == object.kind else { return .healed }
    let choice = SignatureChoice.between(
      stored: stored.signature, arriving: object.signature, of: stored, key: key)
    return choice == .take ? .upgraded : .known
  }
}
