// What the first file of a backup says (redo-backup(5)): one line of RFC 8785 JSON. It names all that is in the backup and
// all that it needs.

internal import CanonicalJSON
package import RedoCrypto
package import RedoObject
package import RedoStore

/// The description of one point of a backup.
package struct BackupManifest: Equatable, Sendable {
  /// Whether a point stands alone.
  package enum Kind: String, Sendable {
    /// Everything is in it.
    case full
    /// It needs the point before.
    case increment
  }

  /// A file that is needed, or that is in the backup.
  package struct Part: Equatable, Sendable {
    /// Its name.
    package let name: String
    /// Its SHA-256.
    package let digest: Digest
    /// Its bytes; 0 for what is needed.
    package let size: Int
  }

  /// A file of the store as it was.
  package struct StoredFile: Equatable, Sendable {
    /// Its path below the directory of the store.
    package let path: String
    package let digest: Digest
    package let size: Int
    /// Whether only its owner can do anything with it.
    package let isPrivate: Bool
    /// Whether it can be run.
    package let isProgram: Bool
    /// The file name of the point that has it.
    package let holder: String
  }

  /// How many ids or refs there are, and SHA-256 over their lines in ascending order.
  package struct IDSet: Equatable, Sendable {
    package let count: Int
    package let digest: Digest

    package init(count: Int, digest: Digest) {
      self.count = count
      self.digest = digest
    }

    /// Of ids in ascending order.
    package init(sorted ids: [ObjectID]) {
      self.init(count: ids.count, digest: HistoryStatement.digest(of: ids))
    }
  }

  static let format = "redo-backup"
  static let version = 1
  /// The version of a point that has receipts in it: whoever does not know them does not read it.
  static let receiptsVersion = 2
  /// The version of a point that has schemas in it.
  static let schemasVersion = 3
  /// The most bytes of a manifest: enough for 200,000 files.
  static let byteLimit = 1 << 26

  package var kind: Kind
  /// When it was made, in milliseconds since 1970.
  package var time: Int64
  /// The store, `core.id`.
  package var store: StoreID?
  /// How many increments lead to it.
  package var depth: Int
  /// The point before, for an increment.
  package var needs: Part?
  /// The files in the backup, in their order.
  package var parts: [Part] = []
  /// The nodes that are in it.
  package var nodes: Int
  /// The receipts that are in it.
  package var receipts = 0
  /// The schemas that are in it.
  package var schemas = 0
  /// The objects of the history as it was.
  package var history: IDSet
  /// All objects that this point and those before it have for it.
  package var objects: IDSet
  /// How far the logs went.
  package var logs: LogPoint
  /// The refs as they were.
  package var refs: IDSet
  /// The files of the store as they were.
  package var files: [StoredFile] = []
  /// Whether only its owner could do anything with the store.
  package var isPrivate = false
  /// How many files or objects are left out.
  package var left: [StoredPath.LeftKind: Int] = [:]

  /// How many objects of a kind are in its pack.
  func count(of kind: ObjectKind) -> Int {
    switch kind {
    case .node: nodes
    case .receipt: receipts
    case .schema: schemas
    case .blob: 0
    }
  }

  /// The name of its file.
  package var fileName: String { Self.fileName(kind, time) }

  static let suffix = ".redobackup"

  /// `20260102T030405678Z-full.redobackup`.
  static func fileName(_ kind: Kind, _ time: Int64) -> String {
    let stamp = WallTime(milliseconds: time).text.filter { $0 != "-" && $0 != ":" && $0 != "." }
    return "\(stamp)-\(kind == .full ? "full" : "incr")\(suffix)"
  }

  /// Whether a name is one that `fileName` makes.
  static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let ends = ["-full\(suffix)", "-incr\(suffix)"]
    guard bytes.count == 19 + ends[0].utf8.count, ends.contains(where: name.hasSuffix) else {
      return false
    }
    return bytes[..<19].enumerated().allSatisfy { index, byte in
      switch index {
      case 8: byte == UInt8(ascii: "T")
      case 18: byte == UInt8(ascii: "Z")
      default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
  }

  /// The file with a line feed.
  package var bytes: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.add("depth", depth)
      json.addArray("files") { json in
        for file in files {
          json.object { json in
            json.add("in", file.holder)
            json.add("path", file.path)
            if file.isPrivate { json.add("private", true) }
            if file.isProgram { json.add("program", true) }
            json.add("sha256", Hex.text(file.digest.bytes.span))
            json.add("size", file.size)
          }
        }
      }
      json.add("format", Self.format)
      json.addObject("history") { history.write(to: &$0) }
      json.add("kind", kind.rawValue)
      json.addObject("left") { json in
        for (kind, count) in left.sorted(by: { $0.key < $1.key }) where count > 0 {
          json.name(text: kind.rawValue)
          json.value(count)
        }
      }
      json.addArray("members") { json in
        for part in parts {
          json.object { json in
            json.add("name", part.name)
            json.add("sha256", Hex.text(part.digest.bytes.span))
            json.add("size", part.size)
          }
        }
      }
      json.addArray("needs") { json in
        guard let needs else { return }
        json.object { json in
          json.add("name", needs.name)
          json.add("sha256", Hex.text(needs.digest.bytes.span))
        }
      }
      json.add("nodes", nodes)
      json.addObject("objects") { objects.write(to: &$0) }
      if isPrivate { json.add("private", true) }
      if receipts > 0 { json.add("receipts", receipts) }
      json.addObject("received") { json in
        json.add("bytes", logs.receivedBytes)
        json.add("sha256", Hex.text(logs.receivedDigest.bytes.span))
      }
      json.addObject("reflog") { json in
        json.add("bytes", logs.reflogBytes)
        json.add("chain", Hex.text(logs.chain.bytes.span))
        json.add("entry", logs.entry)
      }
      json.addObject("refs") { refs.write(to: &$0) }
      if schemas > 0 { json.add("schemas", schemas) }
      if let store { json.add("store", store.text) }
      json.add("time", WallTime(milliseconds: time).text)
      json.add("version", statedVersion)
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private var statedVersion: Int {
    if schemas > 0 { return Self.schemasVersion }
    return receipts > 0 ? Self.receiptsVersion : Self.version
  }

  /// Why a manifest cannot be used.
  enum Defect: Error {
    /// It is not one.
    case malformed
    /// It is of a later release.
    case unsupported(version: Int)
  }

  /// Reads a manifest, which must be exactly what `bytes` writes.
  init(_ text: [UInt8]) throws(Defect) {
    guard let row = AnswerMembers(text), row.text("format") == Self.format,
      let version = row.integer("version")
    else { throw .malformed }
    guard (Self.version...Self.schemasVersion).contains(Int(clamping: version)) else {
      throw .unsupported(version: Int(clamping: version))
    }
    guard let made = Self(row), made.bytes == text else { throw .malformed }
    self = made
  }

  private init?(_ row: AnswerMembers) {
    guard let kind = row.text("kind").flatMap(Kind.init(rawValue:)),
      let time = row.text("time").flatMap({ WallTime.parse(Array($0.utf8).span) }),
      let depth = row.count("depth"), let nodes = row.count("nodes"),
      let history = row.object("history").flatMap(IDSet.init),
      let objects = row.object("objects").flatMap(IDSet.init),
      let refs = row.object("refs").flatMap(IDSet.init),
      let logs = LogPoint(row), let parts = row.objects("members"),
      let files = row.objects("files"), let needs = row.objects("needs"), needs.count <= 1,
      (kind == .full) == needs.isEmpty, (kind == .full) == (depth == 0),
      let left = row.object("left")
    else { return nil }
    self.init(
      kind: kind, time: time.time.milliseconds, store: row.text("store").flatMap(StoreID.init),
      depth: depth, nodes: nodes, history: history, objects: objects, logs: logs,
      refs: refs)
    receipts = row.count("receipts") ?? 0
    schemas = row.count("schemas") ?? 0
    isPrivate = row.truth("private") ?? false
    for part in parts {
      guard let name = part.text("name"), let digest = part.digest, let size = part.size else {
        return nil
      }
      self.parts.append(Part(name: name, digest: digest, size: size))
    }
    for need in needs {
      guard let name = need.text("name"), Self.isName(name), let digest = need.digest else {
        return nil
      }
      self.needs = Part(name: name, digest: digest, size: 0)
    }
    for file in files {
      guard let path = file.text("path"), StoredPath(path).isTaken(isSealed: true),
        let digest = file.digest,
        let size = file.size, let holder = file.text("in"), Self.isName(holder)
      else { return nil }
      self.files.append(
        StoredFile(
          path: path, digest: digest, size: size, isPrivate: file.truth("private") ?? false,
          isProgram: file.truth("program") ?? false, holder: holder))
    }
    guard Set(self.files.map(\.path)).count == self.files.count else { return nil }
    for kind in StoredPath.LeftKind.allCases {
      if let count = left.count(kind.rawValue) { self.left[kind] = count }
    }
  }

  init(
    kind: Kind, time: Int64, store: StoreID?, depth: Int, nodes: Int, history: IDSet,
    objects: IDSet, logs: LogPoint, refs: IDSet
  ) {
    self.kind = kind
    self.time = time
    self.store = store
    self.depth = depth
    self.nodes = nodes
    self.history = history
    self.objects = objects
    self.logs = logs
    self.refs = refs
  }
}

extension BackupManifest.IDSet {
  fileprivate func write(to json: inout JSONWriter) {
    json.add("count", count)
    json.add("sha256", Hex.text(digest.bytes.span))
  }

  fileprivate init?(_ row: AnswerMembers) {
    guard let count = row.count("count"), let digest = row.digest else { return nil }
    self.init(count: count, digest: digest)
  }
}

extension LogPoint {
  fileprivate init?(_ row: AnswerMembers) {
    guard let received = row.object("received"), let reflog = row.object("reflog"),
      let entry = reflog.count("entry"), let chain = reflog.text("chain").flatMap(Digest.init),
      let reflogBytes = reflog.count("bytes"), let receivedBytes = received.count("bytes"),
      let digest = received.digest
    else { return nil }
    self.init(
      entry: entry, chain: chain, reflogBytes: reflogBytes, receivedBytes: receivedBytes,
      receivedDigest: digest)
  }
}

extension AnswerMembers {
  fileprivate var digest: Digest? { text("sha256").flatMap(Digest.init) }
  /// How many of something, or how many bytes: far below what an `Int` holds, so that sums of them fit.
  fileprivate func count(_ name: String) -> Int? {
    integer(name).flatMap { (0..<1 << 48).contains($0) ? Int($0) : nil }
  }
  fileprivate var size: Int? { count("size").flatMap { $0 <= TarHeader.sizeLimit ? $0 : nil } }
}

extension Digest {
  fileprivate init?(_ text: String) {
    guard let bytes = Hex.decode32(Array(text.utf8).span) else { return nil }
    self.init(bytes: bytes)
  }
}
