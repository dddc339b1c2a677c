// Subcommands: words after a command's name that have options of their own, as in git worktree.

import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

/// A command with subcommands.
private enum Tree: CommandGroup {
  static let name = "tree"
  static let summary = "grow"
  static let all = OptionSpec("all", letter: "a", help: "every tree")
  static let options = [all]
  static var subcommands: [any Command.Type] { [TreeAdd.self, TreeList.self] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.has(all) else { throw CommandError.unknownWord("a subcommand is needed") }
    try context.output.writeLine("all")
    return .ok
  }
}

private enum TreeAdd: Command {
  static let name = "add"
  static let summary = "plant one"
  static let usage = ["redo-tree add [-f] <name>"]
  static let force = OptionSpec("force", letter: "f", help: "whatever stands there")
  static let json = OptionSpec("json", help: "rows of JSON")
  static let options = [force, json]

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    if options.arguments == ["fail"] { throw CommandError.fatal("no") }
    let setting = context.effects.surroundings.settings.map { "\($0.key)=\($0.value)" }.joined(
      separator: " ")
    try context.output.writeLine("\(options.has(force)) \(options.arguments) \(setting)")
    return .ok
  }
}

private enum TreeList: Command {
  static let name = "list"
  static let summary = "show all"
  static let usage = ["redo-tree list"]
  static let options: [OptionSpec] = []

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit { .no }
}

private func tree(_ words: String..., as program: String = "redo-tree") -> Outcome {
  var context = Context(arguments: words)
  let ending = Shell.run(
    &context, as: program, CommandSuite("redo", [Tree.self, EchoCommand.self]))
  return Outcome(ending: ending, output: context.output.text, errors: context.errors.text)
}

@Suite("Shell: subcommands")
struct SubcommandTests {
  static let usage = """
    usage: redo-tree add [-f] <name>
       or: redo-tree list

        add                   plant one
        list                  show all

        -a, --[no-]all        every tree


    """

  @Test("the word chooses, and what follows is read by its own table")
  func chosen() {
    #expect(
      tree("add", "x", "-f")
        == Outcome(ending: .exit(.ok), output: "true [\"x\"] \n", errors: ""))
    #expect(tree("list").ending == .exit(.no))
    #expect(tree("add", "--", "-f").output == "false [\"-f\"] \n")
    #expect(tree("tree", "add", "add", as: "redo").output == "false [\"add\"] \n")
  }

  @Test("options that every command has may stand before it, between, and behind")
  func everywhere() {
    let outcome = tree("-c", "a.b=1", "tree", "-c", "a.b=2", "add", "-c", "a.b=3", as: "redo")
    #expect(outcome.output == "false [] a.b=1 a.b=2 a.b=3\n")
  }

  @Test("options of the subcommand do not stand before it")
  func before() {
    let outcome = tree("--force", "add")
    #expect(outcome.ending == .exit(.usage))
    #expect(outcome.errors.hasPrefix("error: unknown option 'force'\nusage: redo-tree add"))
  }

  @Test("nor do options of the command itself, which would be lost")
  func lost() {
    let outcome = tree("-a", "list")
    #expect(outcome.ending == .exit(.usage))
    #expect(
      outcome.errors.hasPrefix("error: option '--all' belongs after the subcommand 'list'\n"))
  }

  @Test("without a word the command itself runs")
  func none() {
    #expect(tree("-a") == Outcome(ending: .exit(.ok), output: "all\n", errors: ""))
    #expect(
      tree()
        == Outcome(
          ending: .exit(.usage), output: "", errors: "error: a subcommand is needed\n" + Self.usage)
    )
  }

  @Test("a word that is none: what is similar, and the usage, 129")
  func unknown() {
    #expect(
      tree("lsit")
        == Outcome(
          ending: .exit(.usage), output: "",
          errors: "error: unknown subcommand 'lsit'\nhint: did you mean 'list'?\n" + Self.usage))
    #expect(tree("xyzzy").errors == "error: unknown subcommand 'xyzzy'\n" + Self.usage)
  }

  @Test("-h of the command lists its words, -h of a word its options")
  func help() {
    #expect(tree("-h") == Outcome(ending: .exit(.usage), output: Self.usage, errors: ""))
    let outcome = tree("add", "-h")
    #expect(outcome.ending == .exit(.usage))
    #expect(outcome.output.hasPrefix("usage: redo-tree add [-f] <name>\n\n    -f, --[no-]force"))
    #expect(tree("add", "--bogus").errors.contains("usage: redo-tree add"))
    #expect(tree("add", "--version").output == "redo version \(Shell.version)\n")
  }

  @Test("errors are JSON where the subcommand knows --json")
  func json() {
    #expect(tree("add", "--json", "fail").errors == "{\"error\":\"no\",\"exit\":128}\n")
    #expect(tree("add", "fail").errors == "fatal: no\n")
  }

  @Test("every subcommand of the real commands has a name, a summary and usages of its own")
  func real() {
    for command in CommandTable.all {
      for below in command.subcommands {
        #expect(!below.summary.isEmpty && !below.summary.hasSuffix("."))
        for line in below.usage { #expect(line.hasPrefix("redo-\(command.name) \(below.name)")) }
      }
    }
  }
}
