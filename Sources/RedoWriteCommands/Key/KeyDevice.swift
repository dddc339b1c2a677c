// redo key device-id, device-name: what new nodes say about the device they were made on.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo key device-id [set [<id>]]`.
enum KeyDeviceID: Command {
  static let name = "device-id"
  static let summary = "print the device id, which is made once"
  static var usage: [String] { ["redo-key device-id", "redo-key device-id set [-f] <id>"] }
  static var options: [OptionSpec] { [KeyWords.force] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    switch options.arguments.count {
    case 0: break
    case 2 where options.arguments[0] == "set": break
    default: throw CommandError.usage("there is only 'set' and one id")
    }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    if let id = options.arguments.last {
      try opened.putLine(id, in: .deviceID, options.has(KeyWords.force) ? .always : .never)
      return .ok
    }
    let keyring = try opened.keyring()
    try context.output.writeLine(try DeviceID.find(opened, keyring, makes: true) ?? "")
    return .ok
  }
}

/// `redo key device-name [<name>]`.
enum KeyDeviceName: Command {
  static let name = "device-name"
  static let summary = "print the device's name, or set it"
  static var usage: [String] { ["redo-key device-name [<name>]"] }
  static var options: [OptionSpec] { [] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count <= 1 else { throw CommandError.usage("only one name can be set") }
    let opened = try context.effects.openRepository()
    if let name = options.arguments.first {
      context.holdSignals()
      try opened.putLine(name, in: .deviceName, .always)
      return .ok
    }
    let stored = try opened.keyring().text(.deviceName)
    try context.output.writeLine(Escape.text(stored ?? CurrentProcess.hostName))
    return .ok
  }
}
