// The devices of a history (schemas, section 4): those of its registry, and those that objects name. When a device was seen and
// how often is derived from objects, and never stored: it is what they claim.

package import RedoObject

/// What objects say of devices.
package struct DeviceSightings: Sendable {
  /// What objects say of one device.
  package struct Device: Equatable, Sendable {
    /// The least time of its objects.
    package fileprivate(set) var firstSeen: WallTime
    /// The greatest time of its objects.
    package fileprivate(set) var lastSeen: WallTime
    /// How many objects it has made.
    package fileprivate(set) var objectCount = 0
    /// Who has used it.
    package fileprivate(set) var userIDs: Set<UserID> = []
    /// The name that its last object with one gives it.
    package fileprivate(set) var name: String?
    /// How objects name it, if that is no UUID.
    package fileprivate(set) var deviceID: String?
    fileprivate var named: WallTime?
  }

  private struct Named: Hashable {
    let deviceID: String
    let userID: UserID
  }

  /// The devices by their ids.
  package private(set) var devices: [UniqueID: Device] = [:]
  private var ids: [Named: UniqueID] = [:]

  /// Nothing seen yet.
  package init() {}

  /// Takes in one object, a node or a schema.
  ///
  /// - Parameters:
  ///   - deviceID: the device, as the object names it.
  ///   - userID: its author.
  ///   - name: the device, for people.
  ///   - time: when it was made, or received, as the caller wants to know.
  package mutating func note(
    _ deviceID: String, of userID: UserID, name: String?, at time: WallTime
  ) {
    let key = Named(deviceID: deviceID, userID: userID)
    let id = ids[key] ?? Schema.device(deviceID, of: userID)
    ids[key] = id
    var device = devices.removeValue(forKey: id) ?? Device(firstSeen: time, lastSeen: time)
    device.firstSeen = min(device.firstSeen, time)
    device.lastSeen = max(device.lastSeen, time)
    device.objectCount += 1
    device.userIDs.insert(userID)
    if UniqueID(Array(deviceID.utf8).span) == nil { device.deviceID = deviceID }
    if let name, !name.isEmpty {
      // Of two at one instant the one with the larger bytes, whichever comes first.
      let known = (device.named ?? time, ByteText(device.name ?? ""))
      if (time, ByteText(name)) >= known { (device.named, device.name) = (time, name) }
    }
    devices[id] = device
  }
}

/// The devices of a history as people see them.
package struct DeviceList: Sendable {
  /// A device.
  package struct Device: Equatable, Sendable {
    /// Its id.
    package let id: UniqueID
    /// What the registry knows of it.
    package let registered: DeviceRegistry.Device?
    /// What objects say of it.
    package let seen: DeviceSightings.Device?

    /// Its name: that of the registry, else that of its last object, else the first digits of its id.
    package var name: String {
      if let name = registered?.name, !name.isEmpty { return name }
      return seen?.name ?? DeviceList.digits(of: id)
    }

    /// Whether somebody revoked it.
    package var isRevoked: Bool { registered?.isRevoked ?? false }

    /// Whether lists leave it out.
    package var isForgotten: Bool { registered?.isForgotten ?? false }

    /// How objects name it, if that is no UUID.
    package var deviceID: String? { registered?.deviceID ?? seen?.deviceID }

    /// The device as an edit of the registry names it.
    package var subject: DeviceRequest.Subject {
      DeviceRequest.Subject(id: id, name: name, deviceID: deviceID)
    }

    /// `revoked`, `forgotten`, or nothing.
    package var mark: String? { isRevoked ? "revoked" : isForgotten ? "forgotten" : nil }
  }

  /// All of them, by their ids.
  package let devices: [Device]
  private let places: [UniqueID: Int]

  /// The devices that a registry or objects know.
  package init(_ known: DeviceRegistry, _ sightings: DeviceSightings) {
    let ids = Set(known.devices.keys).union(sightings.devices.keys)
    devices = ids.sorted().map {
      Device(id: $0, registered: known.devices[$0], seen: sightings.devices[$0])
    }
    places = Dictionary(
      devices.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The first 8 digits of an id.
  static func digits(of id: UniqueID) -> String { String(id.text.prefix(8)) }

  /// A device; `nil` for one that nothing knows.
  package func device(_ id: UniqueID) -> Device? { places[id].map { devices[$0] } }

  /// A device of which nothing is known but its id.
  package static func unknown(_ id: UniqueID) -> Device {
    Device(id: id, registered: nil, seen: nil)
  }

  /// What a device is called.
  package func name(of id: UniqueID) -> String { device(id)?.name ?? Self.digits(of: id) }

  /// The device that a text means.
  ///
  /// - Parameter text: a UUID of either case, else what objects name it by, else its name, else the first digits of its id.
  /// - Returns: a device of the list, if there is one.
  package func lookUp(_ text: String) -> SchemaLookup {
    let utf8 = Array(text.utf8)
    if let id = UniqueID(utf8.span) { return device(id) == nil ? .none : .found(id) }
    for isMeant: (Device) -> Bool in [
      { Array(($0.deviceID ?? "").utf8) == utf8 }, { Array($0.name.utf8) == utf8 },
    ] {
      let found = SchemaLookup(devices.filter(isMeant).map(\.id))
      if found != .none { return found }
    }
    return SchemaLookup(digits: ByteText(text), among: devices.lazy.map(\.id))
  }
}
