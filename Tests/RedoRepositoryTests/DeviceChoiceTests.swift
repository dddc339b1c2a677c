// Devices that somebody names: found in the history and in local rows, all of them before anything is written.

import RedoCrypto
import RedoHistory
import RedoObject
import Testing

@testable import RedoRepository

@Suite("Devices that somebody names")
struct DeviceChoiceTests {
  /// A store in which two devices were named.
  private static func store() throws -> (SmallStore, UniqueID, UniqueID) {
    let store = try SmallStore()
    try store.commit(SmallStore.create("a"))
    let writer = try SchemaWriter(store.opened, SchemaWriter.Options(), store.effects)
    let other = try id("bbbbbbbb-0000-4000-8000-000000000001")
    let subjects = [writer.device, other].map { DeviceRequest.Subject(id: $0, name: "x") }
    let outcome = try writer.make(
      [
        DeviceRequest.name(subjects[0], ByteText("Desk")),
        DeviceRequest.name(subjects[1], ByteText("Desk")),
        DeviceRequest.name(subjects[1], ByteText("Phone")),
        DeviceRequest.name(subjects[1], ByteText("Phone")),
      ], of: .devices, store.effects)
    // Each follows that before it; what changes nothing is not made.
    #expect(outcome.schemas.count == 3 && outcome.edits.count == 4)
    let ids = outcome.schemas.map(\.id)
    #expect(outcome.schemas.dropFirst().map(\.parents) == ids.dropLast().map { [$0] })
    try writer.take(outcome, store.effects)
    return (store, writer.device, other)
  }

  private static func id(_ text: String) throws -> UniqueID {
    let id = UniqueID(Array(text.utf8).span)
    return try #require(id)
  }

  /// Notes a device for which keys are wrapped.
  private static func note(_ id: String, _ store: SmallStore) throws {
    let key = LocalRow.json(Base64.text([UInt8](repeating: 9, count: 32).span))
    let members: [String: [UInt8]] = [
      "device_id": LocalRow.json(id),
      "owner_did": LocalRow.json("did:x:a"),
      "device_name": LocalRow.json("Phone"), "pubkey_ed25519": key, "pubkey_x25519": key,
      "status": LocalRow.json("active"), "registered_at": LocalRow.json(time: 1),
    ]
    try store.opened.putLocal { _ throws in
      [try LocalRow(.devices, key: nil, members: members, time: 1)]
    }
  }

  @Test("by id, name or digits; two of one name are told apart by their ids")
  func lookUp() throws {
    let (store, own, other) = try Self.store()
    let opened = try store.effects.openRepository()
    let list = try opened.devices(store.effects)
    for text in [other.text, other.text.uppercased(), "Phone", "bbbbbbbb", "BBBB"] {
      #expect(try opened.device(text, in: list).id == other)
    }
    #expect(try opened.device("Desk", in: list).id == own)
    #expect(throws: DeviceFault.unknown("Chair")) { try opened.device("Chair", in: list) }
    let writer = try SchemaWriter(opened, SchemaWriter.Options(), store.effects)
    let subject = DeviceRequest.Subject(id: other, name: "Phone")
    try writer.take(
      try writer.make([DeviceRequest.name(subject, ByteText("Desk"))], of: .devices, store.effects),
      store.effects)
    let again = try store.effects.openRepository()
    let both = try again.devices(store.effects)
    #expect(throws: DeviceFault.ambiguous("Desk", [own, other].sorted())) {
      try again.device("Desk", in: both)
    }
  }

  @Test("a device that has made nothing is known by its own id, and no other is")
  func silent() throws {
    let store = try SmallStore()
    let text = try #require(try DeviceID.find(store.opened, store.opened.keyring(), makes: true))
    let list = try store.opened.devices(store.effects)
    #expect(list.devices.isEmpty)
    #expect(try store.opened.device(text, in: list) == DeviceList.unknown(Self.id(text)))
    let other = "cccccccc-0000-4000-8000-000000000001"
    #expect(throws: DeviceFault.unknown(other)) { try store.opened.device(other, in: list) }
  }

  @Test("all are found before any is revoked, in the history and among local rows")
  func revocation() throws {
    let (store, own, other) = try Self.store()
    try Self.note("D1", store)
    try Self.note(other.text, store)
    let opened = try store.effects.openRepository()
    func revocation(_ texts: [String], endsWraps: Bool = true) throws -> DeviceRevocation {
      try opened.revocation(of: texts, endsWraps: endsWraps, store.effects)
    }
    let plain = try revocation(["Phone", own.text], endsWraps: false)
    #expect(plain.devices.map(\.id) == [other, own] && plain.wraps.isEmpty)
    #expect(plain.unwrapped.isEmpty && plain.requests.count == 2)
    // A local row alone is no device of the history.
    #expect(throws: DeviceFault.unknown("D1")) { try revocation(["D1"], endsWraps: false) }
    let all = try revocation(["D1", "Phone", "Desk"])
    #expect(all.devices.map(\.id) == [other, own])
    #expect(all.wraps == ["D1", other.text] && all.unwrapped == ["Desk"])
    #expect(throws: DeviceFault.unknown("D2")) { try revocation(["Phone", "D2"]) }
  }

  @Test("the text of a local row means what is noted there, not the device whose id begins with it")
  func rowsFirst() throws {
    let (store, _, other) = try Self.store()
    try Self.note("bbbbbbbb", store)
    let opened = try store.effects.openRepository()
    let found = try opened.revocation(of: ["bbbbbbbb"], endsWraps: true, store.effects)
    #expect(found.devices.isEmpty && found.wraps == ["bbbbbbbb"])
    let plain = try opened.revocation(of: ["bbbbbbbb"], endsWraps: false, store.effects)
    #expect(plain.devices.map(\.id) == [other])
  }
}
