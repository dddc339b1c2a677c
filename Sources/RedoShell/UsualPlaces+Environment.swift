// What the environment says about the places of things: the one place that knows the names of its variables.

package import RedoRepository
internal import RedoStore

extension UsualPlaces {
  /// Creates the places that environment variables describe.
  ///
  /// - Parameter lookUp: gives the value of a variable; `nil` for one that is not set.
  package init(_ lookUp: (String) -> String?) {
    func value(_ name: String) -> String? { lookUp(name).flatMap { $0.isEmpty ? nil : $0 } }
    self.init()
    storePath = value("REDO_DIR")
    objectDirectory = value("REDO_OBJECT_DIRECTORY")
    alternateObjectDirectories =
      value("REDO_ALTERNATE_OBJECT_DIRECTORIES")?.split(separator: ":").map(String.init) ?? []
    home = value("HOME")
    temporaryDirectory = value("TMPDIR") ?? temporaryDirectory
    programPath = value("PATH") ?? programPath
    sshProgram = value("REDO_SSH")
    credentialsDirectory = value("CREDENTIALS_DIRECTORY")
    configSources.systemPath = Self.isSet(lookUp("REDO_CONFIG_NOSYSTEM")) ? nil : Config.systemPath
    configSources.userPath =
      value("XDG_CONFIG_HOME").map { joinPath($0, "redo/config") }
      ?? home.map { joinPath($0, ".config/redo/config") }
    configSources.environment = Result { () throws(ConfigError) in try Self.settings(lookUp) }
    // A relative path would lie where somebody else may have written.
    configSources.stateDirectory = [
      value("XDG_STATE_HOME"), home.map { joinPath($0, ".local/state") },
    ].compactMap(\.self).first { $0.hasPrefix("/") }.map { joinPath($0, "redo") }
    configSources.shownPath = value("REDO_QUARANTINE_PATH")
    configSources.sudoUserID = lookUp("SUDO_UID").flatMap { UInt32($0) }
  }

  /// The settings of `REDO_CONFIG_COUNT` and its companions, as git has them.
  private static func settings(
    _ lookUp: (String) -> String?
  ) throws(ConfigError) -> [ConfigSources.Setting] {
    guard let text = lookUp("REDO_CONFIG_COUNT"), !text.isEmpty else { return [] }
    guard let count = Int(text), (0...10_000).contains(count) else {
      throw .environment(variable: "REDO_CONFIG_COUNT", rule: "is not a count")
    }
    var settings: [ConfigSources.Setting] = []
    for index in 0..<count {
      let names = (key: "REDO_CONFIG_KEY_\(index)", value: "REDO_CONFIG_VALUE_\(index)")
      guard let key = lookUp(names.key) else {
        throw .environment(variable: names.key, rule: "is missing")
      }
      guard let value = lookUp(names.value) else {
        throw .environment(variable: names.value, rule: "is missing")
      }
      settings.append(ConfigSources.Setting(key: key, value: value))
    }
    return settings
  }

  private static func isSet(_ value: String?) -> Bool {
    !["", "0", "false", "no", "off"].contains(value?.lowercased() ?? "")
  }
}
