// Of several copies of an object, the one with the better signature is kept (protocol, section 1.1).

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// Chooses among the copies of one object after another.
package struct CopyChooser: ~Copyable {
  private let trust: TrustList?
  private let store: ObjectStore
  private let rows: DeviceRows
  private var decoder = NodeDecoder()
  /// The keys of devices, read when the first copies of a receipt differ.
  private var devices: DeviceKeys?
  private var best: StoredObject?
  /// Whether copies of some object had different signatures, so that a different one may be read from now on.
  private(set) var hasRivals = false

  /// - Parameters:
  ///   - trust: the keys of users and devices whose objects do not carry them.
  ///   - store: where cards of devices are looked for.
  ///   - rows: the keys of devices that local rows pin.
  package init(
    _ trust: TrustList?, _ store: ObjectStore, rows: DeviceRows = DeviceRows()
  ) {
    self.trust = trust
    self.rows = rows
    self.store = store
  }

  /// Takes the next copy of the object; the copy that reads prefer comes first.
  package mutating func take(_ copy: StoredObject?) {
    guard let copy else { return }
    guard let kept = best else {
      best = copy
      return
    }
    guard kept.signature != copy.signature else { return }
    hasRivals = true
    let key = key(of: kept)
    // If the key is unknown, a good signature may not be told from another one: the copy that reads prefer stays.
    if key == nil, kept.signature != nil { return }
    if SignatureChoice.between(
      stored: kept.signature, arriving: copy.signature, of: kept, key: key) == .take
    {
      best = copy
    }
  }

  private mutating func key(of object: StoredObject) -> PublicKey? {
    if let node = decoder.decode(object) {
      return node.publicKey ?? trust?.key(of: node.userID)
    }
    var places = PlaceDecoder()
    let grouped = places.grouped(object)
    if let schema = grouped?.schema { return schema.publicKey }
    guard let receipt = grouped?.receipt else { return nil }
    if devices == nil {
      let pins = DeviceKeys(trust, rows: rows)
      var keys = pins
      // Where not all cards can be read, none counts as the only one of its device.
      do throws(StoreError) { try keys.noteAll(in: store) } catch { keys = pins }
      devices = keys
    }
    return devices?.key(of: receipt)
  }

  /// The copy that is kept; the next one belongs to another object.
  package mutating func finish() -> StoredObject? {
    defer { best = nil }
    return best
  }
}
