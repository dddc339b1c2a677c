// How the sides introduce themselves.
//
//   client   magic, 1 byte count of versions, the versions, 16 bytes salt, capabilities
//   server   magic, 1 byte version, 1 byte 0 or 16, store id, capabilities, varint and checkpoint

package import RedoCrypto
internal import RedoObject

/// Words for what a side can do; the other side ignores those that it does not know.
package struct WireCapabilities: Equatable, Sendable {
  /// The most bytes of all words, with the blanks between them.
  package static let byteLimit = 4096

  /// Lower-case letters, digits and `-`, in ascending order.
  package let words: [String]

  /// Capabilities.
  ///
  /// - Parameter words: in any order; `nil` results from other characters.
  package init?(_ words: [String] = []) {
    self.words = Array(Set(words)).sorted { Array($0.utf8).lexicographicallyPrecedes($1.utf8) }
    guard self.words.allSatisfy(Self.isWord),
      // A blank between two of them.
      self.words.reduce(-1, { $0 + $1.utf8.count + 1 }) <= Self.byteLimit
    else { return nil }
  }

  /// The word of a client that wants to know what is there but not offered.
  package static let unfitWord = "tells-unfit"
  /// The word of a client that wants to know all of that, and not only some of it.
  package static let allUnfitWord = "lists-unfit"
  /// The word of a side that goes on where a node cannot be read, and names it after the packs that lack it.
  package static let unsentWord = "tells-unsent"
  /// Whether that word is among them.
  var tellsUnsent: Bool { words.contains(Self.unsentWord) }
  /// The word of a client that wants to know which nodes it lacks, and not to have them: a server that repeats it names
  /// in place of packs what is asked for.
  package static let namesWord = "names-only"
  /// The word of a client that wants the server to read each node before it counts as there.
  package static let readWord = "reads-all"
  /// The word of a server that shows an account a part of its nodes, and says nothing of the rest.
  package static let partWord = "shows-part"
  /// Whether that word is among them.
  var tellsUnfit: Bool { words.contains(Self.unfitWord) }

  /// What the word of a client begins with that says the digest of all that it compares (RangeTree).
  static let root = "root-"
  /// That word.
  package static func word(root: Digest) -> String { Self.root + ObjectID(digest: root).hex }
  /// The digest that a client compares, if it says so.
  var rootDigest: Digest? {
    words.first { $0.hasPrefix(Self.root) }
      .flatMap { ObjectID(hex: Array($0.utf8.dropFirst(Self.root.utf8.count)).span)?.digest }
  }

  /// The word of a side that keeps access lists beside the nodes that it gets.
  package static let accessWord = "keeps-access"
  /// Whether that word is among them.
  package var keepsAccess: Bool { words.contains(Self.accessWord) }
  /// What the word begins with that says up to where a client knows a server's access lists, and how far they go.
  package static let access = "access-"

  /// No capabilities.
  package static let none = WireCapabilities(empty: ())
  private init(empty: Void) { words = [] }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  /// The beginning of the word that says how many nodes wait in the quarantine of a server.
  package static let waits = "waits-"
  /// The beginning of the word that says how many nodes a server compares.
  package static let nodes = "nodes-"
  /// What the words begin with that show that its log only grew.
  package static let grown = "grown-"

  /// The words that apply to a whole exchange; the others describe the moment or the first answer, and may differ
  /// in each answer of a server that remembers nothing.
  package var lasting: [String] {
    words.filter { word in
      ![
        Self.nodes, Self.grown, Self.access, Self.unfitWord, Withheld.total, Withheld.reason,
        Self.waits,
      ]
      .contains { word.hasPrefix($0) }
    }
  }

  func append(to output: inout [UInt8]) {
    let text = Array(words.joined(separator: " ").utf8)
    output.append(varint: UInt64(text.count))
    output += text
  }

  init(from reader: inout WireReader) throws(RemoteError) {
    let text = try reader.take(reader.count(limit: Self.byteLimit))
    let words = text.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard let known = WireCapabilities(words), known.words == words,
      Array(words.joined(separator: " ").utf8) == Array(text)
    else { throw reader.malformed("capabilities that are no words in ascending order") }
    self = known
  }
}

/// The constants of the wire.
package enum Wire {
  /// The versions that are spoken here.
  package static let versions: [UInt8] = [1, newest]
  /// The newest of them.
  package static let newest: UInt8 = 2
  /// What every greeting begins with.
  static let magic = Array("redo-wire\n".utf8)

  static func checkMagic(_ reader: inout WireReader) throws(RemoteError) {
    guard reader.rest >= magic.count, try Array(reader.take(magic.count)) == magic else {
      throw .malformed(offset: 0, reason: "it does not begin as redo-wire(5) does")
    }
  }
}

