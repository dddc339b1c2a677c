// Where stores, settings, programs and other files are looked for: what a process knows from its command line
// and its environment, as members. Nothing below the shell asks the environment itself.

package import RedoStore

/// Where things are looked for.
package struct Surroundings: Sendable {
  /// The directory that relative paths start from; "." is the process's own.
  package var workingDirectory: String
  /// The store itself, instead of a search upwards from the working directory.
  package var redoDirectory: String?
  /// Settings that count more than those in files, in this order; the last one of a key holds.
  package var settings: [(key: String, value: String)] = []
  /// The descriptor that "-" names; -1 for none.
  package var standardInput: Int32 = -1
  /// The environment, as far as stores ask it.
  package var environment: Environment

  /// Surroundings that say nothing but where relative paths start.
  package init(
    workingDirectory: String = ".", environment: Environment = Environment([:])
  ) {
    self.workingDirectory = workingDirectory
    self.environment = environment
  }

  /// A path as the file system is to be asked for it.
  package func resolve(_ path: String) -> String {
    if workingDirectory == "." || path.utf8.first == UInt8(ascii: "/") { return path }
    return workingDirectory.hasSuffix("/") ? workingDirectory + path : "\(workingDirectory)/\(path)"
  }

  /// The settings, each as `key=value`.
  package var settingTexts: [String] { settings.map { "\($0.key)=\($0.value)" } }
}
