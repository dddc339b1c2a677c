// The file beside the archive of a Firestore remote: what its documents say in addition to the nodes, which are in the
// archive. Lines of RFC 8785 JSON (redo-pack(5), "Documents"):
//
//   {"account":…,"archive":"<name>","format":"redo-archive-documents","nodes":…,"remote":…,"version":1}
//   {"accessList":[…],"createdAt":…,"id":…}        one for each node, by id
//   {"fields":{…},"user":…}                        the account's document, if there is one
//   {"sha256":"<64 hex digits>"}                   of all bytes before this line
//
// So both files together can be checked without anything else.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoObject
package import RedoStore

/// The documents of a remote, beside an archive of their nodes.
package struct ArchiveDocuments {
  /// The end of the name of such a file.
  package static let suffix = ".documents"
  /// The most bytes of such a file.
  private static let byteLimit = 1 << 30
  private static let format = "redo-archive-documents"
  private static let newline = UInt8(ascii: "\n")

  /// What a document says about a node.
  private struct Envelope {
    let id: ObjectID
    let accessList: [String]
    let createdAt: String
  }

  private let remote: String
  private var account = ""
  private var envelopes: [Envelope] = []
  /// The fields of the account's document, canonical JSON.
  private var user: [UInt8]?
  /// The names of the documents that are not nodes of this store.
  package private(set) var others: [String] = []

  /// Asks a remote for its documents.
  ///
  /// - Parameters:
  ///   - remote: a remote at Firestore.
  ///   - isQuiet: whether waiting goes unreported.
  ///   - has: whether a node is in the archive.
  ///   - effects: for waiting.
  /// - Throws: as `RemoteQuery.ask`.
  package init(
    of remote: Remote, isQuiet: Bool, _ has: (ObjectID) -> Bool, _ effects: Effects
  ) throws {
    self.remote = remote.text
    let query = RemoteQuery(remote, repeats: true, isQuiet: isQuiet)
    for row in try query.ask(Array(#"{"ask":"documents"}"#.utf8), effects) {
      if let account = row.text("user") {
        self.account = account
        if case .nested(let fields)? = row["fields"] { user = Self.canonical(fields) }
        continue
      }
      let name = row.text("id") ?? ""
      guard let id = ObjectID(ascii: Array(name.utf8).span), has(id) else {
        others.append(name)
        continue
      }
      envelopes.append(
        Envelope(
          id: id, accessList: row.texts("accessList") ?? [],
          createdAt: row.text("createdAt") ?? ""))
    }
    envelopes.sort { $0.id < $1.id }
  }

  private static func canonical(_ text: [UInt8]) -> [UInt8]? {
    do throws(JSONError) { return try JSONDocument(text).canonical } catch { return nil }
  }

  /// Writes the file beside an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - directory: what it says of itself.
  ///   - isForced: whether an existing file is replaced.
  ///   - syncs: whether to wait for the disk.
  ///   - effects: says where relative paths begin.
  /// - Returns: the file.
  /// - Throws: `FileFault` when it cannot be written.
  package func write(
    beside path: String, _ directory: PackDirectory, isForced: Bool, syncs: Bool,
    _ effects: Effects
  ) throws -> String {
    let name = path + Self.suffix
    var target = try ArchiveTarget(name, isForced: isForced, syncs: syncs, effects)
    try target.write(bytes(beside: directory))
    try target.commit()
    return name
  }

  /// How many nodes have a document.
  package var count: Int { envelopes.count }

  /// The bytes of the file.
  ///
  /// - Parameter directory: what the archive says of itself.
  /// - Returns: all lines.
  package func bytes(beside directory: PackDirectory) -> [UInt8] {
    var output: [UInt8] = []
    func add(_ body: (inout JSONWriter) -> Void) {
      var line = JSONWriter()
      line.object(body)
      output += line.bytes
      output.append(Self.newline)
    }
    add { head in
      head.add("account", account)
      head.add("archive", ArchiveRow.hex(directory))
      head.add("format", Self.format)
      head.add("nodes", count)
      head.add("remote", remote)
      head.add("version", 1)
    }
    for envelope in envelopes {
      add { row in
        row.add("accessList", envelope.accessList)
        if !envelope.createdAt.isEmpty { row.add("createdAt", envelope.createdAt) }
        row.add("id", envelope.id.text)
      }
    }
    if let user {
      add { row in
        row.add("fields", json: user)
        row.add("user", account)
      }
    }
    let digest = SHA256.digest(of: output.span)
    add { $0.add("sha256", Hex.text(digest.bytes.span)) }
    return output
  }

  /// What a file beside an archive says, as a hash of each line: those of the nodes, and one for the account.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - effects: says where relative paths begin.
  /// - Returns: nothing when there is no such file.
  /// - Throws: `FileFault` when it cannot be read.
  static func statements(
    beside path: String, _ effects: Effects
  ) throws -> Set<Digest> {
    guard let bytes = try read(beside: path, effects) else { return [] }
    var statements: Set<Digest> = []
    for line in bytes.split(separator: newline).dropFirst().dropLast() {
      // The account's document grows from day to day: a later one says more.
      let isUser = !line.starts(with: "{\"accessList\"".utf8)
      statements.insert(SHA256.digest(of: (isUser ? [0] : Array(line)).span))
    }
    return statements
  }

  private static func read(
    beside path: String, _ effects: Effects
  ) throws -> [UInt8]? {
    let name = path + suffix
    let resolved = effects.resolve(name)
    let status = try FileFault.naming(name) {
      try FileStatus.at(resolved)
    }
    return status == nil ? nil : try InputFile.read(name, limit: byteLimit, effects)
  }

  // MARK: Checks

  /// What is wrong with the file beside an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - directory: what the archive says about itself, which has been verified.
  ///   - effects: says where relative paths begin.
  /// - Returns: `nil` when there is no such file, or nothing is wrong with it.
  /// - Throws: `FileFault` when it cannot be read.
  package static func finding(
    _ path: String, _ directory: PackDirectory, _ effects: Effects
  ) throws -> ManifestFinding? {
    guard let bytes = try read(beside: path, effects) else { return nil }
    guard let pointer = difference(bytes, directory) else { return nil }
    return ManifestFinding(
      letter: "B", path: path + suffix, defect: .documentsDiffer, pointer: pointer)
  }

  /// Where a file differs from what it should be; `nil` when it does not.
  private static func difference(_ bytes: [UInt8], _ directory: PackDirectory) -> String? {
    guard bytes.last == newline else { return "/sha256" }
    let start = bytes.dropLast().lastIndex(of: newline).map { $0 + 1 } ?? 0
    let digest = SHA256.digest(of: Array(bytes[..<start]).span)
    guard let last = AnswerMembers(Array(bytes[start...])),
      last.text("sha256") == Hex.text(digest.bytes.span)
    else { return "/sha256" }
    let lines = bytes[..<start].split(separator: newline)
    guard let head = lines.first.flatMap({ AnswerMembers(Array($0)) }),
      head.text("format") == format, head.integer("version") == 1
    else { return "/format" }
    guard head.text("archive") == ArchiveRow.hex(directory) else { return "/archive" }
    let rows = lines.dropFirst().compactMap { AnswerMembers(Array($0)) }
    let count = rows.count { $0.text("id") != nil }
    guard rows.count == lines.count - 1, head.integer("nodes") == Int64(count),
      count <= directory.nodes
    else { return "/nodes" }
    return nil
  }
}
