import RedoRepository
import RedoShell
import RedoStore
import Testing

@Suite("Surroundings")
struct SurroundingsTests {
  private func surroundings(_ variables: [String: String]) -> Surroundings {
    Surroundings { UsualPlaces { variables[$0] } }
  }

  @Test("an empty environment says where the usual things are")
  func empty() {
    let none = surroundings([:])
    #expect(
      none.namedStorePath == nil && none.usual.objectDirectory == nil && none.usual.home == nil)
    #expect(none.usual.alternateObjectDirectories.isEmpty)
    #expect(none.usual.temporaryDirectory == "/tmp")
    #expect(none.usual.programPath == "/usr/local/bin:/usr/bin:/bin")
    #expect(none.usual.configSources.systemPath == "/etc/redo/config")
    #expect(none.usual.configSources.userPath == nil && none.usual.configSources.sudoUserID == nil)
    #expect(none.usual.configSources.environment == .success([]))
    #expect(none.usual.configSources.stateDirectory == nil)
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
    #expect(
      all.usual.objectDirectory == "/o" && all.usual.alternateObjectDirectories == ["/a", "/b"])
    #expect(
      all.usual.home == "/h" && all.usual.temporaryDirectory == "/t"
        && all.usual.programPath == "/p")
    #expect(all.usual.sshProgram == "ssh" && all.usual.credentialsDirectory == "/c")
    #expect(all.usual.configSources.sudoUserID == 7 && all.usual.configSources.systemPath == nil)
    #expect(all.usual.configSources.userPath == "/h/.config/redo/config")
    #expect(all.usual.configSources.stateDirectory == "/h/.local/state/redo")
    var named = all
    named.redoDirectory = "/n"
    #expect(named.namedStorePath == "/n")
    let empty = surroundings(["REDO_DIR": "", "HOME": "", "PATH": "", "XDG_CONFIG_HOME": "/x"])
    #expect(empty.namedStorePath == nil && empty.usual.home == nil)
    #expect(empty.usual.programPath == "/usr/local/bin:/usr/bin:/bin")
    #expect(empty.usual.configSources.userPath == "/x/redo/config")
    #expect(empty.usual.configSources.stateDirectory == nil)
    func state(_ home: String, _ xdg: String) -> String? {
      surroundings(["HOME": home, "XDG_STATE_HOME": xdg]).usual.configSources.stateDirectory
    }
    #expect(state("/h", "/s") == "/s/redo")
    #expect(state("/h", "s") == "/h/.local/state/redo", "a relative path may be anybody's")
    #expect(state("h", "") == nil)
  }

  @Test(
    "the file of the system is left out where a truth says so",
    arguments: [
      ("", true), ("0", true), ("False", true), ("off", true), ("1", false), ("true", false),
    ])
  func system(value: String, isRead: Bool) {
    let sources = surroundings(["REDO_CONFIG_NOSYSTEM": value]).usual.configSources
    #expect((sources.systemPath != nil) == isRead)
  }

  @Test("settings in variables, and what is wrong with them")
  func settings() {
    let two = surroundings([
      "REDO_CONFIG_COUNT": "2", "REDO_CONFIG_KEY_0": "a.b", "REDO_CONFIG_VALUE_0": "",
      "REDO_CONFIG_KEY_1": "c.d", "REDO_CONFIG_VALUE_1": "e",
    ])
    #expect(
      two.usual.configSources.environment
        == .success([.init(key: "a.b", value: ""), .init(key: "c.d", value: "e")]))
    let missing = surroundings(["REDO_CONFIG_COUNT": "1", "REDO_CONFIG_KEY_0": "a.b"])
    #expect(
      missing.usual.configSources.environment
        == .failure(.environment(variable: "REDO_CONFIG_VALUE_0", rule: "is missing")))
    for text in ["x", "-1", "10001"] {
      #expect(
        surroundings(["REDO_CONFIG_COUNT": text]).usual.configSources.environment
          == .failure(.environment(variable: "REDO_CONFIG_COUNT", rule: "is not a count")))
    }
  }
}
