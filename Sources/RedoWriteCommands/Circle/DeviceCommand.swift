// redo device: the devices that a history names, and whose keys are pinned. Three facts are kept apart: what the registry says of a device, what
// the trust file says of its keys, and whether anything is wrapped for it.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo device <subcommand>`.
enum DeviceCommand: CommandGroup {
  static let name = "device"
  static let summary = "name, show and revoke devices, and pin their keys"
  static var subcommands: [any Command.Type] {
    [
      DeviceAdd.self, DeviceListCommand.self, DeviceShow.self, DeviceName.self, DeviceRevoke.self,
      DeviceRestore.self, DeviceForget.self,
    ]
  }
}

/// What the commands of devices share.
enum DeviceWords {
  static let received = OptionSpec(
    "received", help: "times by the clock of this store, not those that objects claim")
  static let wraps = OptionSpec(
    "wraps", help: "the devices for which keys are wrapped", traits: .notNegatable)

  /// Changes what the registry says of devices; each is looked up, and everything is made, before anything is written.
  static func edit(
    _ names: [String], _ options: ParsedOptions, _ context: inout Context,
    _ request: (DeviceRequest.Subject) -> DeviceRequest
  ) throws -> Exit {
    guard !names.isEmpty else { throw CommandError.usage("no device is named") }
    let opened = try context.effects.openRepository()
    let devices = try opened.devices(context.effects)
    let requests = try names.map { text throws in
      request(try opened.device(text, in: devices).subject)
    }
    return try SchemaWords.edit([(requests, .devices)], opened, options, &context)
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

/// `redo device list [--all] [--received] [--json] [-z]`, `redo device list --wraps`.
enum DeviceListCommand: Command {
  static let name = "list"
  static let summary = "list the devices of the history, or those for which keys are wrapped"
  static var usage: [String] {
    [
      "redo-device list [--all] [--received] [--json] [-z]",
      "redo-device list --wraps [--json] [-z]",
    ]
  }
  private static let all = OptionSpec("all", help: "also devices that were forgotten")
  static var options: [OptionSpec] {
    [all, DeviceWords.received, DeviceWords.wraps, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(Escape.text(options.arguments[0]))': 'list' takes no names")
    }
    let opened = try context.effects.openRepository()
    guard options.has(DeviceWords.wraps) else {
      let devices = try opened.devices(
        usesReceived: options.has(DeviceWords.received), context.effects
      ).devices.filter { options.has(all) || !$0.isForgotten }
      try RowWriter(columns, separator: "\t", options).write(devices, &context)
      return .ok
    }
    if let other = [all, DeviceWords.received].first(where: options.has) {
      throw CommandError.usage("'--wraps' takes no '\(other.spelling)'")
    }
    let rows = try opened.localRows().rows(of: .devices)
    try RowWriter(wrapColumns, separator: "\t", options).write(rows, &context)
    return .ok
  }

  /// `device name firstSeen lastSeen objects mark`.
  private static var columns: [RowColumn<DeviceList.Device>] {
    [
      .word("device") { $0.id.text },
      .text("name", .field) { $0.name },
      .word("firstSeen") { $0.seen?.firstSeen.text },
      .word("lastSeen") { $0.seen?.lastSeen.text },
      .number("objects") { $0.seen?.objectCount ?? 0 },
      .word("mark", in: .text) { $0.mark },
      .text("deviceId", in: .json) { $0.deviceID },
      .truth("forgotten") { $0.isForgotten },
      .truth("revoked") { $0.isRevoked },
      .list("userIds", in: .json) {
        $0.seen?.userIDs.map(\.text).sorted()
      } text: { _ in
        nil
      },
    ]
  }

  /// `device owner status key name`.
  private static var wrapColumns: [RowColumn<LocalRow>] {
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

/// `redo device show [--received] [--json] [-z] <device>`.
enum DeviceShow: Command {
  static let name = "show"
  static let summary = "show what is known of a device, here and in the history"
  static var usage: [String] { ["redo-device show [--received] [--json] [-z] <device>"] }
  static var options: [OptionSpec] { [DeviceWords.received, .json, .nul] }

  /// What is known of a device.
  private struct Row {
    let device: DeviceList.Device
    /// What the trust file says of those who used it, in the order of their ids; `nil` where there is no file.
    let trust: [(user: UserID, state: TrustRow.State?)]?
    /// What is noted of it for wraps; `nil` when nothing is.
    let wraps: String?
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let text = try SchemaWords.names(options, ["a device"])[0]
    let opened = try context.effects.openRepository()
    let devices = try opened.devices(
      usesReceived: options.has(DeviceWords.received), context.effects)
    let device = try opened.device(text, in: devices)
    let list = try context.effects.trustList(opened)
    let rows = list.map { TrustRow.rows($0, now: WallTime(milliseconds: context.clock())) }
    let users = (device.seen?.userIDs ?? []).sorted { $0.text < $1.text }
    let row = Row(
      device: device,
      trust: rows.map { rows in
        users.map { user in (user, rows.first { $0.entry.signer.userID == user }?.state) }
      },
      wraps: try opened.localRows().rows(of: .devices).first {
        $0.key.text == device.id.text || $0.key.text == device.deviceID
      }?.text("status"))
    if options.has(.json) {
      try RowWriter(columns, options).write(row, &context)
      return .ok
    }
    try context.output.append { output in
      output += lines(row, users).joined(separator: "\n").utf8
      output.append(options.rowEnd)
    }
    return .ok
  }

  private static func lines(_ row: Row, _ users: [UserID]) -> [String] {
    let device = row.device
    var lines = ["device \(device.id.text)", "Name:     \(Escape.text(device.name))"]
    if let id = device.deviceID { lines.append("Id:       \(Escape.text(id))") }
    if let seen = device.seen {
      lines.append("Seen:     \(seen.firstSeen.text) to \(seen.lastSeen.text)")
      lines.append("Objects:  \(seen.objectCount)")
    } else {
      lines.append("Seen:     never")
    }
    lines.append("Registry: \(device.registered == nil ? "not entered" : device.mark ?? "entered")")
    if let trust = row.trust {
      for (user, state) in trust {
        lines.append("Trust:    \(user.text) \(state?.rawValue ?? "not named")")
      }
    } else {
      for user in users { lines.append("Trust:    \(user.text) (there is no trust file)") }
    }
    lines.append("Wraps:    \(row.wraps.map { Escape.text($0) } ?? "not noted")")
    return lines
  }

  private static var columns: [RowColumn<Row>] {
    [
      .word("device", in: .json) { $0.device.id.text },
      .text("deviceId", in: .json) { $0.device.deviceID },
      .word("firstSeen", in: .json) { $0.device.seen?.firstSeen.text },
      .truth("forgotten") { $0.device.isForgotten },
      .word("lastSeen", in: .json) { $0.device.seen?.lastSeen.text },
      .text("name", in: .json) { $0.device.name },
      .number("objects", in: .json) { $0.device.seen?.objectCount ?? 0 },
      .truth("registered") { $0.device.registered != nil },
      .truth("revoked") { $0.device.isRevoked },
      .list("trust", in: .json) { row in
        row.trust?.map { "\($0.user.text) \($0.state?.rawValue ?? "-")" }
      } text: { _ in
        nil
      },
      .list("userIds", in: .json) {
        $0.device.seen?.userIDs.map(\.text).sorted()
      } text: { _ in
        nil
      },
      .text("wraps", in: .json) { $0.wraps },
    ]
  }
}

/// `redo device name <device> <name>`.
enum DeviceName: Command {
  static let name = "name"
  static let summary = "say what a device is called"
  static var usage: [String] { ["redo-device name [<recording>] <device> <name>"] }
  static var options: [OptionSpec] { SchemaWords.recording }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let words = try SchemaWords.names(options, ["a device", "a name"])
    return try DeviceWords.edit([words[0]], options, &context) { .name($0, ByteText(words[1])) }
  }
}

/// `redo device revoke [--wraps] <device>...`.
enum DeviceRevoke: Command {
  static let name = "revoke"
  static let summary = "tell everybody that devices are not used any more"
  static var usage: [String] { ["redo-device revoke [--wraps] [<recording>] <device>..."] }
  private static let wraps = OptionSpec(
    "wraps", help: "wrap no key for them any more, either; what they sign stays as it is",
    traits: .notNegatable)
  static var options: [OptionSpec] { [wraps] + SchemaWords.recording }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no device is named") }
    let opened = try context.effects.openRepository()
    let revocation = try opened.revocation(
      of: options.arguments, endsWraps: options.has(wraps), context.effects)
    if !options.has(.quiet) {
      for text in revocation.unwrapped {
        context.note("no key is wrapped for device '\(Escape.text(text))'")
      }
    }
    let requests = revocation.requests
    if !requests.isEmpty {
      let exit = try SchemaWords.edit([(requests, .devices)], opened, options, &context)
      guard exit == .ok else { return exit }
    }
    if !options.has(.dryRun) {
      for id in revocation.wraps { try opened.revokeDevice(id, context.effects) }
    }
    if !options.has(.quiet), !requests.isEmpty {
      context.hint("this informs people; 'redo trust revoke' ends the trust in what a key signs")
    }
    return .ok
  }
}

/// `redo device restore <device>...`.
enum DeviceRestore: Command {
  static let name = "restore"
  static let summary = "take back that devices were revoked or forgotten"
  static var usage: [String] { ["redo-device restore [<recording>] <device>..."] }
  static var options: [OptionSpec] { SchemaWords.recording }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try DeviceWords.edit(options.arguments, options, &context) { .restore($0) }
  }
}

/// `redo device forget <device>...`.
enum DeviceForget: Command {
  static let name = "forget"
  static let summary = "leave devices out of lists"
  static var usage: [String] { ["redo-device forget [<recording>] <device>..."] }
  static var options: [OptionSpec] { SchemaWords.recording }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let exit = try DeviceWords.edit(options.arguments, options, &context) { .forget($0) }
    if exit == .ok, !options.has(.quiet) {
      context.hint(
        "the names stay in the history; 'redo wipe' removes them, and with them every later version of 'redo.devices'"
      )
    }
    return exit
  }
}
