// Devices: what the registry knows of them, what objects say, what they are called, and what is said of fields they made.

import RedoHistory
import RedoObject
import Testing

@Suite("Devices of a history")
struct DeviceTests {
  private static func uuid(_ text: String) -> UniqueID {
    guard let id = UniqueID(Array(text.utf8).span) else { preconditionFailure("no UUID: \(text)") }
    return id
  }

  private static let iPad = uuid("aaaaaaaa-0000-4000-8000-000000000001")
  private static let iPhone = uuid("bbbbbbbb-0000-4000-8000-000000000002")
  private static let ada = UserID(bytes: InlineArray(repeating: 0xAD))
  private static let ben = UserID(bytes: InlineArray(repeating: 0xBE))

  private static func time(_ text: String) throws -> WallTime {
    let read = WallTime.parse(Array("\(text)T10:00:00.000Z".utf8).span)
    return try #require(read).time
  }

  private func applied(
    _ request: DeviceRequest, _ heads: [SchemaDefinition], on date: String = "2026-01-03"
  ) throws -> SchemaDefinition {
    let edited = try request.apply(to: heads, by: Self.iPad, now: try Self.time(date))
    #expect(edited.change.source == .manual)
    guard case .success(let read) = SchemaDefinition.read(try #require(edited.definition).canonical)
    else { throw Unreadable() }
    #expect(read == edited.definition)
    #expect(heads.allSatisfy { $0.isContained(in: read) })
    return read
  }

  private struct Unreadable: Error {}

  private let subject = DeviceRequest.Subject(id: iPhone, name: "iPhone")

  @Test("the first edit begins the registry")
  func begins() throws {
    let made = try applied(.name(subject, ByteText("Ada's phone")), [])
    #expect(
      String(decoding: made.canonical, as: UTF8.self) == """
        {"displayName":"Devices","fields":[{"capitalizationMode":"sentences",\
        "createdAt":"2026-01-03T10:00:00.000Z","createdBy":"aaaaaaaa-0000-4000-8000-000000000001",\
        "displayName":"Ada's phone","displayOrder":1,"fieldType":"string",\
        "id":"bbbbbbbb-0000-4000-8000-000000000002","isMultiline":false,"isRequired":false,\
        "updatedAt":"2026-01-03T10:00:00.000Z","updatedBy":"aaaaaaaa-0000-4000-8000-000000000001",\
        "validationRules":[],"visibility":"active"}],"iconSystemName":"desktopcomputer",\
        "id":"redo.devices","isBuiltIn":false,"keys":[],"version":{"counter":1,\
        "deviceId":"aaaaaaaa-0000-4000-8000-000000000001","timestamp":"2026-01-03T10:00:00.000Z"}}
        """)
    let device = try #require(DeviceRegistry(made).devices[Self.iPhone])
    #expect(device.name == "Ada's phone" && !device.isRevoked && !device.isForgotten)
  }

