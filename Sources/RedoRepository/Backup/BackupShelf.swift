// A directory of backups: its points in the order of time, and the chain that leads to each.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// A directory of backups.
package struct BackupShelf: ~Copyable {
  /// Its path as it was given.
  package let path: String
  let directory: Directory
  /// What opens encrypted points.
  let keys: SealKeys
  /// Whose keyring is asked.
  let effects: Effects
  private let lock: LockFile?

  static let lockName = ".redo-backup.lock"
  static let temporaryPrefix = "tmp_redo_backup_"

  /// One point.
  package struct Point: Sendable {
    /// The name of its file.
    package let name: String
    /// What it says of itself.
    package let manifest: BackupManifest
    /// Its bytes.
    package let bytes: Int
    /// Whether it is encrypted.
    package let isSealed: Bool
    /// The file that its chain lacks; `nil` when it can be restored.
    package fileprivate(set) var missing: String?
    /// How many objects it lacks, because they could not be read when it was made.
    package var lacking: Int { manifest.left[.unreadable] ?? 0 }

    init(name: String, manifest: BackupManifest, bytes: Int, isSealed: Bool) {
      self.isSealed = isSealed
      self.name = name
      self.manifest = manifest
      self.bytes = bytes
    }

    /// One that is not written.
    init(_ manifest: BackupManifest, isSealed: Bool) {
      self.init(name: manifest.fileName, manifest: manifest, bytes: 0, isSealed: isSealed)
    }
  }

  /// What a directory is opened for.
  package enum Use: Sendable {
    /// To be read.
    case reading
    /// To be changed, while others are kept from doing the same; whether it is made if it is missing, and how many
    /// milliseconds to wait for others.
    case writing(makes: Bool, Int)
  }

  /// Opens a directory of backups.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - use: what for.
  ///   - keys: what opens encrypted points.
  ///   - effects: says where relative paths begin.
  /// - Throws: `BackupFault.locked`, `FileFault`.
  package init(_ path: String, _ use: Use, _ keys: SealKeys, _ effects: Effects) throws {
    let resolved = effects.resolve(path)
    self.keys = keys
    self.effects = effects
    self.path = path
    guard case .writing(let makes, let timeoutMilliseconds) = use else {
      directory = try FileFault.naming(path) { try Directory.open(resolved) }
      lock = nil
      return
    }
    let directory = try FileFault.naming(path) {
      if makes { try Directory.makeDirectories(resolved, mode: 0o700) }
      return try Directory.open(resolved)
    }
    let lock = try FileFault.naming(path) {
      try LockFile.acquire(
        in: directory, name: Self.lockName, timeoutMilliseconds: timeoutMilliseconds,
        permissions: 0o600, options: [.create, .nonBlocking, .noFollow])
    }
    guard lock != nil else { throw BackupFault.locked(path: path) }
    // Nobody else is at work: what is unfinished was left behind.
    for name in try FileFault.naming(path, { try directory.list() })
    where name.hasPrefix(Self.temporaryPrefix) {
      try FileFault.naming(joinPath(path, name)) { _ = try directory.unlink(name) }
    }
    self.directory = directory
    self.lock = lock
  }

  /// The names of all points, the earliest first.
  package func names() throws -> [String] {
    try FileFault.naming(path) {
      try directory.list().filter { BackupManifest.isName($0) }.sorted()
    }
  }

  /// The points, the earliest first.
  ///
  /// - Parameter tell: receives what cannot be read, and why.
  /// - Returns: those that can.
  /// - Throws: when the directory cannot be listed; what `tell` throws.
  package func points(tell: (any Error) throws -> Void) throws -> [Point] {
    var points: [Point] = []
    for name in try names() {
      do {
        let file = try BackupFile(name, in: self)
        points.append(
          Point(
            name: name, manifest: file.manifest, bytes: file.fileBytes, isSealed: file.isSealed))
      } catch {
        try tell(error)
      }
    }
    return Self.linked(points)
  }

  /// Points, the earliest first, with what each of them lacks.
  static func linked(_ points: [Point]) -> [Point] {
    var points = points
    var known: [String: Int] = [:]
    for index in points.indices {
      // Only then is it known: no point needs itself.
      defer { known[points[index].name] = index }
      points[index].missing = nil
      guard let needs = points[index].manifest.needs else { continue }
      // A point needs one from before, which is done already.
      points[index].missing = known[needs.name].map { points[$0].missing } ?? needs.name
    }
    return points
  }

  /// Why a point is not whole: a file that its chain lacks, or objects that it lacks itself.
  ///
  /// - Returns: `gap` or `incomplete`; `nil` for one that is whole.
  package func fault(of point: Point) -> BackupFault? {
    let path = joinPath(path, point.name)
    if let missing = point.missing {
      return .gap(path: path, missing: joinPath(self.path, missing))
    }
    return point.lacking > 0 ? .incomplete(path: path, point.lacking) : nil
  }

  /// The names of the files that a point needs, and its own, the first of which is full.
  ///
  /// - Throws: `BackupFault.gap`.
  func chain(to point: Point, in points: [Point]) throws -> [String] {
    if point.missing != nil, let fault = fault(of: point) { throw fault }
    let byName = Dictionary(points.map { ($0.name, $0) }) { first, _ in first }
    var names = [point.name]
    while let needs = byName[names[names.count - 1]]?.manifest.needs { names.append(needs.name) }
    return names.reversed()
  }
}
