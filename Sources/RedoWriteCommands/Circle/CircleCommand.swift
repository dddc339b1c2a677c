// redo circle: the people with whom memories are shared. Nothing of it leaves the store.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo circle <subcommand>`.
enum CircleCommand: CommandGroup {
  static let name = "circle"
  static let summary = "note the people with whom memories are shared"
  static var subcommands: [any Command.Type] {
    [
      CircleList.self, CircleAdd.self, CircleSet.self, CircleRemove.self, CircleInvite.self,
      CircleAccept.self,
    ]
  }
}

/// The options that say something of somebody.
enum CircleWords {
  static let name = OptionSpec("name", .required("text"), help: "how they are called here")
  static let phone = OptionSpec(
    "phone", .required("number"), help: "a phone number, such as +14155550123")
  static let key = OptionSpec(
    "key", .required("base64"), help: "their X25519 key, where devices have none of their own")
  static let status = OptionSpec(
    "status", .required("status"), help: "pending, active or removed")

  /// What is said.
  static func person(_ options: ParsedOptions) -> CirclePerson {
    var person = CirclePerson()
    person.name = options.value(name)
    person.phone = options.value(phone)
    person.key = options.value(key)
    person.status = options.value(status)
    return person
  }

  /// The only argument.
  static func only(_ options: ParsedOptions, _ what: String) throws -> String {
    guard options.arguments.count == 1 else { throw CommandError.usage("name \(what)") }
    return options.arguments[0]
  }

  /// Adds somebody, or changes what is noted of them.
  static func set(
    isNew: Bool, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    let did = try only(options, "one author, as did:phone:...")
    try context.effects.openRepository()
      .setPerson(did, person(options), isNew: isNew, context.effects)
    return .ok
  }
}

/// `redo circle list [--json] [-z]`.
enum CircleList: Command {
  static let name = "list"
  static let summary = "list people, how many devices they have, and invitations with '--invites'"
  static var usage: [String] { ["redo-circle list [--invites] [--json] [-z]"] }
  private static let invites = OptionSpec("invites", help: "list invitations instead")
  static var options: [OptionSpec] { [invites, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': 'list' takes no names")
    }
    let found = try context.effects.openRepository().localRows()
    guard !options.has(invites) else {
      try RowWriter(inviteColumns, separator: "\t", options)
        .write(found.rows(of: .circleInvites), &context)
      return .ok
    }
    var counts: [String: Int] = [:]
    for row in found.rows(of: .devices) where row.text("status") == "active" {
      counts[row.text("owner_did") ?? "", default: 0] += 1
    }
    let people = found.rows(of: .circles).map { ($0, counts[$0.text("did") ?? ""] ?? 0) }
    try RowWriter(columns, separator: "\t", options).write(people, &context)
    return .ok
  }

  private typealias Person = (row: LocalRow, devices: Int)

  /// `did status devices name`.
  private static var columns: [RowColumn<Person>] {
    [
      .text("did", .field) { $0.row.text("did") },
      .word("status", in: .text) { $0.row.text("status") },
      .number("devices") { $0.devices },
      .text("name", .field) { $0.row.text("display_name") },
      .text("status", in: .json) { $0.row.text("status") },
    ]
  }

  /// `code status used uses end`.
  private static var inviteColumns: [RowColumn<LocalRow>] {
    [
      .word("code") { $0.text("invite_code") },
      .word("status", in: .text) { $0.text("status") },
      .number("used", in: .text) { $0.integer("use_count") },
      .number("uses", in: .text) { $0.integer("max_uses") },
      .word("end", in: .text) { row in
        row.number("expires_at").map { WallTime(milliseconds: Int64($0 * 1000)).text }
      },
      .number("end", in: .json) { row in row.number("expires_at").map { Int($0 * 1000) } },
      .word("status", in: .json) { $0.text("status") },
      .number("used", in: .json) { $0.integer("use_count") },
      .number("uses", in: .json) { $0.integer("max_uses") },
    ]
  }
}

/// `redo circle add [--name=<text>] [--phone=<number>] [--key=<base64>] [--status=<status>] <did>`.
enum CircleAdd: Command {
  static let name = "add"
  static let summary = "add somebody"
  static var usage: [String] {
    [
      "redo-circle add [--name=<text>] [--phone=<number>] [--key=<base64>] [--status=<status>]\n"
        + "             <did>"
    ]
  }
  static var options: [OptionSpec] {
    [CircleWords.name, CircleWords.phone, CircleWords.key, CircleWords.status]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try CircleWords.set(isNew: true, options, &context)
  }
}

/// `redo circle set [--name=<text>] [--phone=<number>] [--key=<base64>] [--status=<status>] <did>`.
enum CircleSet: Command {
  static let name = "set"
  static let summary = "change what is noted of somebody"
  static var usage: [String] {
    [
      "redo-circle set [--name=<text>] [--phone=<number>] [--key=<base64>] [--status=<status>]\n"
        + "             <did>"
    ]
  }
  static var options: [OptionSpec] { CircleAdd.options }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    try CircleWords.set(isNew: false, options, &context)
  }
}

/// `redo circle remove <did>`.
enum CircleRemove: Command {
  static let name = "remove"
  static let summary = "share nothing more with somebody"
  static var usage: [String] { ["redo-circle remove <did>"] }
  static var options: [OptionSpec] { [] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let did = try CircleWords.only(options, "one author, as did:phone:...")
    var person = CirclePerson()
    person.status = "removed"
    try context.effects.openRepository()
      .setPerson(did, person, isNew: false, context.effects)
    return .ok
  }
}

/// `redo circle invite [--uses=<n>] [--expires=<age>] [--message=<text>]`.
enum CircleInvite: Command {
  static let name = "invite"
  static let summary = "note an invitation, and print its code"
  static var usage: [String] {
    ["redo-circle invite [--uses=<n>] [--expires=<age>] [--message=<text>]"]
  }
  private static let uses = OptionSpec(
    "uses", .required("n"), help: "how often it may be accepted (1)")
  private static let expires = OptionSpec(
    "expires", .required("age"), help: "how long it may be accepted")
  private static let message = OptionSpec(
    "message", .required("text"), help: "what goes with it")
  static var options: [OptionSpec] { [uses, expires, message] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': 'invite' takes no names")
    }
    var count = 1
    if let text = options.value(uses) {
      guard let number = ParsedOptions.decimal(text), 1...1_000_000 ~= number else {
        throw CommandError.usage("option '--uses' expects a number from 1, not '\(text)'")
      }
      count = number
    }
    let now = context.clock()
    let end = try options.age(expires).map { now + $0 }
    let code = try context.effects.openRepository()
      .invite(uses: count, until: end, message: options.value(message), context.effects)
    try context.output.writeLine(code)
    return .ok
  }
}

/// `redo circle accept [--name=<text>] [--phone=<number>] <code> <card>...`.
enum CircleAccept: Command {
  static let name = "accept"
  static let summary = "take somebody who answers an invitation in, with their devices"
  static var usage: [String] {
    ["redo-circle accept [--name=<text>] [--phone=<number>] <code> <card>..."]
  }
  static var options: [OptionSpec] { [CircleWords.name, CircleWords.phone] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count >= 2 else {
      throw CommandError.usage("a code and the cards of devices are needed")
    }
    let opened = try context.effects.openRepository()
    let cards = try options.arguments.dropFirst().map { name in
      try ObjectName.one(name, in: opened.objects)
    }
    try opened.accept(
      options.arguments[0], cards, CircleWords.person(options), context.effects)
    return .ok
  }
}