  @Test("revoked and forgotten, and restored from both")
  func states() throws {
    func state(_ definition: SchemaDefinition) -> [Bool?] {
      let device = DeviceRegistry(definition).devices[Self.iPhone]
      return [device?.isRevoked, device?.isForgotten]
    }
    let revoked = try applied(.revoke(subject), [])
    #expect(state(revoked) == [true, false])
    #expect(revoked.fields[0].others == Array("{\"revoked\":true}".utf8))
    #expect(revoked.fields[0].displayName == ByteText("iPhone"))
    let both = try applied(.forget(subject), [revoked])
    #expect(state(both) == [true, true])
    let restored = try applied(.restore(subject), [both])
    #expect(state(restored) == [false, false] && restored.fields[0].others == nil)
    let named = try applied(.name(subject, ByteText("x")), [both])
    #expect(
      state(named) == [true, true] && DeviceRegistry(named).devices[Self.iPhone]?.name == "x")
    // Nothing changes, nothing is written.
    for (request, heads) in [
      (.restore(subject), []), (.restore(subject), [restored]), (.revoke(subject), [revoked]),
    ] as [(DeviceRequest, [SchemaDefinition])] {
      let edited = try request.apply(to: heads, by: Self.iPad, now: try Self.time("2026-02-02"))
      #expect(edited.definition == nil)
    }
    let second = DeviceRequest.Subject(id: Self.iPad, name: "")
    let more = try applied(.revoke(second), [restored])
    #expect(more.fields.map(\.displayName.text) == ["iPhone", "aaaaaaaa"])
    #expect(more.fields.map(\.displayOrder) == [1, 2])
  }

  @Test("a device whose name is no UUID has its own, and other members stay")
  func text() throws {
    let id = Schema.device("kitchen \"1\"", of: Self.ada)
    let named = DeviceRequest.Subject(id: id, name: "Kitchen", deviceID: "kitchen \"1\"")
    let revoked = try applied(.revoke(named), [])
    #expect(
      revoked.fields[0].others == Array(#"{"deviceId":"kitchen \"1\"","revoked":true}"#.utf8))
    let device = DeviceRegistry(revoked).devices[id]
    #expect(device?.deviceID == "kitchen \"1\"" && device?.isRevoked == true)
    let restored = try applied(.restore(named), [revoked])
    #expect(restored.fields[0].others == Array(#"{"deviceId":"kitchen \"1\""}"#.utf8))
  }

  @Test("what an edit of the registry may not be, and what it warns of")
  func refusals() throws {
    for name in ["", String(repeating: "a", count: 501)] {
      #expect(throws: SchemaFault.self) {
        try DeviceRequest.name(subject, ByteText(name)).apply(
          to: [], by: Self.iPad, now: WallTime(milliseconds: 0))
      }
    }
    let long = DeviceRequest.Subject(id: Self.iPhone, name: String(repeating: "a", count: 501))
    #expect(try applied(.revoke(long), []).fields[0].displayName == ByteText("bbbbbbbb"))
    // Of a new name and a revocation at one time one is lost, and told.
    let base = try applied(.name(subject, ByteText("a")), [])
    let renamed = try applied(.name(subject, ByteText("b")), [base], on: "2026-01-04")
    let revoked = try applied(.revoke(subject), [base], on: "2026-01-05")
    let third = DeviceRequest.Subject(id: Self.iPad, name: "iPad")
    let joined = try DeviceRequest.forget(third).apply(
      to: [renamed, revoked], by: Self.iPad, now: try Self.time("2026-01-06"),
      base: { _, _ in base })
    #expect(joined.warnings.map(\.rule) == [.schemaFieldDiverged])
    #expect(joined.warnings.map(\.detail) == ["a"])
    // Two devices may be called the same.
    let same = try DeviceRequest.name(third, ByteText("a")).apply(
      to: [base], by: Self.iPad, now: try Self.time("2026-01-06"))
    #expect(same.warnings == [] && same.definition?.fields.count == 2)
  }

  @Test("a field of another type is no device, and a flag of another type is none")
  func strange() throws {
    var number = SchemaField(FieldPair(Self.iPad, .int), displayName: ByteText("n"))
    number.others = Array("{\"revoked\":true}".utf8)
    var said = SchemaField(FieldPair(Self.iPhone, .string), displayName: ByteText(""))
    said.others = Array("{\"deviceId\":1,\"revoked\":\"true\"}".utf8)
    let base = try applied(.revoke(subject), [])
    let definition = SchemaDefinition(
      .devices, base.metadata, isBuiltIn: false, version: base.version, fields: [number, said],
      keys: [])
    let known = DeviceRegistry(definition)
    #expect(known.devices.count == 1)
    #expect(known.devices[Self.iPhone]?.isRevoked == false)
    #expect(known.devices[Self.iPhone]?.deviceID == nil)
    #expect(DeviceRegistry(nil).devices.isEmpty)
    #expect(DeviceList(known, DeviceSightings()).devices.map(\.name) == ["bbbbbbbb"])
  }

  // MARK: Lists

  /// What a list shows of a device.
  private func columns(_ device: DeviceList.Device) -> [String] {
    [
      device.id.text, device.name, device.seen?.firstSeen.text ?? "-",
      device.seen?.lastSeen.text ?? "-", "\(device.seen?.objectCount ?? 0)", device.mark ?? "-",
    ]
  }

  @Test("what objects say of devices, joined to the registry")
  func list() throws {
    var seen = DeviceSightings()
    let pad = Self.iPad.text
    for (id, user, name, date) in [
      (pad, Self.ada, "iPad", "2026-01-03"), (pad.uppercased(), Self.ada, nil, "2026-01-09"),
      (pad, Self.ben, "Old iPad", "2026-01-01"), (pad, Self.ada, "", "2026-01-08"),
      ("kitchen", Self.ada, "Kitchen", "2026-01-02"), ("kitchen", Self.ben, nil, "2026-01-04"),
    ] as [(String, UserID, String?, String)] {
      seen.note(id, of: user, name: name, at: try Self.time(date))
    }
    let registry = try applied(
      .forget(DeviceRequest.Subject(id: Self.iPad, name: "")),
      [try applied(.revoke(subject), [])])
    let list = DeviceList(DeviceRegistry(registry), seen)
    let (ada, ben) = (
      Schema.device("kitchen", of: Self.ada), Schema.device("kitchen", of: Self.ben)
    )
    let rows = [
      [pad, "aaaaaaaa", "2026-01-01T10:00:00.000Z", "2026-01-09T10:00:00.000Z", "4", "forgotten"],
      [Self.iPhone.text, "iPhone", "-", "-", "0", "revoked"],
      [ada.text, "Kitchen", "2026-01-02T10:00:00.000Z", "2026-01-02T10:00:00.000Z", "1", "-"],
      [
        ben.text, String(ben.text.prefix(8)), "2026-01-04T10:00:00.000Z",
        "2026-01-04T10:00:00.000Z", "1", "-",
      ],
    ]
    #expect(list.devices.map(columns) == rows.sorted { $0[0] < $1[0] })
    #expect(list.device(Self.iPad)?.seen?.userIDs == [Self.ada, Self.ben])
    #expect(list.device(ada)?.subject.deviceID == "kitchen")
    #expect(DeviceList(DeviceRegistry(nil), seen).name(of: Self.iPad) == "iPad")
    #expect(list.name(of: Self.uuid("cccccccc-0000-4000-8000-000000000003")) == "cccccccc")
    // Of two names at one instant the larger one, whichever comes first.
    for names in [["a", "b"], ["b", "a"]] {
      var seen = DeviceSightings()
      for name in names { seen.note(pad, of: Self.ada, name: name, at: WallTime(milliseconds: 0)) }
      #expect(seen.devices[Self.iPad]?.name == "b")
    }

    #expect(list.lookUp(pad.uppercased()) == .found(Self.iPad))
    #expect(list.lookUp("cccccccc-0000-4000-8000-000000000003") == .none)
    #expect(list.lookUp("kitchen") == .ambiguous([ada, ben].sorted()))
    #expect(list.lookUp("Kitchen") == .found(ada))
    #expect(list.lookUp("BBBB") == .found(Self.iPhone))
    #expect(list.lookUp("bbb") == .none && list.lookUp("nobody") == .none)
  }

  // MARK: Provenance

  @Test("who created a field, and who changed it")
  func provenance() throws {
    let registry = try applied(
      .revoke(DeviceRequest.Subject(id: Self.iPad, name: "iPad")),
      [try applied(.name(subject, ByteText("iPhone")), [])])
    let revoked = DeviceList(DeviceRegistry(registry), DeviceSightings())
    let restored = DeviceList(
      DeviceRegistry(
        try applied(.restore(DeviceRequest.Subject(id: Self.iPad, name: "iPad")), [registry])),
      DeviceSightings())
    func stamp(_ device: UniqueID, _ date: String) throws -> FieldStamp {
      FieldStamp(by: device, at: date.isEmpty ? .earliest : try Self.time(date))
    }
    func text(
      _ created: (UniqueID, String), _ updated: (UniqueID, String), now: String = "2026-11-28",
      _ devices: DeviceList
    ) throws -> String {
      var field = SchemaField(FieldPair(.zero, .int), displayName: ByteText("x"))
      field.created = try stamp(created.0, created.1)
      field.updated = try stamp(updated.0, updated.1)
      return FieldProvenance(devices, now: try Self.time(now)).text(of: field)
    }
    let made = (Self.iPad, "2026-01-02")
    #expect(try text(made, (Self.iPad, "2026-05-05"), restored) == "Created by iPad on Jan 2")
    #expect(
      try text(made, made, now: "2027-01-01", restored) == "Created by iPad on Jan 2, 2026")
    #expect(try text(made, made, revoked) == "Created by iPad (revoked) on Jan 2")
    #expect(
      try text(made, (Self.iPhone, "2026-01-03"), restored)
        == "Created by iPad on Jan 2, changed by iPhone on Jan 3")
    #expect(
      try text((Self.iPhone, "2025-12-31"), (Self.iPad, "2026-01-03"), revoked)
        == "Created by iPhone on Dec 31, 2025, changed by iPad (revoked) on Jan 3")
    #expect(try text((.zero, "2026-01-02"), (.zero, "2026-01-02"), restored) == "Created on Jan 2")
    #expect(try text((.zero, ""), (.zero, ""), restored) == "Built in")
    #expect(
      try text((.zero, ""), (Self.iPhone, "2024-02-29"), restored)
        == "Built in, changed by iPhone on Feb 29, 2024")
    #expect(
      try text(made, (.zero, "2026-01-04"), restored)
        == "Created by iPad on Jan 2, changed on Jan 4")
    #expect(try text(made, (.zero, ""), restored) == "Created by iPad on Jan 2")
    #expect(try text((Self.iPad, ""), (Self.iPad, ""), restored) == "Created by iPad")
    let unknown = Self.uuid("cccccccc-0000-4000-8000-000000000003")
    #expect(
      try text((unknown, "1969-12-31"), (unknown, "1969-12-31"), restored)
        == "Created by cccccccc on Dec 31, 1969")
  }
}
