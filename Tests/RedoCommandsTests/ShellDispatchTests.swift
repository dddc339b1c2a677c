import Glibc
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

@Suite("Shell: from a command line to an ending")
struct ShellDispatchTests {
  static let echoUsage = """
    usage: redo-echo [<options>] [<word>...]
       or: redo-echo --batch

        -n, --max-count <n>   stop after <n> words
        -r, --[no-]reverse    last word first
        -q, --[no-]quiet      say nothing

    batch modes
        -b, --batch[=<format>]
                              read words
        --profile <name>      the rules to apply
        --json                rows of JSON


    """

  @Test("a usage error: message, hint and usage on stderr, 129")
  func usageError() {
    #expect(
      run("echo", "--quite")
        == Outcome(
          ending: .exit(.usage), output: "",
          errors: "error: unknown option 'quite'\nhint: did you mean '--quiet'?\n"
            + Self.echoUsage))
  }

  @Test("-h: usage on stdout, 129; --help-all lists hidden options too")
  func help() {
    #expect(
      run("echo", "-h") == Outcome(ending: .exit(.usage), output: Self.echoUsage, errors: ""))
    #expect(run("echo", "-rh").output == Self.echoUsage)
    let all = run("echo", "--help-all")
    #expect(all.ending == .exit(.usage))
    #expect(all.output.contains("--stray-with-a-very-long-name <x>\n                          not"))
    #expect(all.output.contains("\n    -c <key>=<value>      set a configuration value"))
  }

  @Test("--help without man prints the usage, 0")
  func manual() {
    for outcome in [run("echo", "--help"), run("help", "echo"), run("--help", as: "redo-echo")] {
      #expect(outcome.ending == .exit(.ok))
      #expect(outcome.output.hasPrefix("usage: redo-echo "))
      #expect(outcome.errors == "")
    }
  }

  @Test("--version")
  func version() {
    for outcome in [run("--version"), run("version"), run("echo", "--version")] {
      #expect(
        outcome == Outcome(ending: .exit(.ok), output: "redo version 0.2.0\n", errors: ""))
    }
  }

  @Test("an unknown command: 129, and what is similar")
  func unknownCommand() {
    #expect(
      run("vreify", "x")
        == Outcome(
          ending: .exit(.usage), output: "",
          errors: """
            error: 'vreify' is not a redo command
            hint: did you mean 'verify'?

            """))
    #expect(
      run(as: "/usr/bin/redo-xyzzy\u{1B}").errors == """
        error: 'xyzzy\\x1b' is not a redo command
        hint: 'redo --help' lists the commands

        """)
  }

  @Test("redo alone: its commands, 1")
  func alone() {
    let outcome = run()
    #expect(outcome.ending == .exit(.no))
    #expect(outcome.output.contains("\n   echo     print what was given\n"))
    #expect(outcome.errors == "")
    #expect(run("--help") == Outcome(ending: .exit(.ok), output: outcome.output, errors: ""))
    #expect(run("-h") == Outcome(ending: .exit(.usage), output: outcome.output, errors: ""))
    #expect(run("--list-commands").output == "echo\nverify\n")
    #expect(run("--bogus").errors.hasPrefix("error: unknown option 'bogus'\nusage: redo "))
  }

  @Test("the command comes from the program's name or the first argument")
  func names() {
    #expect(run("-r", "x", as: "/opt/bin/redo-echo").output == "--reverse\n[x]\n")
    #expect(run("echo", "-r", "x", as: "./redo").output == "--reverse\n[x]\n")
    #expect(run("echo", "x", as: "anything").output == "[x]\n")
    #expect(run("verify").ending == .exit(.no))
  }

  @Test(
    "a suite of another name takes the command likewise",
    arguments: [
      ("/opt/bin/redo-echo", ["x"], "[x]\n", ""),
      ("/opt/bin/redo-net", ["echo", "x"], "[x]\n", ""),
      ("redo-net", ["--list-commands"], "echo\n", ""),
      (
        "redo-log", [], "",
        "error: 'log' is not a redo-net command\nhint: 'redo-net --help' lists the commands\n"
      ),
    ])
  func suite(_ program: String, _ words: [String], _ output: String, _ errors: String) {
    var context = Context(arguments: words)
    _ = Shell.run(&context, as: program, CommandSuite("redo-net", [EchoCommand.self]))
    #expect(context.output.text == output)
    #expect(context.errors.text == errors)
  }

  @Test("each command of the list is found by its name, and nothing else is")
  func table() {
    #expect(CommandTable.all.count == 55)
    for command in CommandTable.all {
      #expect(CommandTable.command(command.name).map { $0 == command } == true)
    }
    #expect(CommandTable.command("") == nil)
    #expect(CommandTable.command("no-command") == nil)
  }

  @Test("a failure: data first, then message, code and hint")
  func failure() {
    #expect(
      run("echo", "fail")
        == Outcome(
          ending: .exit(.fatal), output: "before\n",
          errors: "fatal: cannot write 'x' [STORAGE_003]\nhint: make room\n"))
    #expect(
      run("echo", "--json", "fail").errors
        == #"{"code":"STORAGE_003","error":"cannot write 'x'","exit":128,"hint":"make room"}"#
        + "\n")
    #expect(
      run("echo", "--json", "--bogus").errors
        == #"{"error":"unknown option 'bogus'","exit":129}"# + "\n")
    #expect(run("echo", "--bogus", "--", "--json").errors.hasPrefix("error: "))
    #expect(
      run("echo", "die") == Outcome(ending: .signal(SIGINT), output: "", errors: ""))
  }

  @Test(
    "each kind of error has its status",
    arguments: [
      (CommandError.Kind.refused, Exit.no, 1), (.absent, .absent, 2), (.temporary, .temporary, 75),
      (.identity, .identity, 76), (.access, .access, 77), (.fatal, .fatal, 128),
      (.usage, .usage, 129),
    ] as [(CommandError.Kind, Exit, Int32)])
  func statuses(kind: CommandError.Kind, exit: Exit, status: Int32) {
    #expect(CommandError(kind, "").ending == .exit(exit))
    #expect(exit.rawValue == status)
  }
}

