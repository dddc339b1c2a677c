// What the bytes of an object are (protocol, section 6): the table of kinds, a column each below. Whoever works with
// objects of any kind asks these columns and not for a kind by name; only what is about tasks alone, as replay is, knows
// nodes.

package import DAGCBOR
package import RedoCrypto

/// The kind of an object: a label on its canonical bytes, not part of its name.
@frozen
package enum ObjectKind: UInt8, CaseIterable, Sendable {
  /// A signed change; its canonical bytes are its canonical body.
  case node
  /// Bytes without further meaning.
  case blob
  /// A signed memory; its canonical bytes are its preimage.
  case receipt
  /// A signed definition of a form; its canonical bytes are its canonical body.
  case schema

  /// The word in a loose object's header and in options.
  package var name: StaticString {
    switch self {
    case .node: "node"
    case .blob: "blob"
    case .receipt: "receipt"
    case .schema: "schema"
    }
  }

  /// Whether its objects make a history: they may be signed, name parents, are noted as received, and lie in packs.
  ///
  /// An object of such a kind takes the place of the same bytes without further meaning.
  package var hasHistory: Bool {
    switch self {
    case .node, .receipt, .schema: true
    case .blob: false
    }
  }

  /// The folder of the refs that name the heads of its groups, each of which may have several; `nil` without a history.
  package var headsFolder: StaticString? {
    switch self {
    case .node: "heads"
    case .receipt: "receipts"
    case .schema: "schemas"
    case .blob: nil
    }
  }

  /// What its objects are grouped by, for people; empty without a history.
  package var groupNoun: StaticString {
    switch self {
    case .node: "task"
    case .receipt: "chain"
    case .schema: "name"
    case .blob: ""
    }
  }

  /// So many of its groups, for people: `2 chains of receipts`, `the schemas of 1 name`.
  package func groupWords(_ count: Int) -> String {
    let groups = "\(count) \(groupNoun)\(count == 1 ? "" : "s")"
    return self == .schema ? "the schemas of \(groups)" : "\(groups) of \(name)s"
  }

  /// The number that stands for it at the beginning of a pack, from version 2 of packs on; 0 for the only kind of version 1, and
  /// `nil` for one that is in no pack.
  package var packNumber: UInt8? {
    switch self {
    case .node: 0
    case .receipt: 1
    case .schema: 2
    case .blob: nil
    }
  }

  /// Whether packs cut its objects into columns, and state the clocks of each frame.
  package var isColumnar: Bool {
    switch self {
    case .node, .schema: true
    case .receipt, .blob: false
    }
  }

  /// The most canonical bytes that an object has; `nil` where only the store limits them.
  package var byteLimit: Int? {
    switch self {
    case .node: Node.byteLimit
    case .receipt: Receipt.byteLimit
    case .schema: Schema.byteLimit
    case .blob: nil
    }
  }

  /// Appends what reading an object of this kind gives: of a node or schema its canonical JSON with id and signature.
  func appendContents(of object: StoredObject, to output: inout [UInt8]) {
    switch self {
    case .node:
      Node.appendWhole(
        body: object.canonical.span, id: object.id, signature: object.signature, to: &output)
    case .schema:
      Schema.appendWhole(
        body: object.canonical.span, id: object.id, signature: object.signature, to: &output)
    case .blob, .receipt: output.append(object.canonical.span)
    }
  }

  /// How many bytes `appendContents` appends.
  func contentsCount(of object: StoredObject) -> Int {
    switch self {
    case .node, .schema: Node.wholeCount(bodyCount: object.canonical.count, object.signature)
    case .blob, .receipt: object.canonical.count
    }
  }

  /// Where an object of this kind stands in its history; `nil` for bytes that have no place there.
  func place(of object: StoredObject, _ decoder: inout PlaceDecoder) -> HistoryPlace? {
    switch self {
    case .node:
      if let node = decoder.nodes.decode(object) { return HistoryPlace(node) }
      return decoder.nodes.decodeBroken(object).map { HistoryPlace($0) }
    case .receipt: return decoder.receipts.decode(object).map { HistoryPlace($0) }
    case .schema: return decoder.schemas.decode(object).map { HistoryPlace($0) }
    case .blob: return nil
    }
  }

  /// Appends the members of an object as JSON, on one line; nothing, and `false`, if it has none.
  package func appendMembers(of object: StoredObject, to output: inout [UInt8]) -> Bool {
    switch self {
    case .node, .schema:
      appendContents(of: object, to: &output)
      return true
    case .receipt: return Receipt.appendJSON(object.canonical, to: &output)
    case .blob: return false
    }
  }

  /// Appends a signature as it is written where an object of this kind is shown.
  package func append(_ signature: Signature, to output: inout [UInt8]) {
    switch self {
    case .node, .blob, .schema: Hex.append(signature.bytes.span, to: &output)
    case .receipt: Base64.append(signature.bytes.span, to: &output)
    }
  }

  /// In which form a signature of an object of this kind holds.
  ///
  /// - Parameters:
  ///   - signature: the signature.
  ///   - object: what it is said to be of.
  ///   - key: the signer's key.
  /// - Returns: the form; `nil` when it does not hold.
  func form(
    of signature: Signature, _ object: StoredObject, key: PublicKey
  ) -> SignatureForm? {
    switch self {
    case .node: Node.form(of: signature, body: object.canonical.span, id: object.id, key: key)
    case .receipt: Receipt.form(of: signature, preimage: object.canonical.span, key: key)
    case .schema: Ed25519.isValid(signature, of: object.canonical.span, by: key) ? .body : nil
    case .blob: nil
    }
  }

  /// The rule that an object breaks which is none of this kind.
  package var formRule: Rule {
    switch self {
    case .node, .blob: .nodeType
    case .receipt: .receiptForm
    case .schema: .schemaForm
    }
  }

  /// The rule that an object of this kind breaks which is too large.
  package var sizeRule: Rule {
    switch self {
    case .node, .blob: .nodeSize
    case .receipt: .receiptSize
    case .schema: .schemaSize
    }
  }

  /// How an object of this kind is named where redo says something about it.
  package func title(of id: ObjectID) -> String {
    switch self {
    case .node, .blob, .schema: id.text
    case .receipt: id.cidText(as: self)
    }
  }

  /// What a CID says of the bytes of an object of this kind.
  package var codec: CID.Codec {
    switch self {
    case .node, .blob, .schema: .raw
    case .receipt: .dagCBOR
    }
  }

  /// All kinds, made once: headers and names of refs are read by the million.
  private static let all = allCases

  /// The kinds whose objects enter a history group by group (`GroupedObject`).
  package static let grouped: [ObjectKind] = [.receipt, .schema]

  /// The kinds whose objects lie in packs.
  package static let packed = all.filter { $0.packNumber != nil }

  /// The kind of the objects of a pack.
  package init?(packNumber: UInt8) {
    guard let kind = Self.packed.first(where: { $0.packNumber == packNumber }) else { return nil }
    self = kind
  }

  /// Reads the word.
  package init?(name: some StringProtocol) {
    guard let kind = Self.all.first(where: { $0.name.description == name }) else { return nil }
    self = kind
  }

  /// Reads the word, and the space behind it, at the beginning of some bytes.
  package init?(header bytes: Span<UInt8>) {
    for kind in Self.all where kind.isWord(bytes) {
      self = kind
      return
    }
    return nil
  }

  /// The kind whose heads the refs of a folder name.
  package init?(headsFolder bytes: ArraySlice<UInt8>) {
    for kind in Self.all {
      guard let folder = kind.headsFolder, bytes.span.elementsEqual(folder) else { continue }
      self = kind
      return
    }
    return nil
  }

  private func isWord(_ bytes: Span<UInt8>) -> Bool {
    let count = name.utf8CodeUnitCount
    return bytes.count > count && bytes[count] == UInt8(ascii: " ")
      && bytes.extracting(0..<count).elementsEqual(name)
  }

  /// Whether refs of this folder name heads, of whichever kind.
  package static func isHeadsFolder(_ bytes: ArraySlice<UInt8>) -> Bool {
    ObjectKind(headsFolder: bytes) != nil
  }
}
