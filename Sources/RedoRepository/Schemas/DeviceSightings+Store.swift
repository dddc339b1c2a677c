// The devices that the objects of a store name: its nodes and its schemas. Receipts have devices of their own, whose keys are pinned.

internal import CanonicalJSON
package import RedoHistory
internal import RedoObject
internal import RedoStore

extension Repository {
  /// The devices of the history, as the registry and the objects know them.
  ///
  /// It reads every node and every schema.
  ///
  /// - Parameters:
  ///   - usesReceived: whether this store's times of receipt count, and not those that objects claim.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: the devices.
  /// - Throws: `RefsError` when refs cannot be read; `HistoryFault` or `StoreError` when an object is missing or corrupt.
  package func devices(usesReceived: Bool = false, _ effects: Effects) throws -> DeviceList {
    struct Seen: Sendable {
      let id: ObjectID
      let device: String
      let user: UserID
      let name: String?
      let wall: WallTime
    }
    let times = usesReceived ? try receivedTimes() : [:]
    var sightings = DeviceSightings()
    func note(_ seen: Seen) {
      let time = times[seen.id].map { WallTime(milliseconds: $0) } ?? seen.wall
      sightings.note(seen.device, of: seen.user, name: seen.name, at: time)
    }
    var snapshot = try snapshot()
    let nodes = try HistoryWalk.order(from: HistoryLoad.heads(&snapshot), objects)
    try HistoryWalk.forEach(nodes, objects) { object, reader throws -> Seen in
      guard let node = reader.decode(object) else { throw HistoryFault.invalid(object) }
      func text(_ text: Node.Text) -> String? {
        node.escapedText(text).map {
          String(decoding: StringEscape.unescape(Array($0).span), as: UTF8.self)
        }
      }
      return Seen(
        id: node.id, device: text(.deviceID) ?? "", user: node.userID, name: text(.deviceName),
        wall: node.wall)
    } _: { seen throws in
      note(seen)
    }
    for schema in try SchemaHistory(from: heads(of: .schema).ids, objects).objects {
      note(
        Seen(
          id: schema.id, device: schema.deviceID, user: schema.userID, name: schema.deviceName,
          wall: schema.wall))
    }
    let registry = DeviceRegistry(try schema(.devices)?.definition)
    return DeviceList(registry, sightings)
  }
}
