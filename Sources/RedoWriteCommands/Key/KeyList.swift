// redo key list, show: lists what is there, never a secret.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo key list [--json] [-z]`.
enum KeyList: Command {
  static let name = "list"
  static let summary = "list the slots that hold something"
  static var usage: [String] { ["redo-key list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let keyring = try context.effects.openRepository().keyring()
    let writer = RowWriter(KeySlotRow.columns, options)
    for name in try keyring.names() {
      // Only JSON says what a key is; for the name alone no key is read.
      let row = writer.isJSON ? try KeySlotRow(name, keyring) : KeySlotRow(name: name)
      try writer.write(row, &context)
    }
    return .ok
  }
}

/// A slot as listed.
private struct KeySlotRow {
  let name: SlotName
  /// The public key, for slots that hold keys.
  var publicKey: String?
  var userID: String?
  /// Whether a passphrase protects it, for slots that hold private keys.
  var isWrapped: Bool?
  /// The addresses that may get what the slot holds, where it is for some only.
  var addresses: [String]?

  /// A name alone.
  init(name: SlotName) { self.name = name }

  /// A slot, and details about its key.
  init(_ name: SlotName, _ keyring: borrowing Keyring) throws {
    self.name = name
    if name.kind.isPrivateKey {
      let found = try keyring.privateKey(name)
      if let found {
        publicKey = Hex.text(found.publicKey.bytes.span)
        userID = UserID(of: found.publicKey).text
        isWrapped = found.isWrapped
      }
    } else if name.kind == .publicKey || name.kind == .retiredPublicKey {
      publicKey = try keyring.text(name)
      userID = publicKey.map { String($0.prefix(32)) }
    } else if name.kind == .userID {
      userID = try keyring.text(name)
    } else if name.kind == .exchangeKey {
      let found = try keyring.exchangeKey()
      if let found { isWrapped = found.isSealed }
    } else if let found = try keyring.boundSecret(name), !found.origins.isEmpty {
      addresses = found.origins.map(\.text)
    }
  }

  /// `<name>`, and in JSON details about the key.
  static var columns: [RowColumn<KeySlotRow>] {
    [
      .word("name") { $0.name.text },
      .word("kind", in: .json) { $0.name.kind.rawValue },
      .list("for", in: .json, { $0.addresses }, text: { _ in nil }),
      .text("publicKey", in: .json) { $0.publicKey },
      .text("userId", in: .json) { $0.userID },
      .truth("wrapped") { $0.isWrapped },
    ]
  }
}

/// `redo key show [--public | --user-id | --device-id | --device-name] [--json]`.
enum KeyShow: Command {
  static let name = "show"
  static let summary = "show who signs here: public key, user id, device"
  static var usage: [String] {
    ["redo-key show [--public | --user-id | --device-id | --device-name | --json] [-q]"]
  }
  private static let isPublic = OptionSpec(
    "public", help: "print the public key", traits: .notNegatable)
  private static let userID = OptionSpec(
    "user-id", help: "print the user id", traits: .notNegatable)
  private static let deviceID = OptionSpec(
    "device-id", help: "print the device id", traits: .notNegatable)
  private static let deviceName = OptionSpec(
    "device-name", help: "print the device's name", traits: .notNegatable)
  static var options: [OptionSpec] {
    [isPublic, userID, deviceID, deviceName, .json, .quiet]
  }

  /// The facts that can be shown.
  private struct Facts {
    var publicKey: String?
    var userID: String?
    var deviceID: String?
    var deviceName: String?
    /// Where the private key comes from.
    var place: KeySource.Place?
    var isWrapped = false
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let one = try options.only(
      oneOf: [isPublic, userID, deviceID, deviceName, .json])
    let facts = try facts(&context)
    switch one {
    case .some(let one) where one.isSame(as: .json): try json(facts, &context)
    case .some(let one):
      let value: String?
      switch one.name {
      case isPublic.name: value = facts.publicKey
      case userID.name: value = facts.userID
      case deviceID.name: value = facts.deviceID
      default: value = facts.deviceName
      }
      guard let value else {
        return try KeyExists.absent("there is no \(one.name)", options)
      }
      try context.output.writeLine(value)
    case nil:
      guard facts.userID != nil else {
        return try KeyExists.absent(
          "there is no key", options, hints: ["'redo key generate' makes one"])
      }
      try text(facts, &context)
    }
    return .ok
  }

  private static func facts(_ context: inout Context) throws -> Facts {
    let opened = try context.effects.openRepository()
    let keyring = try opened.keyring()
    var facts = Facts()
    if let source = try KeySource.find(opened, keyring, context.effects) {
      facts.place = source.place
      facts.isWrapped = source.text.isWrapped
      facts.publicKey = Hex.text(source.text.publicKey.bytes.span)
      facts.userID = UserID(of: source.text.publicKey).text
    } else {
      facts.publicKey = try keyring.publicKey().map { Hex.text($0.bytes.span) }
      facts.userID = try keyring.userID()?.text
    }
    facts.deviceID = try keyring.text(.deviceID)
    facts.deviceName = try keyring.text(.deviceName)
    return facts
  }

  private static func text(_ facts: Facts, _ context: inout Context) throws {
    let key: String? =
      switch facts.place {
      case .none: nil
      case .some(let place):
        "from the \(place.rawValue)" + (facts.isWrapped ? ", under a passphrase" : "")
      }
    let rows = [
      ("user id", facts.userID), ("public key", facts.publicKey), ("private key", key),
      ("device id", facts.deviceID), ("device name", facts.deviceName),
    ]
    for (name, value) in rows {
      guard let value else { continue }
      let padding = String(repeating: " ", count: 13 - name.utf8.count)
      try context.output.writeLine("\(name)\(padding)\(Escape.text(value))")
    }
  }

  private static func json(_ facts: Facts, _ context: inout Context) throws {
    var members = JSONRow()
    if let value = facts.deviceID { members.add("deviceId", value) }
    if let value = facts.deviceName { members.add("deviceName", value) }
    if let place = facts.place { members.add("privateKey", place.rawValue) }
    if let value = facts.publicKey { members.add("publicKey", value) }
    if let value = facts.userID { members.add("userId", value) }
    if facts.place != nil { members.add("wrapped", facts.isWrapped) }
    var row: [UInt8] = []
    members.append(to: &row)
    row.append(UInt8(ascii: "\n"))
    try context.output.write(row)
  }
}
