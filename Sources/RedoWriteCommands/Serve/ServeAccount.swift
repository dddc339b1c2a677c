// redo serve account: who may reach a server. Tokens are made here and shown once; the file has their digests alone.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo serve account add | list | revoke`.
enum ServeAccount: Command {
  static let name = "account"
  static let summary = "add, list and revoke the accounts of a server"
  static var usage: [String] {
    [
      "redo-serve account add --accounts=<file> --right=<right> [--expires=<date>] <name> [<dir>]",
      "redo-serve account list --accounts=<file> [--json] [-z]",
      "redo-serve account revoke --accounts=<file> <name>",
    ]
  }

  private static let right = OptionSpec(
    "right", .required("right"),
    help: "documents:read, documents:write, replica:read, replica:write or admin")
  private static let expires = OptionSpec(
    "expires", .required("date"), help: "from when on the token is refused")
  static var options: [OptionSpec] { [ServeOptions.accounts, right, expires, .json, .nul] }

  private enum Operation: String, CaseIterable {
    case add, list, revoke
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let word = options.arguments.first else {
      throw CommandError.unknownWord("'add', 'list' or 'revoke' is needed")
    }
    guard let operation = Operation(rawValue: word) else {
      throw CommandError.unknownWord(
        "unknown operation '\(word)'",
        hints: Suggestion.hints(for: word, among: Operation.allCases.map(\.rawValue)))
    }
    guard let name = options.value(ServeOptions.accounts) else {
      throw CommandError.usage("option '--accounts' says which file has the accounts")
    }
    let given =
      (operation == .add ? [] : [right, expires]) + (operation == .list ? [] : [.json, .nul])
    for option in given where options.has(option) {
      throw CommandError.usage("option '\(option.spelling)' has no meaning for '\(word)'")
    }
    let file = AccountFile(path: context.resolve(name), name: name)
    let words = Array(options.arguments.dropFirst())
    do {
      switch operation {
      case .add: return try add(words, to: file, options, &context)
      case .list: return try list(words, of: file, options, &context)
      case .revoke: return try revoke(words, from: file, &context)
      }
    } catch let fault as AccountFile.Fault {
      throw fault.commandError
    }
  }

  private static func add(
    _ words: [String], to file: AccountFile, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    guard (1...2).contains(words.count) else {
      throw CommandError.usage("a name is needed, and the directory of a store may follow it")
    }
    guard Accounts.isName(words[0]) else {
      throw CommandError.fatal(
        "'\(words[0])' is no name of an account",
        hints: ["a name has 1 to 64 letters, digits and '-', '.', '_', '@'"])
    }
    guard let word = options.value(right) else {
      throw CommandError.usage("option '--right' says what the account may do")
    }
    guard let rights = Account.Rights(rawValue: word) else {
      throw CommandError.fatal(
        "'\(word)' is no right",
        hints: ["it is one of " + Account.Rights.allCases.map(\.rawValue).joined(separator: ", ")])
    }
    let store = try ServedStores(context.effects, allowsUnsigned: nil)
      .check(words.count > 1 ? words[1] : nil)
    let account = Account(
      name: words[0], rights: rights, store: store, expires: try expiry(options, context))
    context.holdSignals()
    let token = try file.add(account)
    try context.output.write(Array(token.utf8) + [UInt8(ascii: "\n")])
    try context.output.flush()
    context.hint("the token is shown this once; a server that runs takes the account in on SIGHUP")
    return .ok
  }

  private static func expiry(
    _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> WallTime? {
    guard let text = options.value(expires) else { return nil }
    guard let moment = Moment(text, .start, now: context.clock()) else {
      throw CommandError.fatal("not a valid date '\(text)'", hints: [Moment.forms])
    }
    guard moment.milliseconds > context.clock() else {
      throw CommandError.fatal("'\(text)' has passed: the token would never be good")
    }
    return WallTime(milliseconds: moment.milliseconds)
  }

  private static func list(
    _ words: [String], of file: AccountFile, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    guard words.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let now = context.clock()
    let columns: [RowColumn<Account>] = [
      .word("name") { $0.name },
      .word("state") { $0.hasExpired(at: now) ? "expired" : "good" },
      .word("right") { $0.rights.rawValue },
      .word("expires") { $0.expires?.text },
      .text("store") { $0.store },
    ]
    let writer = RowWriter(columns, options)
    for account in try file.read().all { try writer.write(account, &context) }
    return .ok
  }

  private static func revoke(
    _ words: [String], from file: AccountFile, _ context: inout Context
  ) throws -> Exit {
    guard words.count == 1 else { throw CommandError.usage("the name of one account is needed") }
    context.holdSignals()
    try file.revoke(words[0])
    context.hint("a server that runs refuses the token from SIGHUP on")
    return .ok
  }
}
