// Where stores, settings, programs and other files are looked for: what a process learns from its command line and its
// environment, as members. Nothing below the shell reads the environment itself.

package import RedoStore

/// Where things are looked for.
package struct Surroundings: Sendable {
  /// The directory that relative paths start from; "." is the process's own.
  package var workingDirectory: String
  /// The directory of the store itself, instead of a search upwards from the working directory.
  package var redoDirectory: String?
  /// The store if `redoDirectory` names none, instead of a search.
  package var usualStorePath: String?
  /// The directory of the objects, if it is not the store's own.
  package var objectDirectory: String?
  /// Additional object directories to read, in order of precedence.
  package var alternateObjectDirectories: [String] = []
  /// Settings that take precedence over those of `configSources`, in this order; the last one for a key applies.
  package var settings: [(key: String, value: String)] = []
  /// Where other settings come from.
  package var configSources = ConfigSources()
  /// The descriptor that "-" names; -1 for none.
  package var standardInput: Int32 = -1
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

  /// Creates surroundings that only say where relative paths start.
  package init(workingDirectory: String = ".") { self.workingDirectory = workingDirectory }

  /// A path as it has to be passed to the file system.
  package func resolve(_ path: String) -> String {
    if workingDirectory == "." || path.utf8.first == UInt8(ascii: "/") { return path }
    return workingDirectory.hasSuffix("/") ? workingDirectory + path : "\(workingDirectory)/\(path)"
  }

  /// The store that is named; `nil` when it has to be searched for.
  package var namedStorePath: String? { redoDirectory ?? usualStorePath }

  /// Where all settings come from, except the file of a store.
  package var allConfigSources: ConfigSources {
    var sources = configSources
    sources.options = settings.map { "\($0.key)=\($0.value)" }
    return sources
  }
}
