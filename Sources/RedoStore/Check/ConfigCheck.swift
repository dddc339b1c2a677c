// The settings of a store: whether they can be read, and whether each value is one that its key may
// have. They have no checksum: a changed value that is still a value is not noticed.

internal import RedoObject

/// The check of `config`.
package enum ConfigCheck {
  private static let repair = "edit it, or take the file from another store"

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - findings: receives what is wrong.
  /// - Returns: its settings, as far as the file can be used.
  /// - Throws: `format` when the store has another format than this program knows.
  static func entries(
    in store: borrowing Directory, _ findings: inout [StoreFinding]
  ) throws(ConfigError) -> [Config.Entry] {
    let path = joinPath(store.path, Layout.config)
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try store.readFile(Layout.config, limit: Config.maximumCount)
    } catch {
      let kind = (try? store.status(Layout.config))??.kind
      // Anything that is neither a file nor a link is a finding of the check of names.
      if kind == .regular || kind == .symbolicLink {
        findings.append(
          StoreFinding(
            .configForm, path: Layout.config, detail: "it cannot be read: \(error.reason)",
            repair: repair))
      }
      return []
    }
    guard let bytes else {
      findings.append(
        StoreFinding(
          .fileMissing, path: Layout.config,
          repair: "make it again with the lines '[core]' and 'format = \(Config.nodesFormat)'"))
      return []
    }
    let entries: [Config.Entry]
    do throws(ConfigError) {
      entries = try ConfigParser.parse(bytes, file: path, origin: .store(path: path))
    } catch {
      var detail = error.description
      if case .syntax(_, let line, let rule) = error { detail = "line \(line): \(rule)" }
      findings.append(
        StoreFinding(.configForm, path: Layout.config, detail: detail, repair: repair))
      return []
    }
    try judge(entries, path, &findings)
    return entries
  }

  private static func judge(
    _ entries: [Config.Entry], _ path: String,
    _ findings: inout [StoreFinding]
  ) throws(ConfigError) {
    func report(_ detail: String) {
      findings.append(
        StoreFinding(.configForm, path: Layout.config, detail: detail, repair: repair))
    }
    if let format = entries.last(where: { $0.key == "core.format" }) {
      try Config.checkFormat(format, file: path)
    } else {
      report("it names no store format (core.format)")
    }
    for entry in entries {
      guard let known = KnownKey.named(entry.key),
        let refusal = known.refusal(of: entry.value ?? "")
      else { continue }
      report("line \(entry.line): bad value '\(entry.value ?? "")' for '\(known.name)': \(refusal)")
    }
  }
}

extension StoreDirectory {
  /// Opens a store that may be damaged, to look at everything in it.
  ///
  /// - Parameters:
  ///   - path: its directory, as `find` gives it.
  ///   - sources: where settings come from besides.
  ///   - findings: receives what is wrong with its settings; those that cannot be used do not count.
  /// - Returns: the open store.
  /// - Throws: `notAStore` when nothing in the directory belongs to a store, `unsafeOwner`, `config` when
  ///   the user's own settings cannot be used or the format is another one, `system`.
  package static func openToAudit(
    _ path: String, _ sources: ConfigSources,
    _ findings: inout [StoreFinding]
  ) throws(StoreDirectoryError) -> StoreDirectory {
    let config = try StoreDirectoryError.config { () throws(ConfigError) in
      try Config.loadProtected(sources)
    }
    let directory: Directory
    do throws(SystemError) {
      directory = try Directory.open(path)
    } catch {
      throw error.isMissing ? .notAStore(path: path) : .system(error)
    }
    try OwnerCheck(sources, config).check(directory)
    guard looksLikeStore(directory) else { throw .notAStore(path: path) }
    do throws(ConfigError) {
      let own = try ConfigCheck.entries(in: directory, &findings)
      return StoreDirectory.finish(directory, config, own, sources)
    } catch {
      throw .config(error)
    }
  }

  /// Whether anything in a directory has the name of a part of a store.
  private static func looksLikeStore(_ directory: borrowing Directory) -> Bool {
    for name in [Layout.config, Layout.objects, Refs.Name.refs, Refs.Name.received] {
      if ((try? directory.status(name)) ?? nil) != nil { return true }
    }
    return false
  }
}
