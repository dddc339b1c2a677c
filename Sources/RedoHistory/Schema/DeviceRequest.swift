// What somebody asks of the registry of devices (schemas, section 4). A device that is not in it yet is entered by what changes
// something about it.

internal import CanonicalJSON
package import RedoObject

/// An edit of the registry of devices.
package enum DeviceRequest: SchemaAsked, Equatable {
  /// The device that an edit is about, as it is known so far.
  package struct Subject: Equatable, Sendable {
    /// Its id.
    package let id: UniqueID
    /// What it is called so far.
    package let name: String
    /// How objects name it, if that is no UUID.
    package let deviceID: String?

    /// A device by what is known of it.
    package init(id: UniqueID, name: String, deviceID: String? = nil) {
      self.id = id
      self.name = name
      self.deviceID = deviceID
    }
  }

  /// Gives it a name.
  case name(Subject, ByteText)
  /// Says that it is revoked.
  case revoke(Subject)
  /// Says that it is neither revoked nor forgotten.
  case restore(Subject)
  /// Leaves it out of lists.
  case forget(Subject)

  /// The device.
  private var subject: Subject {
    switch self {
    case .name(let subject, _), .revoke(let subject), .restore(let subject), .forget(let subject):
      subject
    }
  }

  /// What the object says led to it.
  package var change: Schema.Change {
    switch self {
    case .name: Schema.Change("device-name", .manual)
    case .revoke: Schema.Change("device-revoke", .manual)
    case .restore: Schema.Change("device-restore", .manual)
    case .forget: Schema.Change("device-forget", .manual)
    }
  }

  /// Applies the request.
  ///
  /// - Parameters:
  ///   - heads: the definitions of the heads of `redo.devices`; none before the first edit.
  ///   - device: the device that edits.
  ///   - now: its clock.
  ///   - base: what two heads, by their places, have in common, as for other edits.
  /// - Returns: the next definition, if anything changes.
  /// - Throws: `SchemaFault`.
  package func apply(
    to heads: [SchemaDefinition], by device: UniqueID, now: WallTime,
    base: (Int, Int) -> SchemaDefinition? = { _, _ in nil }
  ) throws(SchemaFault) -> SchemaEdited {
    if case .name(_, let name) = self, !(1...SchemaLimit.nameByteCount ~= name.utf8.count) {
      throw refused(.schemaLimit, "/fields/-/displayName", "a name of \(name.utf8.count) bytes")
    }
    let pair = FieldPair(subject.id, .string)
    let definition: SchemaDefinition?
    if heads.isEmpty {
      let metadata = SchemaDefinition.Metadata(
        displayName: ByteText("Devices"), iconSystemName: ByteText("desktopcomputer"))
      definition =
        if let field = entered(pair) {
          try SchemaDefinition.begun(.devices, metadata, by: device, now: now, fields: [field])
        } else {
          nil
        }
    } else {
      guard var edit = SchemaEdit(heads, by: device, now: now) else {
        throw refused(.schemaClockRange, "/version/timestamp")
      }
      if !edit.change(pair, set), let field = entered(pair) {
        guard edit.base.fields.count < SchemaLimit.fieldCount else {
          throw refused(.schemaLimit, "/fields/-", "\(edit.base.fields.count) devices are here")
        }
        _ = edit.add(field, hasPlace: false)
      }
      definition = edit.result
    }
    return try SchemaEdited(definition, after: heads, change, field: subject.id, base: base)
  }

  private func refused(_ rule: Rule, _ pointer: String, _ detail: String = "") -> SchemaFault {
    .refused([Finding(rule, at: .pointer(pointer), detail: detail)])
  }

  /// The field of a device that is not in the registry yet; `nil` when nothing has to be said of it.
  private func entered(_ pair: FieldPair) -> SchemaField? {
    if case .restore = self { return nil }
    // A name that came with an object may be anything.
    let isName = 1...SchemaLimit.nameByteCount ~= subject.name.utf8.count
    var field = SchemaField(
      pair, displayName: ByteText(isName ? subject.name : DeviceList.digits(of: pair.id)))
    field.displayOrder = 1
    if let deviceID = subject.deviceID {
      var json: [UInt8] = []
      JSONWriter.appendString(deviceID, to: &json)
      field.setOther("deviceId", json)
    }
    set(&field)
    return field
  }

  private func set(_ field: inout SchemaField) {
    switch self {
    case .name(_, let name): field.displayName = name
    case .revoke: field.setOther("revoked", Array("true".utf8))
    case .restore:
      field.setOther("revoked", nil)
      field.visibility = .active
    case .forget: field.visibility = .hidden
    }
  }
}
