// What lies beside the archive of a remote at Firestore: what its documents say besides the nodes, which are
// in the archive. Lines of RFC 8785 JSON (redo-pack(5), "Documents"):
//
//   {"account":…,"archive":"<name>","format":"redo-archive-documents","nodes":…,"remote":…,"version":1}
//   {"accessList":[…],"createdAt":…,"id":…}        one for each node, by id
//   {"fields":{…},"user":…}                        the account's document, if there is one
//   {"sha256":"<64 hex digits>"}                   of all bytes before this line
//
// So both files together can be checked with nothing else at hand.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The documents of a remote, beside an archive of their nodes.
struct ArchiveDocuments {
  /// The end of the name of such a file.
  static let suffix = ".documents"
  /// The most bytes of such a file.
  private static let byteLimit = 1 << 30
  private static let format = "redo-archive-documents"
  private static let newline = UInt8(ascii: "\n")

  /// What a document says of a node.
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
  /// The names of the documents that are no nodes of this store.
  private(set) var others: [String] = []

  /// Asks a remote for its documents.
  ///
  /// - Parameters:
  ///   - remote: a remote at Firestore.
  ///   - isQuiet: whether nothing is said of waiting.
  ///   - has: whether a node is in the archive.
  ///   - context: for messages and waiting.
  /// - Throws: as `RemoteQuery.ask`.
  init(
    of remote: Remote, isQuiet: Bool, _ has: (ObjectID) -> Bool, _ context: inout Context
  ) throws {
    self.remote = remote.text
    let query = RemoteQuery(remote, repeats: true, isQuiet: isQuiet)
    for row in try query.ask(Array(#"{"ask":"documents"}"#.utf8), context.effects) {
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

  /// How many nodes have a document.
  var count: Int { envelopes.count }

  /// The bytes of the file.
  ///
  /// - Parameter directory: what the archive says of itself.
  /// - Returns: all lines.
  func bytes(beside directory: PackDirectory) -> [UInt8] {
    var output: [UInt8] = []
    var head = JSONRow()
    head.add("account", account)
    head.add("archive", ArchiveRow.hex(directory))
    head.add("format", Self.format)
    head.add("nodes", count)
    head.add("remote", remote)
    head.add("version", 1)
    head.append(to: &output)
    output.append(Self.newline)
    for envelope in envelopes {
      var row = JSONRow()
      row.add("accessList", envelope.accessList)
      row.addIfAny("createdAt", envelope.createdAt)
      row.add("id", envelope.id.text)
      row.append(to: &output)
      output.append(Self.newline)
    }
    if let user {
      var row = JSONRow()
      row.add("fields", json: user)
      row.add("user", account)
      row.append(to: &output)
      output.append(Self.newline)
    }
    var last = JSONRow()
    last.add("sha256", Hex.text(SHA256.digest(of: output.span).bytes.span))
    last.append(to: &output)
    output.append(Self.newline)
    return output
  }

  /// What a file beside an archive says, a hash of each line: those of nodes, and one for the accounts.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - context: says where relative paths begin.
  /// - Returns: nothing when there is no such file.
  /// - Throws: `fatal` when it cannot be read.
  static func statements(
    beside path: String, _ context: borrowing Context
  ) throws -> Set<Digest> {
    guard let bytes = try read(beside: path, context) else { return [] }
    var statements: Set<Digest> = []
    for line in bytes.split(separator: newline).dropFirst().dropLast() {
      // The account's document grows from day to day: a later one says more.
      let isUser = !line.starts(with: "{\"accessList\"".utf8)
      statements.insert(SHA256.digest(of: (isUser ? [0] : Array(line)).span))
    }
    return statements
  }

  private static func read(
    beside path: String, _ context: borrowing Context
  ) throws -> [UInt8]? {
    let name = path + suffix
    let resolved = context.resolve(name)
    let status = try CommandError.wrapping(name) {
      try FileStatus.at(resolved)
    }
    return status == nil ? nil : try InputFile.read(name, limit: byteLimit, context.effects)
  }

  // MARK: Checks

  /// What is wrong with the file beside an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - directory: what it says of itself, which has been found true.
  ///   - context: says where relative paths begin.
  /// - Returns: `nil` when there is none, or all is well.
  /// - Throws: `fatal` when it cannot be read.
  static func row(
    _ path: String, _ directory: PackDirectory, _ context: borrowing Context
  ) throws -> ManifestRow? {
    guard let bytes = try read(beside: path, context) else { return nil }
    guard let pointer = difference(bytes, directory) else { return nil }
    return ManifestRow(
      letter: "B", path: path + suffix, reason: "documents-differ", pointer: pointer)
  }

  /// Where a file is not what it should be; `nil` when it is.
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
