// redo device: whose devices have which keys. A card that comes along is believed only where nothing is pinned; these rows pin.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo device <subcommand>`.
enum DeviceCommand: CommandGroup {
  static let name = "device"
  static let summary = "pin the keys of devices, and end what is shared with them"
  static var subcommands: [any Command.Type] {
    [DeviceAdd.self, DeviceList.self, DeviceRevoke.self]
  }
}

/// `redo device add [--name=<text>] <card>...`.
enum DeviceAdd: Command {
  static let name = "add"
  static let summary = "pin the keys that the cards of devices tell"
  static var usage: [String] { ["redo-device add [--name=<text>] <card>..."] }
  static var options: [OptionSpec] { [CircleWords.name] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no card is named") }
    guard options.value(CircleWords.name) == nil || options.arguments.count == 1 else {
      throw CommandError.usage("'--name' is that of one device")
    }
    let opened = try context.effects.openRepository()
    let cards = try options.arguments.map { try ObjectName.one($0, in: opened.objects) }
    try opened.addDevices(cards, name: options.value(CircleWords.name), context.effects)
    return .ok
  }
}

/// `redo device list [--json] [-z]`.
enum DeviceList: Command {
  static let name = "list"
  static let summary = "list the devices that are noted"
  static var usage: [String] { ["redo-device list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': 'list' takes no names")
    }
    let rows = try context.effects.openRepository().localRows().rows(of: .devices)
    try RowWriter(columns, separator: "\t", options).write(rows, &context)
    return .ok
  }

  /// `device owner status key name`.
  private static var columns: [RowColumn<LocalRow>] {
    [
      .text("device", .field) { $0.key.text },
      .text("owner", .field, in: .text) { $0.text("owner_did") },
      .word("status", in: .text) { $0.text("status") },
      .word("key") { row in row.publicKey("pubkey_ed25519").map { Hex.text($0.bytes.span) } },
      .text("name", .field) { $0.text("device_name") },
      .text("owner", in: .json) { $0.text("owner_did") },
      .word("status", in: .json) { $0.text("status") },
    ]
  }
}

/// `redo device revoke --wraps <device>...`.
enum DeviceRevoke: Command {
  static let name = "revoke"
  static let summary = "share nothing more with devices"
  static var usage: [String] { ["redo-device revoke --wraps <device>..."] }
  private static let wraps = OptionSpec(
    "wraps", help: "wrap no key for them any more; what they sign stays as it is",
    traits: .notNegatable)
  static var options: [OptionSpec] { [wraps] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no device is named") }
    guard options.has(wraps) else {
      throw CommandError.usage(
        "'--wraps' says what is revoked",
        hints: ["'redo trust revoke' ends the trust in what a key signs"])
    }
    let opened = try context.effects.openRepository()
    for id in options.arguments { try opened.revokeDevice(id, context.effects) }
    return .ok
  }
}
