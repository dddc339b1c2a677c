// Which devices somebody means, in the history and in the local rows.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// What keeps devices from being found.
package enum DeviceFault: Fault, Equatable {
  /// No device has this name.
  case unknown(String)
  /// Several devices have this name, by their ids.
  case ambiguous(String, [UniqueID])

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .unknown: .missing
    case .ambiguous: .invalid
    }
  }

  /// The name.
  package var subject: String? {
    switch self {
    case .unknown(let text), .ambiguous(let text, _): text
    }
  }
}

/// Devices that are to be revoked, all found before anything is written.
package struct DeviceRevocation: Sendable {
  /// Those of which the registry is to say so.
  package fileprivate(set) var devices: [DeviceList.Device] = []
  /// Those for which no key is to be wrapped any more, as local rows name them.
  package fileprivate(set) var wraps: [String] = []
  /// The names of those for which none is wrapped.
  package fileprivate(set) var unwrapped: [String] = []

  /// What is asked of the list of devices.
  package var requests: [DeviceRequest] { devices.map { .revoke($0.subject) } }
}

extension Repository {
  /// The device that somebody means.
  ///
  /// - Parameters:
  ///   - text: as `DeviceList.lookUp` has it, or the id of this device, which may have a name before it has made anything.
  ///   - list: the devices of the history.
  /// - Returns: the device.
  /// - Throws: `DeviceFault`; `KeyringError` when it cannot be told which device this is.
  package func device(_ text: String, in list: DeviceList) throws -> DeviceList.Device {
    switch list.lookUp(text) {
    case .found(let id):
      guard let device = list.device(id) else {
        preconditionFailure("BUG: a device that was found is not there")
      }
      return device
    case .ambiguous(let ids): throw DeviceFault.ambiguous(text, ids)
    case .none:
      if let id = UniqueID(Array(text.utf8).span),
        try DeviceID.find(self, try keyring(), makes: false)?.lowercased() == id.text
      {
        return DeviceList.unknown(id)
      }
      throw DeviceFault.unknown(text)
    }
  }

  /// Finds devices that are to be revoked.
  ///
  /// - Parameters:
  ///   - texts: name them.
  ///   - endsWraps: whether no key is to be wrapped for them any more either; then a text may also name a local row,
  ///     and one that does means what is noted there, not an id that begins with it.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: what is to be written.
  /// - Throws: `DeviceFault` when one is not found; as `devices` and `localRows`.
  package func revocation(
    of texts: [String], endsWraps: Bool, _ effects: Effects
  ) throws -> DeviceRevocation {
    let list = try devices(effects)
    var revocation = DeviceRevocation()
    guard endsWraps else {
      revocation.devices = try texts.map { text throws in try device(text, in: list) }
      return revocation
    }
    let rows = Set(try localRows().rows(of: .devices).map(\.key.text))
    for text in texts {
      let meant =
        if rows.contains(text) {
          list.devices.first { $0.deviceID == text || $0.id.text == text }
        } else {
          list.lookUp(text) == .none ? nil : try device(text, in: list)
        }
      if let meant { revocation.devices.append(meant) }
      let names = [text, meant?.deviceID, meant?.id.text].compactMap(\.self)
      if let name = names.first(where: rows.contains) {
        revocation.wraps.append(name)
      } else if meant == nil {
        throw DeviceFault.unknown(text)
      } else {
        revocation.unwrapped.append(text)
      }
    }
    return revocation
  }
}
