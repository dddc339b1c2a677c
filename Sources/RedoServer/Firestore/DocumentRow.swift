// What is known in memory about a document: its name, its times, its place, and the values that queries need.

internal import FirestoreModel
internal import RedoObject
internal import RedoStore

/// The name of a document below `documents/`.
enum DocumentKey: Hashable, Sendable {
  /// `nodes/sha256:<64 hex digits>`
  case node(ObjectID)
  /// Any other, as UTF-8.
  case other([UInt8])

  /// The collection of nodes, and that of accounts.
  static let nodes = "nodes"
  static let users = "users"

  private static let nodesPrefix = Array("nodes/".utf8)

  /// The key of a name.
  init(_ path: [UInt8]) {
    if path.count == Self.nodesPrefix.count + ObjectID.textCount,
      path.starts(with: Self.nodesPrefix),
      let id = ObjectID(ascii: path.span.extracting(Self.nodesPrefix.count..<path.count))
    {
      self = .node(id)
    } else {
      self = .other(path)
    }
  }

  /// The key of a document.
  init(_ name: DocumentName) { self.init(Array(name.relative.utf8)) }

  /// The path below `documents/`.
  var path: [UInt8] {
    switch self {
    case .node(let id):
      var path = Self.nodesPrefix
      id.append(to: &path)
      return path
    case .other(let path): return path
    }
  }

  /// The path as text.
  var text: String { String(decoding: path, as: UTF8.self) }

  /// The names on the path.
  var names: [String] { text.split(separator: "/").map(String.init) }

  /// The id of the document in its collection.
  var id: [UInt8] {
    switch self {
    case .node(let id):
      var text: [UInt8] = []
      id.append(to: &text)
      return text
    case .other(let path):
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
      return Array(path[(slash + 1)...])
    }
  }

  /// The path of the collection.
  var collection: [UInt8] {
    switch self {
    case .node: return Array(Self.nodes.utf8)
    case .other(let path):
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
      return Array(path[..<slash])
    }
  }
}

extension DocumentKey: Comparable {
  static func < (left: DocumentKey, right: DocumentKey) -> Bool {
    if case .node(let one) = left, case .node(let other) = right { return one < other }
    return left.path.lexicographicallyPrecedes(right.path)
  }
}

/// A document.
struct DocumentRow: Sendable {
  /// Where the bytes of a document are.
  enum Place: Sendable {
    /// It is made from a node of the store.
    case node
    /// In a log.
    case log(offset: Int, count: Int)
  }

  /// What has become of a node that was posted.
  enum Fate: UInt8, Sendable {
    /// It has not been offered to the store.
    case untried = 0
    /// It is in the history.
    case taken = 1
    /// It waits in the quarantine.
    case waiting = 2
    /// It is not a node, or one that the store refuses.
    case refused = 3
  }

  /// Its name.
  let key: DocumentKey
  /// When it was made, in microseconds since 1970.
  var created: Int64
  /// When it was last changed.
  var updated: Int64
  /// Its place.
  var place: Place
  /// Whether it is a node of the history.
  var fate: Fate
  /// What queries ask for.
  var held: HeldMembers
  /// The account that wrote it last; empty where nobody has noted it.
  var account = ""
  /// The log that its place is in.
  ///
  /// A row keeps it: the server may have put another log in its place since.
  var log: DocumentLog?

  /// What its account has of the quotas by it; nothing for a node of the history.
  var use: DocumentUse? {
    guard case .log(_, let count) = place else { return nil }
    if case .node = key, fate == .taken { return nil }
    return DocumentUse(documents: 1, bytes: count)
  }
}

extension FirestoreTimestamp {
  /// The first and the last microsecond that has a text.
  static let microseconds =
    (range.lowerBound * 1_000_000)...(range.upperBound * 1_000_000 + 999_999)

  /// An instant; one that has no text is the nearest that has.
  ///
  /// - Parameter microseconds: since 1970.
  init(microseconds: Int64) {
    let time = min(max(microseconds, Self.microseconds.lowerBound), Self.microseconds.upperBound)
    let seconds = time >= 0 ? time / 1_000_000 : (time - 999_999) / 1_000_000
    guard let made = Self(seconds: seconds, nanoseconds: (time - seconds * 1_000_000) * 1000)
    else { preconditionFailure("BUG: a time within the range is none") }
    self = made
  }

  /// Microseconds since 1970.
  var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds) / 1000 }
}
