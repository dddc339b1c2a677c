// What is remembered about a remote, in `.redo/remotes/<name>/`:
//
//   id           32 hex digits: the store that was met first
//   checkpoint   the last checkpoint that it stated (redo-checkpoint(5))
//   access       `<bytes>-<32 hex>`: up to where its access lists are known (redo-wire(5))
//   heldback     `[receipt-]<here|there> SP <rule> SP <count>-<following>-<16 hex>`, a line for each rule that is accepted:
//                which nodes, or receipts, were held back by it then (redo-wire(5))
//   last         `<time> SP <nodes that came> SP <nodes that went>` of the last exchange
//   firestore/   what the transport of that name remembers; it may be deleted at any time
//
// Each file appears whole or not at all. A remote that shows another ID, or a checkpoint that does not continue the
// remembered one, is not the same remote.

package import RedoObject
package import RedoStore

/// What is remembered about a remote.
package struct RemoteMemory {
  private enum Name {
    static let id = "id"
    static let checkpoint = "checkpoint"
    static let last = "last"
    static let access = "access"
    static let heldBack = "heldback"
    static let all = [access, checkpoint, heldBack, id, last]
    /// The directories in which transports remember something.
    static let transports = [Layout.mirror]
    /// The prefix of the names of unfinished files.
    static let temporary = "tmp_remote_"
  }

  /// The largest file in bytes: a checkpoint is not larger.
  private static let fileLimit = 65_536

  /// The remote.
  package let name: RemoteName
  private let opened: Repository

  /// Creates the memory of a remote.
  package init(_ name: RemoteName, _ opened: Repository) {
    self.name = name
    self.opened = opened
  }

  /// Its directory below the store's.
  private var folder: String { "\(Layout.remotes)/\(name.text)" }
  private func path(_ file: String) -> String { "\(opened.store.path)/\(folder)/\(file)" }

  /// The ID of the store that was seen first.
  ///
  /// - Returns: `nil` when none was.
  /// - Throws: `RemoteIdentityFault` when the file is damaged: a remote is never pinned again silently.
  package func id() throws -> StoreID? {
    guard let bytes = try read(Name.id) else { return nil }
    guard let id = StoreID(line: bytes) else {
      throw RemoteIdentityFault.damagedID(path: path(Name.id))
    }
    return id
  }

  /// The last checkpoint that the remote stated; `nil` when there is none.
  ///
  /// - Throws: `SystemError` when it cannot be read.
  package func checkpoint() throws -> [UInt8]? { try read(Name.checkpoint) }

  /// The last exchange that ended well; `nil` when there is none, or it cannot be understood.
  ///
  /// - Throws: `SystemError` when the file cannot be read.
  package func last() throws -> RemoteExchange? {
    try read(Name.last).flatMap { RemoteExchange($0) }
  }

  /// Up to where its access lists are known; `nil` when they are not known at all.
  ///
  /// - Throws: `SystemError` when the file cannot be read.
  package func access() throws -> AccessNotes.Place? {
    try read(Name.access).flatMap { AccessNotes.Place(line: $0) }
  }

  /// Remembers up to where its access lists are known.
  ///
  /// - Parameter place: the place.
  /// - Throws: `SystemError` when it cannot be written; the file is then either old or new.
  package func remember(access place: AccessNotes.Place) throws {
    guard try access() != place else { return }
    try write(Name.access, place.line)
  }

  /// Which nodes were held back when a rule was accepted, by side and rule; lines that cannot be understood are skipped.
  ///
  /// - Throws: `SystemError` when the file cannot be read.
  package func heldBack() throws -> [String: String] {
    var seen: [String: String] = [:]
    for line in try (read(Name.heldBack) ?? []).split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      if words.count == 3 { seen["\(words[0]) \(words[1])"] = String(words[2]) }
    }
    return seen
  }

  /// Remembers which nodes were held back when rules were accepted.
  ///
  /// - Parameter seen: by side and rule.
  /// - Throws: `SystemError` when it cannot be written; the file is then either old or new.
  package func remember(heldBack seen: [String: String]) throws {
    guard try heldBack() != seen else { return }
    let lines = seen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    try write(Name.heldBack, Array(lines.joined().utf8))
  }

  /// Forgets which nodes were held back by some rules, on either side.
  ///
  /// - Parameter rules: the rules.
  /// - Throws: `SystemError` when it cannot be written; the file is then either old or new.
  package func forget(heldBackBy rules: Set<String>) throws {
    try remember(
      heldBack: heldBack().filter { row in !rules.contains { row.key.hasSuffix(" \($0)") } })
  }

  /// Remembers an exchange.
  ///
  /// - Parameters:
  ///   - id: the id of the store there, if it has one.
  ///   - checkpoint: its checkpoint, if it states one; otherwise the earlier one stays.
  ///   - last: what was exchanged; `nil` while that is not finished.
  /// - Throws: `SystemError` when it cannot be written; each file is then either old or new.
  package func remember(
    id: StoreID?, checkpoint: [UInt8]?, _ last: RemoteExchange?
  ) throws {
    if let id, try self.id() == nil { try write(Name.id, id.line) }
    if let checkpoint, try self.checkpoint() != checkpoint {
      try write(Name.checkpoint, checkpoint)
    }
    if let last { try write(Name.last, last.bytes) }
  }

  /// The existing files, as they are shown to people.
  ///
  /// - Throws: `SystemError` when the directory cannot be read.
  package func files() throws -> [String] {
    let names = try SystemError.naming(folder) {
      try Set(openFolder()?.list() ?? [])
    }
    return (Name.all + Name.transports).filter { names.contains($0) }.map { "\(folder)/\($0)" }
  }

  /// Forgets everything.
  ///
  /// - Throws: `SystemError` when a file cannot be removed.
  package func forget() throws {
    let sync = try opened.refsOptions().sync
    try SystemError.naming(folder) {
      guard let own = try openFolder() else { return }
      for file in Name.all { try own.unlink(file) }
      for name in Name.transports where try own.status(name)?.kind == .directory {
        let inner = try own.openSubdirectory(name, isFollowing: false)
        for file in try inner.list() { try inner.unlink(file) }
        try own.removeDirectory(name)
      }
      let around = try opened.store.directory.openSubdirectory(
        Layout.remotes, isFollowing: false)
      do throws(SystemError) {
        try around.removeDirectory(name.text)
      } catch {
        // Files that others have put there are kept.
        guard error.isNotEmpty else { throw error }
      }
      if sync != .none { try around.sync() }
    }
  }

  private func openFolder() throws(SystemError) -> Directory? {
    guard try opened.store.directory.status(folder)?.kind == .directory else { return nil }
    return try opened.store.directory.openSubdirectory(folder, isFollowing: false)
  }

  private func read(_ file: String) throws -> [UInt8]? {
    try SystemError.naming(path(file)) {
      try openFolder()?.readFile(file, limit: Self.fileLimit, isFollowing: false)
    }
  }

  private func write(_ file: String, _ bytes: [UInt8]) throws {
    let sync = try opened.refsOptions().sync
    try SystemError.naming(path(file)) {
      let store = opened.store.directory.share()
      try store.makeDirectory(Layout.remotes)
      let isNew = try store.makeDirectory(folder)
      let own = try store.openSubdirectory(folder, isFollowing: false)
      var temporary = try TemporaryFile(in: own, prefix: Name.temporary, mode: 0o644)
      try temporary.file.writeAll(bytes)
      if sync != .none { try temporary.file.sync() }
      _ = try temporary.commit(as: file, replacing: .always)
      guard sync != .none else { return }
      try own.sync()
      if isNew { try store.openSubdirectory(Layout.remotes, isFollowing: false).sync() }
    }
  }
}
