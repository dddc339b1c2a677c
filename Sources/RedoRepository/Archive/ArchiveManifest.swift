// The file beside an archive that describes it: one line of RFC 8785 JSON (redo-pack(5), "Manifests").
//
//   {"bytes":…,"encrypted":true,"format":"redo-archive-manifest","heads":[…],"ids":"…","lamports":[…,…],"name":"…",
//    "nodes":…,"prerequisites":[…],"sha256":"…","store":"…","version":1,"walls":["…","…"]}
//
// Everything except `store` follows from the archive. There is no path, host or creation time in it.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// The description of an archive.
package struct ArchiveManifest {
  package static let version = 1
  /// The end of the name of a manifest.
  package static let suffix = ".manifest"
  /// The suffix of the file beside an archive that holds what a remote says about its nodes.
  static let documentsSuffix = ".documents"
  /// The largest manifest in bytes: enough for about a million heads and prerequisites.
  package static let byteLimit = 1 << 26
  private static let format = "redo-archive-manifest"

  /// Whether a file of a directory is the manifest of another one there, its signature, or its documents.
  package static func isBeside(_ name: String, in names: Set<String>) -> Bool {
    [ManifestSignature.suffix, suffix, documentsSuffix].contains { suffix in
      name.hasSuffix(suffix) && names.contains(String(name.dropLast(suffix.utf8.count)))
    }
  }

  /// What the archive says about itself.
  package let directory: PackDirectory
  /// The bytes of the file.
  package let fileBytes: Int
  /// SHA-256 of the file.
  package let fileDigest: Digest
  /// Whether it is encrypted.
  package let isSealed: Bool
  /// The nodes that no other node of the archive names as parent, in ascending order.
  package let heads: [ObjectID]
  /// The SHA-256 of the ids, ascending, a line each, as a checkpoint states it; manifests of earlier releases lack it.
  package private(set) var idsDigest: Digest?
  /// The store that it was made from.
  package var store: StoreID?

  /// Creates a manifest with these members.
  package init(
    directory: PackDirectory, fileBytes: Int, fileDigest: Digest, isSealed: Bool, heads: [ObjectID],
    idsDigest: Digest, store: StoreID? = nil
  ) {
    self.idsDigest = idsDigest
    self.directory = directory
    self.fileBytes = fileBytes
    self.fileDigest = fileDigest
    self.isSealed = isSealed
    self.heads = heads
    self.store = store
  }

  /// A member and its value as JSON.
  private typealias Member = (name: String, value: [UInt8])

  /// The members in RFC 8785 order; `store` is left out when there is none.
  private var members: [Member] {
    var members: [Member] = [("bytes", Self.number(fileBytes))]
    if isSealed { members.append(("encrypted", Array("true".utf8))) }
    members.append(("format", Self.text(Self.format)))
    members.append(("heads", Self.ids(heads)))
    if let idsDigest { members.append(("ids", Self.text(Hex.text(idsDigest.bytes.span)))) }
    if directory.kind != .node { members.append(("kind", Self.text("\(directory.kind.name)"))) }
    if let lamports = directory.lamports {
      members.append(
        ("lamports", Array("[\(lamports.lowerBound),\(lamports.upperBound)]".utf8)))
    }
    members.append(("name", Self.text(ArchiveRow.hex(directory))))
    members.append(("nodes", Self.number(directory.nodes)))
    members.append(("prerequisites", Self.ids(directory.prerequisites)))
    members.append(("sha256", Self.text(Hex.text(fileDigest.bytes.span))))
    if let store { members.append(("store", Self.text(store.text))) }
    members.append(("version", Self.number(Self.version)))
    if let walls = directory.walls {
      let ends = [walls.lowerBound, walls.upperBound].map {
        Moment(milliseconds: $0).map { WallTime(milliseconds: $0.milliseconds).text } ?? ""
      }
      members.append(("walls", Array("[\"\(ends[0])\",\"\(ends[1])\"]".utf8)))
    }
    return members
  }

  private static func number(_ value: Int) -> [UInt8] { Array("\(value)".utf8) }

  /// A text that needs no escaping.
  private static func text(_ value: String) -> [UInt8] { Array("\"\(value)\"".utf8) }

  private static func ids(_ ids: [ObjectID]) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "[")]
    for (place, id) in ids.enumerated() {
      text += (place == 0 ? "\"" : ",\"").utf8
      id.append(to: &text)
      text.append(UInt8(ascii: "\""))
    }
    text.append(UInt8(ascii: "]"))
    return text
  }

  /// The bytes of the file: the line and its end.
  package var bytes: [UInt8] {
    var text: [UInt8] = []
    for (place, member) in members.enumerated() {
      text += "\(place == 0 ? "{" : ",")\"\(member.name)\":".utf8
      text += member.value
    }
    text += "}\n".utf8
    return text
  }

  /// Compares a manifest with what was found in the archive; the store is not compared.
  ///
  /// - Parameter text: the bytes of the manifest.
  /// - Returns: a pointer to the first member that differs, empty for what follows the last; `nil` when nothing
  ///   differs.
  package func difference(from text: [UInt8]) -> String? {
    var found = self
    found.store = Self.store(in: text)
    if !Self.statesIDs(text) { found.idsDigest = nil }
    guard found.bytes != text else { return nil }
    if let version = Self.value(of: "version", in: text), version != Self.number(Self.version) {
      return "/version"
    }
    var place = 0
    for (index, member) in found.members.enumerated() {
      let expected = Array("\(index == 0 ? "{" : ",")\"\(member.name)\":".utf8) + member.value
      guard text[place...].starts(with: expected),
        text.count > place + expected.count,
        [UInt8(ascii: ","), UInt8(ascii: "}")].contains(text[place + expected.count])
      else { return "/\(member.name)" }
      place += expected.count
    }
    return ""
  }

  /// The text after the name of a member, up to the next comma.
  private static func value(of name: String, in text: [UInt8]) -> [UInt8]? {
    let mark = Array("\"\(name)\":".utf8)
    // The member that is looked for follows the IDs, which make a manifest long.
    var place = max(0, text.count - 512)
    while place + mark.count <= text.count {
      if text[place..<place + mark.count].elementsEqual(mark) {
        return Array(text[(place + mark.count)...].prefix { $0 != UInt8(ascii: ",") })
      }
      place += 1
    }
    return nil
  }

  /// Whether a manifest has the member `ids`, which follows the array of the heads.
  private static func statesIDs(_ text: [UInt8]) -> Bool {
    guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
    return text[end...].starts(with: Array("],\"ids\":".utf8))
  }

  private static func store(in text: [UInt8]) -> StoreID? {
    guard let value = value(of: "store", in: text), value.count == 34 else { return nil }
    return StoreID(text: String(decoding: value.dropFirst().dropLast(), as: UTF8.self))
  }
}
