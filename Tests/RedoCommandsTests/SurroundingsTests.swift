import RedoRepository
import RedoShell
import RedoStore
import Testing

@Suite("Surroundings")
struct SurroundingsTests {
  private func surroundings(_ variables: [String: String]) -> Surroundings {
    Surroundings(workingDirectory: ".") { variables[$0] }
  }

  @Test("an empty environment says where the usual things are")
  func empty() {
    let none = surroundings([:])
    #expect(none.namedStorePath == nil && none.objectDirectory == nil && none.home == nil)
    #expect(none.alternateObjectDirectories.isEmpty)
    #expect(none.temporaryDirectory == "/tmp")
    #expect(none.programPath == "/usr/local/bin:/usr/bin:/bin")
    #expect(none.configSources.systemPath == "/etc/redo/config")
    #expect(none.configSources.userPath == nil && none.configSources.sudoUserID == nil)
    #expect(none.configSources.environment == .success([]))
  }

  @Test("variables become members; an empty one counts as absent")
  func members() {
    let all = surroundings([
      "REDO_DIR": "/s", "REDO_OBJECT_DIRECTORY": "/o",
      "REDO_ALTERNATE_OBJECT_DIRECTORIES": "/a:/b", "HOME": "/h", "TMPDIR": "/t", "PATH": "/p",
      "REDO_SSH": "ssh", "CREDENTIALS_DIRECTORY": "/c", "SUDO_UID": "7",
      "REDO_CONFIG_NOSYSTEM": "yes",
    ])
    #expect(all.namedStorePath == "/s" && all.redoDirectory == nil)
    #expect(all.objectDirectory == "/o" && all.alternateObjectDirectories == ["/a", "/b"])
    #expect(all.home == "/h" && all.temporaryDirectory == "/t" && all.programPath == "/p")
    #expect(all.sshProgram == "ssh" && all.credentialsDirectory == "/c")
    #expect(all.configSources.sudoUserID == 7 && all.configSources.systemPath == nil)
    #expect(all.configSources.userPath == "/h/.config/redo/config")
    var named = all
    named.redoDirectory = "/n"
    #expect(named.namedStorePath == "/n")
    let empty = surroundings(["REDO_DIR": "", "HOME": "", "PATH": "", "XDG_CONFIG_HOME": "/x"])
    #expect(empty.namedStorePath == nil && empty.home == nil)
    #expect(empty.programPath == "/usr/local/bin:/usr/bin:/bin")
    #expect(empty.configSources.userPath == "/x/redo/config")
  }

  @Test(
    "the file of the system is left out where a truth says so",
    arguments: [
      ("", true), ("0", true), ("False", true), ("off", true), ("1", false), ("true", false),
    ])
  func system(value: String, isRead: Bool) {
    let sources = surroundings(["REDO_CONFIG_NOSYSTEM": value]).configSources
    #expect((sources.systemPath != nil) == isRead)
  }

  @Test("settings in variables, and what is wrong with them")
  func settings() {
    let two = surroundings([
      "REDO_CONFIG_COUNT": "2", "REDO_CONFIG_KEY_0": "a.b", "REDO_CONFIG_VALUE_0": "",
      "REDO_CONFIG_KEY_1": "c.d", "REDO_CONFIG_VALUE_1": "e",
    ])
    #expect(
      two.configSources.environment
        == .success([.init(key: "a.b", value: ""), .init(key: "c.d", value: "e")]))
    let missing = surroundings(["REDO_CONFIG_COUNT": "1", "REDO_CONFIG_KEY_0": "a.b"])
    #expect(
      missing.configSources.environment
        == .failure(.environment(variable: "REDO_CONFIG_VALUE_0", rule: "is missing")))
    for text in ["x", "-1", "10001"] {
      #expect(
        surroundings(["REDO_CONFIG_COUNT": text]).configSources.environment
          == .failure(.environment(variable: "REDO_CONFIG_COUNT", rule: "is not a count")))
    }
  }
}
