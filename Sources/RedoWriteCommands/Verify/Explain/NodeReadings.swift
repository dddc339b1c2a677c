// Everything that can be found out about one node's id and signature.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The readings of a node, which need not be valid.
struct NodeReadings {
  /// The id that it states.
  let stated: ObjectID?
  /// The recipes for its id, the protocol's first.
  let ids: [IDReading]
  /// Its signature.
  let signature: Signature?
  /// The key of its author, and whether the node carries it itself.
  let key: (key: PublicKey, isOwn: Bool)?
  /// The readings of its signature.
  let signatures: [SignatureReading]

  /// The readings of a node of a store.
  init?(
    _ object: StoredObject, _ keys: inout ReadingKeys
  ) throws {
    guard var whole = ReadingText(object.canonical) else { return nil }
    whole = whole.setting("id", Array("\"\(object.id.text)\"".utf8))
    if let signature = object.signature {
      whole = whole.setting(
        "signature", Array("\"\(Hex.text(signature.bytes.span))\"".utf8))
    }
    try self.init(whole, raw: nil, &keys)
  }

  /// The readings of a text.
  ///
  /// - Returns: `nil` when it is not a JSON object.
  init?(raw: [UInt8], _ keys: inout ReadingKeys) throws {
    guard let canonical = RawReading(raw)?.canonical, let whole = ReadingText(canonical) else {
      return nil
    }
    try self.init(whole, raw: raw, &keys)
  }

  private init(
    _ whole: ReadingText, raw: [UInt8]?, _ keys: inout ReadingKeys
  ) throws {
    stated = whole.string("id").flatMap { ObjectID(ascii: $0.span) }
    ids = IDReading.all(whole, raw: raw)
    signature = whole.string("signature").flatMap { Hex.decode64($0.span) }
      .map { Signature(bytes: $0) }
    key = try keys.key(of: whole)
    signatures = SignatureReading.all(ids, stated: stated, signature, key?.key)
  }
}

/// The keys of authors: from nodes themselves, a trust file, a store, and earlier nodes.
struct ReadingKeys: ~Copyable {
  private let store: ObjectStore?
  private var directory: KeyDirectory
  private var hasRead = false
  private var decoder = NodeDecoder(envelope: .strip)

  /// - Parameter sources: the places where keys are looked for.
  init(_ sources: KeySources) {
    store = sources.store
    directory = KeyDirectory(sources.trust)
  }

  /// The key of a node's author, and whether the node carries it itself.
  fileprivate mutating func key(
    of whole: ReadingText
  ) throws -> (key: PublicKey, isOwn: Bool)? {
    guard let author = whole["author"].flatMap(ReadingText.init) else { return nil }
    if let text = author.string("publicKey"), let bytes = Hex.decode32(text.span) {
      if let node = decoder.decode(whole.removing("id").bytes.span) { directory.note(node) }
      return (PublicKey(bytes: bytes), true)
    }
    guard let text = author.string("userId"), let user = UserID(hex: text.span) else {
      return nil
    }
    if !hasRead, directory.trustedKey(of: user) == nil, let store {
      hasRead = true
      try directory.noteAll(in: store)
    }
    return directory.key(of: user).map { ($0, false) }
  }
}
