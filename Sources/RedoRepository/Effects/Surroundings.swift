// Where stores, settings, programs and other files are looked for: what a process knows from its command line
// and its environment, as members. Nothing below the shell asks the environment itself.

package import RedoStore

/// Where things are looked for.
package struct Surroundings: Sendable {
  /// The directory that relative paths start from; "." is the process's own.
  package var workingDirectory: String
  /// The store itself, instead of a search upwards from the working directory.
  package var redoDirectory: String?
  /// The store where `redoDirectory` names none, instead of a search.
  package var usualStorePath: String?
  /// The directory of the objects, where it is not the store's own.
  package var objectDirectory: String?
  /// Object directories that are read besides, the first ones first.
  package var alternateObjectDirectories: [String] = []
  /// Settings that count more than those of `configSources`, in this order; the last one of a key holds.
  package var settings: [(key: String, value: String)] = []
  /// Where other settings come from.
  package var configSources = ConfigSources()
  /// The descriptor that "-" names; -1 for none.
  package var standardInput: Int32 = -1
  /// What "~" stands for in settings; `nil` where there is no home directory.
  package var home: String?
  /// Where files are made that are gone at the end.
  package var temporaryDirectory = "/tmp"
  /// Where programs are looked for: directories with colons between them.
  package var programPath = Programs.usualPath
  /// The program that reaches other machines, before what the settings say.
  package var sshProgram: String?
  /// Where a service manager leaves secrets (systemd.exec(5)).
  package var credentialsDirectory: String?

  /// Surroundings that say nothing but where relative paths start.
  package init(workingDirectory: String = ".") { self.workingDirectory = workingDirectory }

  /// A path as the file system is to be asked for it.
  package func resolve(_ path: String) -> String {
    if workingDirectory == "." || path.utf8.first == UInt8(ascii: "/") { return path }
    return workingDirectory.hasSuffix("/") ? workingDirectory + path : "\(workingDirectory)/\(path)"
  }

  /// The store that is named; `nil` when it is to be searched for.
  package var namedStorePath: String? { redoDirectory ?? usualStorePath }

  /// Where all settings come from, besides the file of a store.
  package var allConfigSources: ConfigSources {
    var sources = configSources
    sources.options = settings.map { "\($0.key)=\($0.value)" }
    return sources
  }
}
