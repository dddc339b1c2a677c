// What every check of files shares: the names in a directory, and what each name may be.

internal import RedoObject

/// A name in a directory of a store, and what the kernel knows of it.
struct CheckedEntry {
  /// The name; bytes that are not UTF-8 are replaced.
  let name: String
  /// What has the name; `nil` when this cannot be found out, or it has gone meanwhile.
  let status: FileStatus?
}

/// What may have a name.
enum CheckedName {
  /// A regular file.
  case file
  /// A regular file, or a symbolic link to one.
  case fileOrLink
  /// A directory.
  case directory
  /// Nothing: the name means nothing.
  case unknown
}

extension FileKind {
  /// What it is, for people.
  var noun: String {
    switch self {
    case .regular: "a file"
    case .directory: "a directory"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a named pipe"
    case .other: "a device or a socket"
    }
  }
}

extension FileStatus {
  /// The permission bits as chmod(1) takes them.
  var modeText: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// Checks of names, kinds and modes.
enum FileCheck {
  /// What unfinished files are called.
  static let temporaryPrefix = "tmp_"
  static let unfinishedRepair = "delete it while no process writes"

  /// Opens a directory of a store and lists it.
  ///
  /// - Parameters:
  ///   - name: its path below the store.
  ///   - store: the store's directory.
  ///   - findings: receives why it cannot be listed, unless it is missing or no directory.
  /// - Returns: its entries, sorted by name.
  static func entries(
    of name: String, in store: borrowing Directory, _ findings: inout [StoreFinding]
  ) -> [CheckedEntry] {
    do throws(SystemError) {
      let isStore = name.isEmpty
      let kind = isStore ? .directory : try store.status(name)?.kind
      guard kind == .directory else { return [] }
      let directory =
        isStore ? store.share() : try store.openSubdirectory(name, isFollowing: false)
      return try directory.list().sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
        CheckedEntry(name: $0, status: (try? directory.status($0)) ?? nil)
      }
    } catch {
      if !error.isMissing {
        findings.append(
          StoreFinding(.fileKind, path: name, detail: "it cannot be listed: \(error.reason)"))
      }
      return []
    }
  }

  /// What is wrong with the name, the kind and the mode of an entry.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - path: its path below the store.
  ///   - name: what may have the name.
  /// - Returns: `nil` when it is as it should be.
  static func finding(
    _ entry: CheckedEntry, at path: String, _ name: CheckedName
  ) -> StoreFinding? {
    let kind = entry.status?.kind
    if case .unknown = name {
      if entry.name.hasPrefix(temporaryPrefix), kind == .regular {
        return StoreFinding(.fileUnfinished, path: path, repair: unfinishedRepair)
      }
      return StoreFinding(
        .fileStray, path: path, detail: kind.map(\.noun) ?? "",
        repair: "look what it is, and move it away")
    }
    guard let status = entry.status else { return nil }
    let isRight =
      switch name {
      case .file: status.kind == .regular
      case .fileOrLink: status.kind == .regular || status.kind == .symbolicLink
      case .directory: status.kind == .directory
      case .unknown: true
      }
    guard isRight else {
      var wanted = FileKind.regular.noun
      if case .directory = name { wanted = FileKind.directory.noun }
      return StoreFinding(.fileKind, path: path, detail: "\(status.kind.noun), not \(wanted)")
    }
    guard status.kind == .symbolicLink || status.mode & 0o022 == 0 else {
      return StoreFinding(
        .fileMode, path: path, detail: "mode \(status.modeText): others may write",
        repair: "chmod go-w '\(path)'")
    }
    return nil
  }
}
