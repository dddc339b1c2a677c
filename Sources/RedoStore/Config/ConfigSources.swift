// Where settings come from besides a store's own file: what the shell knows from the environment and the command line.

/// The sources of settings, without that of a store.
package struct ConfigSources: Sendable {
  /// A setting that stands in no file.
  package struct Setting: Hashable, Sendable {
    /// The key as it was written.
    package let key: String
    /// The value.
    package let value: String

    /// A setting.
    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The file of the system; `nil` leaves it out.
  package var systemPath: String?
  /// The file of the user; `nil` leaves it out.
  package var userPath: String?
  /// Settings that count more than those in files, or why they cannot be read.
  package var environment: Result<[Setting], ConfigError>
  /// Settings that count more still: `key=value`, or `key` for true.
  package var options: [String]
  /// The user who became root by sudo(8): root trusts the stores of this user too.
  package var sudoUserID: UInt32?
  /// What a hook is shown of what comes, as the environment names it; see `ShownPlace`.
  package var shownPath: String?
  /// The directory where the user's own stores are remembered, `redo` in that of XDG's states; `nil` remembers none.
  package var stateDirectory: String?

  /// Sources of which nothing is read but what is given.
  package init(
    systemPath: String? = nil, userPath: String? = nil,
    environment: Result<[Setting], ConfigError> = .success([]), options: [String] = [],
    sudoUserID: UInt32? = nil, stateDirectory: String? = nil
  ) {
    self.systemPath = systemPath
    self.userPath = userPath
    self.environment = environment
    self.options = options
    self.sudoUserID = sudoUserID
    self.stateDirectory = stateDirectory
  }
}
