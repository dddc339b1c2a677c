// The devices that a history has names for: the reserved schema `redo.devices` (schemas, section 4), in which each field is a
// device. That a device is revoked informs people; no validity, access or merge depends on it.

internal import CanonicalJSON
package import RedoObject

/// The devices that somebody named, revoked or forgot.
package struct DeviceRegistry: Sendable {
  /// A device of the registry, as it says.
  package struct Device: Equatable, Sendable {
    /// Its id.
    package let id: UniqueID
    /// Its name; an empty one says nothing.
    package let name: String
    /// Whether somebody revoked it.
    package let isRevoked: Bool
    /// Whether lists leave it out.
    package let isForgotten: Bool
    /// How objects name it, if that is no UUID.
    package let deviceID: String?
  }

  /// The devices by their ids.
  package let devices: [UniqueID: Device]

  /// The registry of a history.
  ///
  /// - Parameter definition: that of `redo.devices`; `nil` for a history that has none.
  package init(_ definition: SchemaDefinition?) {
    let fields = definition?.fields.filter { $0.pair.type == .string } ?? []
    devices = Dictionary(
      fields.map { ($0.pair.id, Device($0)) }, uniquingKeysWith: { first, _ in first })
  }
}

extension DeviceRegistry.Device {
  fileprivate init(_ field: SchemaField) {
    id = field.pair.id
    name = field.displayName.text
    isForgotten = field.visibility == .hidden
    guard let others = field.others, let document = try? JSONDocument(others) else {
      isRevoked = false
      deviceID = nil
      return
    }
    isRevoked = document.root["revoked"]?.boolean ?? false
    deviceID = document.root["deviceId"]?.string
  }
}

extension SchemaField {
  /// Sets a member of those that the form of fields does not name.
  ///
  /// - Parameters:
  ///   - name: the member, ASCII without what JSON escapes.
  ///   - value: its value in JSON; `nil` takes it away.
  mutating func setOther(_ name: StaticString, _ value: [UInt8]?) {
    var members: [[UInt8]] = []
    if let others, let document = try? JSONDocument(others) {
      var cursor = document.root.members
      while let member = cursor.next() {
        if member.name.isText(name) { continue }
        members.append(member.name.bytes + [UInt8(ascii: ":")] + member.value.bytes)
      }
    }
    if let value { members.append(Array("\"\(name)\":".utf8) + value) }
    let text = Array("{".utf8) + members.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
    others = members.isEmpty ? nil : (try? JSONDocument(text))?.canonical
  }
}
