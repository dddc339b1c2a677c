// The key that a device signs with (receipts, section 1.5): the one that the trust file pins, otherwise that of its local row,
// otherwise that of its only card. A card counts if it is signed with the key that it names.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// The keys that local rows pin.
package struct DeviceRows: Sendable {
  /// The keys.
  package var keys: [DeviceName: PublicKey] = [:]
  /// Whether all rows could be read: otherwise any device may be pinned to a key that is not known.
  package var isWhole = true

  /// No rows.
  package init() {}

  /// Adds keys of devices that have none.
  package mutating func add(_ keys: [DeviceName: PublicKey]) {
    self.keys.merge(keys) { known, _ in known }
  }
}

/// The public keys of devices.
package struct DeviceKeys: Sendable {
  private enum Card: Sendable {
    case one(PublicKey)
    case several
  }

  private var cards: [DeviceName: Card] = [:]
  private let trust: TrustList?
  private var rows: DeviceRows

  /// - Parameters:
  ///   - trust: the trust file, whose pins take precedence over rows and cards.
  ///   - rows: the keys of local rows, which take precedence over cards; where not all can be read, no card counts.
  package init(_ trust: TrustList?, rows: DeviceRows = DeviceRows()) {
    self.trust = trust
    self.rows = rows
  }

  /// Notes a card.
  ///
  /// - Returns: whether its device has a second key now.
  @discardableResult
  package mutating func note(_ receipt: Receipt) -> Bool {
    guard let key = receipt.card, let device = receipt.device, receipt.verify(key: key).isGood
    else { return false }
    switch cards[device] {
    case nil: cards[device] = .one(key)
    case .one(let known) where known != key:
      cards[device] = .several
      return true
    case .one: break
    case .several: return true
    }
    return false
  }

  /// Pins keys that are about to become rows; those of rows that are there stay.
  package mutating func pin(_ keys: [DeviceName: PublicKey]) { rows.add(keys) }

  /// The key that is pinned for the device of a receipt.
  package func pin(of receipt: Receipt) -> PublicKey? { receipt.device.flatMap { pin(of: $0) } }

  /// The key that the trust file pins for a device, otherwise that of its row.
  package func pin(of device: DeviceName) -> PublicKey? {
    trust?.key(of: device) ?? rows.keys[device]
  }

  /// The key of the device of a receipt; `nil` when it is not known, or cards disagree and nothing pins one.
  package func key(of receipt: Receipt) -> PublicKey? {
    receipt.device.flatMap { key(of: $0) }
  }

  /// The key of a device, as for a receipt of it.
  package func key(of device: DeviceName) -> PublicKey? {
    if let key = pin(of: device) { return key }
    if rows.isWhole, case .one(let key) = cards[device] { return key }
    return nil
  }

  /// Notes the cards of a store.
  ///
  /// It reads every object, so it is done only when a signed receipt arrives whose key is not pinned.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - known: frames whose cards have been noted.
  /// - Throws: `system` when the store cannot be read.
  package mutating func noteAll(
    in store: ObjectStore, except known: Set<ObjectPart.FrameName> = []
  ) throws(StoreError) {
    for card in try Self.cards(in: store, except: known) { note(card) }
  }

  /// The receipts of a store that are cards, whoever signed them; in the order of reading.
  static func cards(
    in store: ObjectStore, except known: Set<ObjectPart.FrameName> = []
  ) throws(StoreError) -> [Receipt] {
    var cards: [Receipt] = []
    _ = try ObjectScan.forEach(store, except: known, makeState: { LooseStore.Workspace() }) {
      workspace, part -> [Receipt] in
      var decoder = ReceiptDecoder()
      var found: [Receipt] = []
      // An object that cannot be read is reported by the caller that needs the object itself.
      try? store.read(part, &workspace) { item in
        guard case .object(let object, _) = item, object.kind == .receipt,
          Receipt.mayBeCard(object.canonical.span), let receipt = decoder.decode(object),
          receipt.card != nil
        else { return }
        found.append(receipt)
      }
      return found
    } _: {
      cards += $0
    }
    return cards
  }
}
