// Finding a store: where it is named, or upwards from here.

/// Why there is no store to work with.
package enum StoreDirectoryError: Error, Hashable, Sendable {
  /// There is no store here or in any directory above.
  case notFound(from: String)
  /// The directory is not a store: it has no settings.
  case notAStore(path: String)
  /// The directory belongs to somebody else, and `safe.directory` does not list it.
  case unsafeOwner(path: String, userID: UInt32)
  /// Its settings, or those of the user, cannot be used.
  case config(ConfigError)
  /// Its refs cannot be used.
  case refs(RefsError)
  /// A system call did not succeed.
  case system(SystemError)

  static func config<Value>(
    _ body: () throws(ConfigError) -> Value
  ) throws(StoreDirectoryError) -> Value {
    do throws(ConfigError) {
      return try body()
    } catch {
      throw .config(error)
    }
  }
}

extension StoreDirectoryError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .notFound(let start): "there is no redo store in '\(start)' or above it"
    case .notAStore(let path): "'\(path)' is not a redo store"
    case .unsafeOwner(let path, let user):
      "'\(path)' belongs to another user (\(user)) and is not listed in safe.directory"
    case .config(let error): error.description
    case .refs(let error): error.description
    case .system(let error): error.description
    }
  }
}

extension StoreDirectory {
  /// Finds the directory of the store.
  ///
  /// - Parameters:
  ///   - path: the directory, where it is named.
  ///   - start: the directory to look in, and above; the working directory when `nil`.
  /// - Returns: the path of a directory; `open` decides whether it is a store.
  /// - Throws: `notFound`, `system`.
  package static func find(
    _ path: String?, from start: String? = nil
  ) throws(StoreDirectoryError) -> String {
    if let path { return path }
    let first: String
    let found: String?
    do throws(SystemError) {
      if let start { first = start } else { first = try CurrentProcess.workingDirectory() }
      found = try search(first)
    } catch {
      throw .system(error)
    }
    if let found { return found }
    throw .notFound(from: first)
  }

  /// The nearest directory of a store, from a directory upwards to the root.
  private static func search(_ start: String) throws(SystemError) -> String? {
    let slash = UInt8(ascii: "/")
    var directory = Array(start.utf8)
    while directory.first == slash {
      while directory.count > 1, directory.last == slash { directory.removeLast() }
      let path = joinPath(String(decoding: directory, as: UTF8.self), Layout.directoryName)
      if try FileStatus.at(path)?.kind == .directory { return path }
      guard directory.count > 1, let last = directory.lastIndex(of: slash) else { return nil }
      directory.removeSubrange((last + 1)...)
    }
    return nil
  }
}
