// The scripts of Tests/Scripts and Tests/Faults, each as one test: they run the executable as people
// do, and their output (TAP) says what they show. Scripts that need a missing tool are skipped, with a message.

import Foundation
import Testing

@Suite("Scripts of commands")
struct CommandScriptTests {
  static let scripts = Result { try Script.all(in: "Scripts") }

  @Test("commands do what they say", arguments: try scripts.get())
  func command(_ script: Script) async throws { try await script.check(among: Self.scripts.get()) }
}

@Suite("Scripts of faults")
struct FaultScriptTests {
  static let scripts = Result { try Script.all(in: "Faults") }

  @Test("faults lose nothing", arguments: try scripts.get())
  func faults(_ script: Script) async throws { try await script.check(among: Self.scripts.get()) }
}