@Suite("Shell: options of every command")
struct ShellRepositoryOptionTests {
  /// Applies options to a fresh context.
  func apply(_ words: String...) throws -> Surroundings {
    var surroundings = Surroundings()
    guard case .run(let options) = try OptionParser.parse(words, RepositoryOptions.options) else {
      return surroundings
    }
    try RepositoryOptions.apply(options, to: &surroundings)
    return surroundings
  }

  @Test("a directory that is not there")
  func missingDirectory() {
    #expect(
      run("echo", "-C", "/nope").errors
        == "fatal: cannot change to '/nope': no such file or directory\n")
    #expect(
      run("-C", "/dev/null", "echo").errors
        == "fatal: cannot change to '/dev/null': not a directory\n")
    #expect(run("echo", "-c", "=x").errors == "fatal: a setting has no key: '=x'\n")
  }

  @Test("each -C counts from the one before")
  func directories() throws {
    #expect(try apply("-C", "/usr", "-C", "", "-C", "share/").workingDirectory == "/usr/share/")
    #expect(try apply("-C", "/usr", "-C", "/").workingDirectory == "/")
    #expect(try apply("-C", "/usr").resolve("x") == "/usr/x")
    #expect(try apply("-C", "/").resolve("x") == "/x")
    #expect(try apply("-C", "/usr").resolve("/x") == "/x")
    #expect(try apply().resolve("x") == "x")
  }

  @Test("--redo-dir and -c")
  func settings() throws {
    let options = try apply(
      "-C", "/usr", "--redo-dir=s", "-c", "a.b=1=2", "-ca.c", "--redo-dir", "t", "-c", "a.d=")
    #expect(options.redoDirectory == "/usr/t")
    #expect(options.settings.map { "\($0.key)|\($0.value)" } == ["a.b|1=2", "a.c|true", "a.d|"])
    #expect(try apply("--redo-dir=s", "--no-redo-dir").redoDirectory == nil)
  }
}
