// What is known about a receipt of the store: its chain, its parent, and whether a head reaches it.

package import RedoHistory
package import RedoObject
package import RedoStore

/// Answers questions about the receipts of a store and its refs at one moment.
package struct ReceiptLookUp: ~Copyable {
  private let objects: ObjectStore?
  private var refs: RefsSnapshot?
  private var workspace = LooseStore.Workspace()
  private var decoder = ReceiptDecoder()
  /// Judges a parent outside of the history as strictly as its child.
  private var intake: ReceiptIntake
  private let profile: Profile
  /// The store, where receipts of it that cannot be read count as absent.
  private let tolerant: Repository?
  /// What was received, if the heads do not tell because something on the way cannot be read.
  private var received: [ObjectID: Int64]?
  private var hasMetDamage = false
  /// For each chain that was asked about, the receipts that its heads reach.
  private var reached: [ObjectID: Set<ObjectID>] = [:]

  /// Creates a look-up for a store.
  ///
  /// - Parameters:
  ///   - opened: the store; without one nothing is known.
  ///   - profile: the rules that a receipt outside of the history must satisfy to count as present.
  ///   - keys: where keys are looked for.
  ///   - isTolerant: whether receipts of the store that cannot be read count as absent.
  /// - Throws: `RefsError` when the refs cannot be read.
  package init(
    _ opened: Repository?, _ profile: Profile, _ keys: KeySources, isTolerant: Bool = false
  ) throws {
    tolerant = isTolerant ? opened : nil
    objects = opened?.objects
    refs = try opened?.snapshot()
    self.profile = profile
    intake = ReceiptIntake(profile, verifies: profile.requiresSignature, keys)
  }

  /// What is known about a receipt; `nil` when it is not here, or nothing may follow it.
  package mutating func link(_ id: ObjectID) throws -> ChainLink? {
    guard let receipt = try receipt(id) else { return nil }
    let isInHistory = try isInHistory(id, of: receipt.root)
    if !isInHistory, profile != .v1 {
      let incoming = IncomingReceipt(receipt.preimage, signature: receipt.signature)
      guard try !intake.judge([incoming])[0].isRefused else { return nil }
    }
    return ChainLink(receipt, isInHistory: isInHistory)
  }

  /// The heads of a chain.
  package mutating func heads(of root: ObjectID) throws -> [ObjectID] {
    guard refs != nil else { return [] }
    return try refs?.ids(of: .receipts(of: root)) ?? []
  }

  /// Whether the heads of a chain reach a receipt.
  package mutating func isInHistory(_ id: ObjectID, of root: ObjectID) throws -> Bool {
    if reached[root] == nil {
      var seen: Set<ObjectID> = []
      for head in try heads(of: root) {
        var next: ObjectID? = head
        while let id = next, seen.insert(id).inserted { next = try receipt(id)?.parent }
      }
      reached[root] = seen
    }
    if reached[root]?.contains(id) ?? false { return true }
    guard hasMetDamage, let tolerant else { return false }
    if received == nil { received = try tolerant.receivedTimes() }
    return received?[id] != nil
  }

  private mutating func receipt(_ id: ObjectID) throws -> Receipt? {
    let found: StoredObject?
    do throws(StoreError) {
      found = try objects?.read(id, &workspace)
    } catch {
      guard tolerant != nil, UnreadableNode.finding(error) != nil else { throw error }
      hasMetDamage = true
      return nil
    }
    guard let found, found.kind == .receipt else {
      hasMetDamage = hasMetDamage || found == nil
      return nil
    }
    return decoder.decode(found)
  }
}

extension Repository {
  /// The name of the ref that holds the heads of the chain of a receipt; `nil` for one that is not here, or cannot be read.
  package func chainName(of id: ObjectID) throws -> RefName? {
    guard let object = try? objects.read(id), object.kind == .receipt else { return nil }
    var decoder = ReceiptDecoder()
    return decoder.decode(object).map { .receipts(of: $0.root) }
  }
}

extension RefName {
  /// The name of the ref that holds the heads of a chain.
  ///
  /// - Parameter root: the first receipt of the chain.
  /// - Returns: `receipts/` and the 64 digits of its id.
  package static func receipts(of root: ObjectID) -> RefName {
    let text = root.text.dropFirst(ObjectID.prefixCount)
    guard let name = RefName("\(ObjectKind.receipt.headsFolder ?? "")/\(text)") else {
      preconditionFailure("BUG: a receipt's id is no ref name")
    }
    return name
  }
}
