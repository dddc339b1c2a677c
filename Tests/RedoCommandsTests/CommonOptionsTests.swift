// Options that several commands have are the same in all of them.

import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

@Suite("Options: one declaration of each that commands share")
struct CommonOptionsTests {
  /// A command, or a subcommand, by its name on the command line.
  private struct Named {
    let name: String
    let options: [OptionSpec]
  }

  /// Every command and every subcommand.
  private static var all: [Named] {
    CommandTable.all.flatMap { command in
      [Named(name: command.name, options: command.options)]
        + command.subcommands.map {
          Named(name: "\(command.name) \($0.name)", options: $0.options)
        }
    }
  }

  /// Commands in which a name has a meaning of its own.
  private static let others = [
    "format": ["export", "archive extract"]
  ]

  private func isSame(_ option: OptionSpec, _ common: OptionSpec) -> Bool {
    option.isSame(as: common) && option.help == common.help && option.traits == common.traits
  }

  @Test(
    "a name means one thing",
    arguments: [
      OptionSpec.json, .quiet, .progress, .profile, .allowEmpty, .maxCount, .format, .asOf,
    ])
  func names(common: OptionSpec) {
    var count = 0
    for command in Self.all where !(Self.others[common.name] ?? []).contains(command.name) {
      for option in command.options where option.name == common.name {
        count += 1
        #expect(isSame(option, common), "redo \(command.name) \(option.spelling)")
      }
    }
    #expect(count > 1)
  }

  @Test("-n is --dry-run but for those that count with it")
  func dryRun() {
    for command in Self.all {
      for option in command.options where option.name == "dry-run" {
        #expect(
          isSame(option, .dryRun) || isSame(option, .longDryRun), "redo \(command.name)")
      }
      for option in command.options where option.letter == "n" {
        #expect(isSame(option, .dryRun) || option.value.isCount, "redo \(command.name) -n")
      }
    }
  }

  @Test("-z is about rows, about what is read, or about both")
  func nul() {
    for command in Self.all {
      for option in command.options where option.letter == "z" {
        #expect(
          isSame(option, .nul) || isSame(option, .nulInput) || isSame(option, .nulBoth),
          "redo \(command.name)")
      }
      for option in command.options where option.letter == "q" {
        #expect(isSame(option, .quiet), "redo \(command.name)")
      }
    }
  }

  @Test("no table has two options of one name or letter")
  func twice() {
    for command in Self.all {
      let names = command.options.map(\.name).filter { !$0.isEmpty }
      #expect(Set(names).count == names.count, "redo \(command.name)")
      let letters = command.options.compactMap(\.letter)
      #expect(Set(letters).count == letters.count, "redo \(command.name)")
    }
  }

  @Test("every command with subcommands is a group, which says what is needed or has a standard")
  func groups() {
    for command in CommandTable.all where !command.subcommands.isEmpty {
      guard let group = command as? any CommandGroup.Type else {
        Issue.record("redo \(command.name) is no group")
        continue
      }
      guard group.standard == nil else { continue }
      var context = Context(arguments: [])
      let ending = Shell.run(&context, as: "redo-\(group.name)", CommandTable.suite)
      #expect(ending == .exit(.usage))
      #expect(context.errors.text.hasPrefix("error: a subcommand is needed\nusage: redo-"))
    }
  }
}

extension OptionSpec.Value {
  /// Whether the value is a number of rows.
  fileprivate var isCount: Bool {
    if case .required("n") = self { true } else { false }
  }
}
