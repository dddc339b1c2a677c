// Where stores, settings, programs and other files are looked for: what a process learns from its command line and its
// environment, as members. Nothing below the shell reads the environment itself.

package import RedoStore

/// Where things are looked for.
package struct Surroundings: Sendable {
  /// The directory that relative paths start from; "." is the process's own.
  package var workingDirectory: String
  /// The directory of the store itself, instead of a search upwards from the working directory.
  package var redoDirectory: String?
  /// Settings that take precedence over those of `usual.configSources`, in this order; the last one for a key applies.
  package var settings: [(key: String, value: String)] = []
  /// The descriptor that "-" names; -1 for none.
  package var standardInput: Int32 = -1
  private var findUsual: @Sendable () -> UsualPlaces

  /// Creates surroundings.
  ///
  /// - Parameters:
  ///   - workingDirectory: where relative paths start.
  ///   - usual: says where things are that nothing names. It is asked each time that one of them is needed, so that work
  ///     that needs none does not pay for it.
  package init(
    workingDirectory: String = ".",
    usual: @escaping @Sendable () -> UsualPlaces = { UsualPlaces() }
  ) {
    self.workingDirectory = workingDirectory
    findUsual = usual
  }

  /// Where things are that nothing names.
  package var usual: UsualPlaces { findUsual() }

  /// The same, but for one store alone: it has only its own objects, and is not remembered as the user's own.
  ///
  /// - Parameter store: its directory.
  /// - Returns: the surroundings.
  func alone(with store: String) -> Surroundings {
    var alone = self
    let usual = findUsual
    alone.findUsual = {
      var places = usual()
      places.objectDirectory = nil
      places.alternateObjectDirectories = []
      places.configSources.stateDirectory = nil
      places.configSources.shownPath = nil
      return places
    }
    alone.redoDirectory = store
    return alone
  }

  /// A path as it has to be passed to the file system.
  package func resolve(_ path: String) -> String {
    if workingDirectory == "." || path.utf8.first == UInt8(ascii: "/") { return path }
    return workingDirectory.hasSuffix("/") ? workingDirectory + path : "\(workingDirectory)/\(path)"
  }

  /// The store that is named; `nil` when it has to be searched for.
  package var namedStorePath: String? { redoDirectory ?? usual.storePath }

  /// Where all settings come from, except the file of a store.
  package var allConfigSources: ConfigSources {
    var sources = usual.configSources
    sources.options = settings.map { "\($0.key)=\($0.value)" }
    return sources
  }
}

/// Where things are unless something else is named.
package struct UsualPlaces: Sendable {
  /// The store, instead of a search.
  package var storePath: String?
  /// The directory of the objects, if it is not the store's own.
  package var objectDirectory: String?
  /// Additional object directories to read, in order of precedence.
  package var alternateObjectDirectories: [String] = []
  /// Where settings come from.
  package var configSources = ConfigSources()
  /// What "~" stands for in settings; `nil` when there is no home directory.
  package var home: String?
  /// The directory for temporary files.
  package var temporaryDirectory = "/tmp"
  /// Where programs are looked for: directories separated by colons.
  package var programPath = Programs.usualPath
  /// The program that reaches other machines; it takes precedence over the settings.
  package var sshProgram: String?
  /// The directory where a service manager leaves secrets (systemd.exec(5)).
  package var credentialsDirectory: String?

  /// Places of which only the temporary directory and the programs are known.
  package init() {}
}