extension ClientHello {
  /// The same for a later request of an exchange, without what only the first answer says.
  package var later: ClientHello {
    let words = capabilities.words.filter {
      ![WireCapabilities.unfitWord, WireCapabilities.allUnfitWord].contains($0)
        && !$0.hasPrefix(WireCapabilities.access) && !$0.hasPrefix(WireCapabilities.root)
    }
    return ClientHello(
      versions: versions, salt: salt, capabilities: WireCapabilities(words) ?? .none)
  }
}

/// What a client says first.
package struct ClientHello: Equatable, Sendable {
  /// The versions it speaks, ascending.
  package let versions: [UInt8]
  /// What it has drawn for this exchange.
  package let salt: RangeSalt
  /// What it can do.
  package let capabilities: WireCapabilities

  /// A greeting.
  ///
  /// - Parameters:
  ///   - salt: 16 random bytes.
  ///   - capabilities: what the client can do.
  package init(salt: RangeSalt, capabilities: WireCapabilities = .none) {
    self.init(versions: Wire.versions, salt: salt, capabilities: capabilities)
  }

  init(versions: [UInt8], salt: RangeSalt, capabilities: WireCapabilities) {
    self.versions = versions
    self.salt = salt
    self.capabilities = capabilities
  }

  /// The newest version that both sides speak.
  package var common: UInt8? { versions.last { Wire.versions.contains($0) } }

  /// The payload of its frame.
  package var bytes: [UInt8] {
    var output = Wire.magic
    output.append(UInt8(versions.count))
    output += versions
    output.append(littleEndian: salt.words.0)
    output.append(littleEndian: salt.words.1)
    capabilities.append(to: &output)
    return output
  }

  /// Reads the payload of a frame.
  ///
  /// - Parameter bytes: the payload.
  /// - Throws: `malformed`.
  package init(decoding bytes: [UInt8]) throws(RemoteError) {
    var reader = WireReader(bytes)
    try Wire.checkMagic(&reader)
    versions = Array(try reader.take(Int(try reader.byte())))
    guard !versions.isEmpty, zip(versions, versions.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw reader.malformed("versions that do not ascend")
    }
    salt = RangeSalt(words: (try reader.number(), try reader.number()))
    capabilities = try WireCapabilities(from: &reader)
    try reader.end()
  }
}

/// What a server answers.
package struct ServerHello: Equatable, Sendable {
  /// The bytes of a store id.
  package static let storeBytes = 16
  /// The most bytes of a checkpoint.
  package static let checkpointLimit = 65_536

  /// The version that both speak from now on.
  package let version: UInt8
  /// The setting `core.id` of the store, 16 bytes, if it has one.
  package let store: [UInt8]?
  /// What it can do.
  package let capabilities: WireCapabilities
  /// Its last checkpoint, a note of redo-checkpoint(5), if it has one; not verified.
  package let checkpoint: [UInt8]?

  /// A greeting.
  ///
  /// - Parameters:
  ///   - version: one of the client's.
  ///   - store: 16 bytes, if the store has an id.
  ///   - capabilities: what the server can do.
  ///   - checkpoint: 1 to 65,536 bytes, or `nil`.
  package init(
    version: UInt8, store: [UInt8]?, capabilities: WireCapabilities = .none,
    checkpoint: [UInt8]? = nil
  ) {
    precondition(store.map { $0.count == Self.storeBytes } ?? true, "BUG: another store id")
    precondition(
      checkpoint.map { (1...Self.checkpointLimit).contains($0.count) } ?? true,
      "BUG: a checkpoint beyond the limit")
    self.version = version
    self.store = store
    self.capabilities = capabilities
    self.checkpoint = checkpoint
  }

  /// The payload of its frame.
  package var bytes: [UInt8] {
    var output = Wire.magic
    output.append(version)
    output.append(UInt8(store?.count ?? 0))
    output += store ?? []
    capabilities.append(to: &output)
    output.append(varint: UInt64(checkpoint?.count ?? 0))
    output += checkpoint ?? []
    return output
  }

  /// Reads the payload of a frame.
  ///
  /// - Parameter bytes: the payload.
  /// - Throws: `malformed`, and `unsupported` for a version that is not spoken here.
  package init(decoding bytes: [UInt8]) throws(RemoteError) {
    var reader = WireReader(bytes)
    try Wire.checkMagic(&reader)
    version = try reader.byte()
    guard Wire.versions.contains(version) else { throw .unsupported(versions: [version]) }
    let count = Int(try reader.byte())
    guard count == 0 || count == Self.storeBytes else {
      throw reader.malformed("a store id of \(count) bytes")
    }
    let store = Array(try reader.take(count))
    self.store = store.isEmpty ? nil : store
    capabilities = try WireCapabilities(from: &reader)
    let checkpoint = Array(try reader.take(reader.count(limit: Self.checkpointLimit)))
    self.checkpoint = checkpoint.isEmpty ? nil : checkpoint
    try reader.end()
  }
}
