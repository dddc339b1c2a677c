// A remote: a name and its location, from the settings `remote.<name>.*`; or a location given on a command line, about
// which nothing is remembered.

package import RedoStore

/// A remote.
package struct Remote: Sendable {
  /// Its name; `nil` for a location without a name.
  package let name: RemoteName?
  /// Its location.
  package let url: RemoteURL
  /// Its location as it was written.
  package let text: String
  /// All effective settings.
  package let config: Config
  /// The directory of the store that talks to it; `nil` when there is none.
  let storePath: String?

  /// Its name in messages: its name, or its location.
  package var title: String { name?.text ?? text }

  /// A setting of this remote.
  ///
  /// - Parameter key: the last part of its name, such as `tokenFile`.
  /// - Returns: `nil` when it is not set, or is empty.
  package func setting(_ key: String) -> String? {
    guard let name, let value = config.get(Self.key(name, key)), !value.isEmpty else { return nil }
    return value
  }

  /// Whether a command that is for all remotes is for this one, too.
  ///
  /// - Throws: `ConfigError` when the setting is neither true nor false.
  package func isEnabled() throws(ConfigError) -> Bool {
    guard let name else { return true }
    return try config.bool(Self.key(name, "enabled")) ?? true
  }

  /// The settings of this remote that no transport of ours reads, such as misspelled ones.
  ///
  /// - Returns: none for an address of another program's, whose settings are not known here.
  package func unknownSettings() -> [Config.Entry] {
    guard let name, url.isOurs else { return [] }
    let start = Self.key(name, "")
    let ofStore = config.passedOver.filter { $0.reason == .unknown }.map(\.entry)
    return (config.entries + ofStore).filter { entry in
      entry.key.hasPrefix(start) && !entry.key.dropFirst(start.count).contains(".")
        && KnownKey.named(entry.key) == nil
    }
  }

  /// How many seconds the other side may be silent; `nil` for no limit.
  ///
  /// - Throws: `ConfigError` when the setting is not a number.
  package func timeoutSeconds() throws -> Int? {
    var seconds = Self.usualTimeoutSeconds
    if let name {
      seconds = try config.int(Self.key(name, "timeout"), in: 0...86_400) ?? seconds
    }
    return seconds == 0 ? nil : seconds
  }

  /// How long the other side may be silent by default: it may have much to check.
  private static let usualTimeoutSeconds = 300

  /// The key of a setting, in the spelling that `Config` looks for.
  package static func key(_ name: RemoteName, _ key: String) -> String {
    "remote.\(name.text).\(key.lowercased())"
  }
}

extension Remote {
  /// The name of the remote that is used when there are several and none is named.
  package static let usualName = "origin"

  /// The remote from which a repair takes copies if nothing speaks for another one: the usual one, or the first.
  ///
  /// - Parameter config: all settings that are in effect.
  /// - Returns: `nil` when there is none.
  package static func repairing(_ config: Config) -> RemoteName? {
    let names = names(config)
    return names.first { $0.text == usualName } ?? names.first
  }

  /// The remotes in the settings, sorted by name; those with invalid names are left out.
  package static func names(_ config: Config) -> [RemoteName] {
    var names: Set<RemoteName> = []
    for entry in config.entries {
      let parts = entry.key.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 3, parts[0] == "remote", parts.last == "url" else { continue }
      if let name = RemoteName(parts[1..<(parts.count - 1)].joined(separator: ".")) {
        names.insert(name)
      }
    }
    return names.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// The remote that a word of a command line names.
  ///
  /// - Parameters:
  ///   - text: a name, a path or a URL.
  ///   - opened: the store that talks to it.
  ///   - effects: says where relative paths begin.
  /// - Returns: the remote.
  /// - Throws: `RemoteFault` when there is none, or it is not a URL.
  package static func named(
    _ text: String, _ opened: borrowing StoreDirectory, _ effects: Effects
  ) throws -> Remote {
    let config = opened.config
    if let name = RemoteName(text) {
      if let entry = config.entry(key(name, "url")), let value = entry.value, !value.isEmpty {
        // A path in the settings is relative to the store.
        return Remote(
          name: name, url: try url(value, from: around(opened.path)), text: value, config: config,
          storePath: opened.path)
      }
      let isThere = (try? FileStatus.at(effects.resolve(text))) ?? nil != nil
      guard isThere else {
        throw RemoteFault.absent(name: text, known: names(config).map(\.text))
      }
    }
    return Remote(
      name: nil, url: try url(text, from: effects.surroundings.workingDirectory), text: text,
      config: config,
      storePath: opened.path)
  }

  /// The directory that a store is in.
  package static func around(_ store: String) -> String {
    let path = store.hasSuffix("/") ? String(store.dropLast()) : store
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Reads a URL.
  ///
  /// - Parameters:
  ///   - text: the text as people wrote it.
  ///   - directory: where relative paths begin.
  /// - Returns: the URL.
  /// - Throws: `RemoteFault` when it is not a URL.
  package static func url(_ text: String, from directory: String) throws -> RemoteURL {
    do throws(RemoteURL.Fault) {
      guard case .path(let path) = try RemoteURL(text) else { return try RemoteURL(text) }
      return .path(directory == "." ? path : joinPath(directory, path))
    } catch {
      throw RemoteFault.malformedURL(text: text, error)
    }
  }
}
