// What is remembered of a collection, in `.redo/remotes/<name>/firestore/`:
//
//   lock     held by the process that uses the rest
//   mirror   which documents exist, and up to when that has been looked at
//   bodies   of documents that were read but not handed over
//
// All of it may be deleted at any time: then it is looked for again.

package import RedoObject
internal import RedoRemote
package import RedoStore

/// What is remembered of a collection.
///
/// A class, because listing, fetching and pushing change the same data.
package final class Mirror {
  /// Its directory below that of the remote.
  private static let folder = Layout.mirror
  private static let lockName = "lock"
  /// More records than this for each that still says something: the file is written anew.
  private static let spareFactor = 3
  private static let spareRecords = 1000

  /// The nodes that are known, by id.
  package private(set) var nodes: [ObjectID: MirrorNode] = [:]
  /// The documents that are not offered, by the last part of their names.
  package private(set) var unfit: [String: UnfitDocument] = [:]
  /// When the newest of what is known was created, in microseconds since 1970; `nil` before all names have been read.
  package private(set) var cursor: Int64?
  /// How far a listing by name has come that began at a moment.
  package private(set) var page: (began: Int64, after: String)?
  /// The nodes that were there and are not, until somebody has sent them again.
  package private(set) var lost: Set<ObjectID> = []
  /// The nodes that were written, and that the account's document does not name yet, in their order.
  package private(set) var owed: [ObjectID] = []
  /// When all names were listed last, in milliseconds since 1970; `nil` if that is not known.
  package private(set) var listed: Int64?
  /// Whether that was in this run; otherwise numbers were compared, and changes that balance are not seen.
  package private(set) var isListed = false

  /// Bodies that were read.
  let bodies: BodyFile
  private var file: MirrorFile?
  private let lock: LockFile?

  /// An empty mirror that is not kept.
  ///
  /// - Parameter directory: where bodies are kept for the time being.
  /// - Throws: what the calls answered.
  package init(temporaryIn directory: String) throws(SystemError) {
    bodies = try BodyFile(unnamedIn: directory)
    lock = nil
  }

  /// What is remembered of a remote; what is of another owner is thrown away.
  ///
  /// - Parameters:
  ///   - remote: the remote's name.
  ///   - store: the store's directory.
  ///   - owner: what the documents are of: project, database, account and the like.
  ///   - timeoutMilliseconds: how long to wait for another run.
  /// - Returns: `nil` when another run has it for longer.
  /// - Throws: what the calls answered.
  package static func open(
    of remote: String, in store: borrowing Directory, owner: String, timeoutMilliseconds: Int
  ) throws(SystemError) -> Mirror? {
    try store.makeDirectory(Layout.remotes)
    let outer = "\(Layout.remotes)/\(remote)"
    try store.makeDirectory(outer)
    try store.makeDirectory("\(outer)/\(folder)", mode: 0o700)
    let directory = try store.openSubdirectory("\(outer)/\(folder)", isFollowing: false)
    guard
      let lock = try LockFile.acquire(
        in: directory, name: lockName, timeoutMilliseconds: timeoutMilliseconds)
    else { return nil }
    return try Mirror(directory, lock, owner)
  }

  private init(
    _ directory: borrowing Directory, _ lock: consuming LockFile, _ owner: String
  ) throws(SystemError) {
    var contents = MirrorContents()
    var file = try MirrorFile(in: directory) { contents.take($0, $1, owner) }
    let bodies = try BodyFile(in: directory)
    let isForeign = !contents.isOwned
    if isForeign { contents = MirrorContents() }
    let useful = contents.nodes.count + contents.unfit.count
    if isForeign || file.recordCount > Self.spareFactor * useful + Self.spareRecords {
      if isForeign { try bodies.clear() }
      try MirrorFile.replace(in: directory, with: contents.records(owner))
      file = try MirrorFile(in: directory) { _, _ in true }
    }
    nodes = contents.nodes
    unfit = contents.unfit
    cursor = contents.cursor
    page = contents.page
    lost = contents.lost
    owed = contents.owed
    listed = contents.listed
    self.bodies = bodies
    self.file = consume file
    self.lock = consume lock
  }

  // MARK: Changes

  /// Adds what was read.
  ///
  /// - Parameters:
  ///   - found: nodes; of a known one the old is forgotten.
  ///   - broken: documents that are not offered.
  /// - Throws: what write(2) answered.
  package func add(_ found: [MirrorNode], unfit broken: [UnfitDocument] = []) throws(SystemError) {
    var records: [(kind: MirrorFile.Kind, payload: [UInt8])] = []
    for document in broken where unfit[document.documentID] != document {
      records.append((.unfit, document.bytes))
    }
    for node in found where nodes[node.id] != node || unfit[node.id.text] != nil {
      records.append((.node, node.bytes))
    }
    try append(records)
    for document in broken {
      unfit[document.documentID] = document
      if let id = ObjectID(text: document.documentID) { nodes[id] = nil }
    }
    for node in found {
      nodes[node.id] = node
      unfit[node.id.text] = nil
      lost.remove(node.id)
    }
  }

  /// Forgets nodes that are gone, and remembers that they are.
  ///
  /// - Parameter ids: the nodes.
  /// - Throws: what write(2) answered.
  package func lose(_ ids: [ObjectID]) throws(SystemError) {
    guard !ids.isEmpty else { return }
    // A record has a limit.
    for start in stride(from: 0, to: ids.count, by: 1000) {
      let part = Array(ids[start..<min(start + 1000, ids.count)])
      try append([(.lost, MirrorWriter.bytes(of: part))])
    }
    for id in ids { nodes[id] = nil }
    lost.formUnion(ids)
  }

  /// Forgets what is gone: it was said, and everything that could be sent again was.
  ///
  /// - Throws: what write(2) answered.
  package func settle() throws(SystemError) {
    guard !lost.isEmpty else { return }
    try append([(.settled, [])])
    lost = []
  }

  /// What the numbers of the service should be: how many documents the account may read, how many of them have a
  /// logical time, and the sum of these.
  var expected: (count: Int, clocked: Int, sum: Int128, doubles: Double?) {
    var (count, clocked, sum, doubles) = (0, 0, Int128(0), Double?.none)
    for node in nodes.values where node.isListed {
      count += 1
      clocked += 1
      sum += Int128(node.lamport.value)
    }
    for document in unfit.values where document.isListed {
      count += 1
      switch document.clock {
      case .none: continue
      case .integer(let number): sum += Int128(number)
      case .double(let number): doubles = (doubles ?? 0) + number
      case .other: break
      }
      clocked += 1
    }
    return (count, clocked, sum, doubles)
  }

  /// The names of all documents that the account may read, in the order of their bytes.
  var names: [String] {
    let known =
      nodes.values.lazy.filter(\.isListed).map(\.id.text)
      + unfit.values.lazy.filter(\.isListed).map(\.documentID)
    return known.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Remembers, before they are written, that the account's document is to name nodes: the writer may be
  /// ended before it knows what became of them.
  ///
  /// - Parameter ids: the nodes.
  /// - Throws: what write(2) answered.
  package func owe(_ ids: [ObjectID]) throws(SystemError) {
    let known = Set(owed)
    let new = ids.filter { !known.contains($0) }
    guard !new.isEmpty else { return }
    try append([(.owed, MirrorWriter.bytes(of: new))])
    owed += new
  }

  /// Adds nodes that were written.
  ///
  /// - Parameter written: the nodes, which the account's document is to name.
  /// - Throws: what write(2) answered.
  package func add(written: [MirrorNode]) throws(SystemError) {
    try owe(written.map(\.id))
    try add(written)
  }

  /// Remembers that the account's document names what was written.
  ///
  /// - Parameter rest: the nodes for which this is not known.
  /// - Throws: what write(2) answered.
  package func pay(but rest: [ObjectID] = []) throws(SystemError) {
    guard owed != rest else { return }
    try append([(.paid, [])] + (rest.isEmpty ? [] : [(.owed, MirrorWriter.bytes(of: rest))]))
    owed = rest
  }

  /// Forgets documents that were unfit and are gone.
  ///
  /// - Parameter names: the last parts of their names.
  /// - Throws: what write(2) answered.
  package func drop(_ names: [String]) throws(SystemError) {
    try append(names.map { (.dropped, MirrorWriter.bytes(of: $0)) })
    for name in names { unfit[name] = nil }
  }

  /// Remembers when the newest of what is known was created.
  ///
  /// - Parameter moment: microseconds since 1970.
  /// - Throws: what write(2) answered.
  package func advance(to moment: Int64) throws(SystemError) {
    guard moment != cursor || page != nil else { return }
    try append([(.cursor, MirrorWriter.bytes(of: moment))])
    cursor = moment
    page = nil
  }

  /// Remembers that all names were listed.
  ///
  /// - Parameter moment: milliseconds since 1970.
  /// - Throws: what write(2) answered.
  package func noteListed(at moment: Int64) throws(SystemError) {
    try append([(.listed, MirrorWriter.bytes(of: moment))])
    listed = moment
    isListed = true
  }

  /// Remembers how far a listing by name has come.
  ///
  /// - Parameters:
  ///   - began: when it began.
  ///   - name: the last one seen.
  /// - Throws: what write(2) answered.
  package func turn(began: Int64, after name: String) throws(SystemError) {
    try append([(.page, MirrorWriter.bytes(of: began, name))])
    page = (began, name)
  }

  private func append(_ records: [(kind: MirrorFile.Kind, payload: [UInt8])]) throws(SystemError) {
    try file?.append(records)
  }
}

/// What the records of a mirror come to.
private struct MirrorContents {
  var nodes: [ObjectID: MirrorNode] = [:]
  var unfit: [String: UnfitDocument] = [:]
  var cursor: Int64?
  var page: (began: Int64, after: String)?
  var lost: Set<ObjectID> = []
  var owed: [ObjectID] = []
  var listed: Int64?
  var isOwned = false

  /// Takes a record; answers whether it is understood.
  mutating func take(
    _ kind: MirrorFile.Kind, _ payload: ArraySlice<UInt8>, _ owner: String
  ) -> Bool {
    var reader = MirrorReader(payload)
    switch kind {
    case .owner: isOwned = payload.elementsEqual(owner.utf8)
    case .node:
      guard let node = MirrorNode(payload) else { return false }
      nodes[node.id] = node
      unfit[node.id.text] = nil
      lost.remove(node.id)
    case .unfit:
      guard let document = UnfitDocument(payload) else { return false }
      unfit[document.documentID] = document
      if let id = ObjectID(text: document.documentID) { nodes[id] = nil }
    case .cursor:
      guard let moment = reader.number() else { return false }
      cursor = Int64(bitPattern: moment)
      page = nil
    case .lost:
      while let id = reader.id() {
        nodes[id] = nil
        lost.insert(id)
      }
    case .settled: lost = []
    case .page:
      guard let moment = reader.number(), let name = reader.text() else { return false }
      page = (Int64(bitPattern: moment), name)
    case .dropped:
      guard let name = reader.text() else { return false }
      unfit[name] = nil
    case .owed: while let id = reader.id() { owed.append(id) }
    case .paid: owed = []
    case .listed:
      guard let moment = reader.number() else { return false }
      listed = Int64(bitPattern: moment)
    }
    return true
  }

  /// The fewest records that come to the same.
  func records(_ owner: String) -> [(kind: MirrorFile.Kind, payload: [UInt8])] {
    var records: [(kind: MirrorFile.Kind, payload: [UInt8])] = [(.owner, Array(owner.utf8))]
    for node in nodes.values.sorted(by: { $0.id < $1.id }) { records.append((.node, node.bytes)) }
    for document in unfit.values.sorted(by: { $0.documentID < $1.documentID }) {
      records.append((.unfit, document.bytes))
    }
    if let cursor { records.append((.cursor, MirrorWriter.bytes(of: cursor))) }
    if let listed { records.append((.listed, MirrorWriter.bytes(of: listed))) }
    if let page { records.append((.page, MirrorWriter.bytes(of: page.began, page.after))) }
    // A record has a limit.
    let gone = lost.sorted()
    for start in stride(from: 0, to: gone.count, by: 1000) {
      let part = Array(gone[start..<min(start + 1000, gone.count)])
      records.append((.lost, MirrorWriter.bytes(of: part)))
    }
    for start in stride(from: 0, to: owed.count, by: 1000) {
      let part = Array(owed[start..<min(start + 1000, owed.count)])
      records.append((.owed, MirrorWriter.bytes(of: part)))
    }
    return records
  }
}

extension MirrorWriter {
  static func bytes(of ids: [ObjectID]) -> [UInt8] {
    var writer = MirrorWriter()
    for id in ids { writer.append(id) }
    return writer.bytes
  }

  static func bytes(of text: String) -> [UInt8] {
    var writer = MirrorWriter()
    writer.append(text: text)
    return writer.bytes
  }

  static func bytes(of moment: Int64, _ text: String? = nil) -> [UInt8] {
    var writer = MirrorWriter()
    writer.append(number: UInt64(bitPattern: moment))
    if let text { writer.append(text: text) }
    return writer.bytes
  }
}
