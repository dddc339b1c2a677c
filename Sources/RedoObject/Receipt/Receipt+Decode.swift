// From bytes to a receipt: read strictly, judge every member, hash the preimage. Bytes are never changed: what is not
// canonical is refused.

internal import CanonicalJSON
internal import DAGCBOR
package import RedoCrypto

/// Decodes receipts one after another.
package struct ReceiptDecoder {
  /// The rules that apply.
  package let profile: Profile
  /// Every broken rule of the receipt decoded last, warnings included.
  package private(set) var findings: [Finding] = []

  /// A decoder for a profile.
  package init(profile: Profile = .v1) { self.profile = profile }

  /// Decodes one receipt.
  ///
  /// - Parameters:
  ///   - preimage: one DAG-CBOR map.
  ///   - signature: the signature that came with it.
  /// - Returns: the receipt; `nil` when `findings` has an error.
  package mutating func decode(_ preimage: [UInt8], signature: Signature?) -> Receipt? {
    decode(preimage, signature: signature, id: nil)
  }

  /// Decodes a receipt that a store keeps: its id has been checked by reading it.
  ///
  /// - Parameter object: an object of kind receipt.
  /// - Returns: the receipt; `nil` when `findings` has an error.
  package mutating func decode(_ object: StoredObject) -> Receipt? {
    decode(object.canonical, signature: object.signature, id: object.id)
  }

  private mutating func decode(
    _ preimage: [UInt8], signature: Signature?, id: ObjectID?
  ) -> Receipt? {
    findings.removeAll(keepingCapacity: true)
    guard preimage.count <= Receipt.byteLimit else {
      findings.append(Finding(.receiptSize, at: .pointer("")))
      return nil
    }
    let document: CBORDocument
    do throws(CBORError) {
      document = try CBORDocument(preimage)
    } catch {
      findings.append(Finding(error))
      return nil
    }
    guard case .map = document.root.form else {
      findings.append(Finding(.receiptForm, at: .pointer(""), detail: document.root.excerpt))
      return nil
    }
    var judge = ReceiptJudge(document.root)
    judge.judge()
    findings = judge.findings
    guard !findings.contains(where: { profile.severity(of: $0) == .error }),
      let form = judge.form, let did = judge.did, let type = judge.type
    else { return nil }
    let id = id ?? ObjectID(digest: SHA256.digest(of: preimage.span))
    return Receipt(
      id: id, preimage: preimage, signature: signature, form: form, did: did,
      deviceID: judge.deviceID, type: type, parent: judge.parent, root: judge.root ?? id,
      claimed: judge.claimed, card: judge.card, deleted: judge.deleted)
  }
}

/// Judges what has been read, and collects the findings.
struct ReceiptJudge {
  /// The members of an envelope.
  enum Member: Int, CaseIterable {
    case did, deviceId, receiptType, payload, parentCID, rootCID, blobs

    private static let names: [StaticString] = [
      "did", "deviceId", "receiptType", "payload", "parentCID", "rootCID", "blobs",
    ]

    /// As it stands in an envelope.
    var name: String { "\(Self.names[rawValue])" }

    /// The member with a key; `nil` for a key that none has.
    init?(_ key: CBORValue) {
      guard let place = Self.names.firstIndex(where: key.isText) else { return nil }
      self.init(rawValue: place)
    }
  }

  /// Those of the envelope, in the order of `Member`.
  private var members = [CBORValue?](repeating: nil, count: Member.allCases.count)
  /// What a chain's first receipt of client form says instead of a root.
  static let itself = "SELF"

  var findings: [Finding] = []
  private(set) var form: Receipt.Form?
  private(set) var did: DID?
  private(set) var deviceID: String?
  private(set) var type: String?
  private(set) var parent: ObjectID?
  private(set) var root: ObjectID?
  var claimed: Int64?
  var card: PublicKey?
  var deleted: ObjectID?

  /// What judges a map.
  init(_ envelope: CBORValue) {
    for (key, value) in envelope.members {
      if let member = Member(key) {
        members[member.rawValue] = value
      } else if value.form == .null {
        report(.memberNull, [key.text ?? ""])
      } else {
        report(.memberUnknown, [key.text ?? ""])
        examine(value, [key.text ?? ""], looksForPlaces: false)
      }
    }
  }

  /// Records a broken rule.
  mutating func report(_ rule: Rule, _ steps: [String], _ value: CBORValue? = nil) {
    findings.append(Finding(rule, at: steps, detail: value?.excerpt ?? ""))
  }

  /// A member, if it is present and not null, which is reported, as is its absence where it is required.
  private mutating func present(_ member: Member, required: Bool) -> CBORValue? {
    guard let value = members[member.rawValue] else {
      if required { report(.memberMissing, [member.name]) }
      return nil
    }
    guard value.form != .null else {
      report(.memberNull, [member.name])
      return nil
    }
    return value
  }

  /// Judges every member.
  mutating func judge() {
    if let value = present(.did, required: true) { judge(did: value) }
    let payload = present(.payload, required: true)
    switch payload?.form {
    case .bytes: form = .client
    case .map: form = .docs
    case nil: break
    default: report(.receiptForm, [Member.payload.name], payload)
    }
    if let value = present(.deviceId, required: form == .client) { judge(deviceID: value) }
    var name: ArraySlice<UInt8>?
    if let value = present(.receiptType, required: true) { name = judge(type: value) }
    let type = name.flatMap { ReceiptType.named($0, form ?? .client) }
    judgeChain(type?.needsParent ?? false)
    judgeBlobs()
    for member in Member.allCases where member != .payload || form == nil {
      guard let value = members[member.rawValue], value.isContainer else { continue }
      examine(value, [member.name], looksForPlaces: false)
    }
    if let payload, let form, judge(payload: payload, form, type), name != nil, type == nil {
      report(.receiptTypeUnknown, [Member.receiptType.name])
    }
  }

  private mutating func judge(did value: CBORValue) {
    did = value.form == .text ? DID(value.content) : nil
    guard let did else { return report(.didForm, [Member.did.name], value) }
    if did.keyStart == nil { report(.didUnbound, [Member.did.name], value) }
  }

  private mutating func judge(deviceID value: CBORValue) {
    guard value.form == .text, 1...Receipt.deviceIDLimit ~= value.content.count else {
      return report(.deviceIDForm, [Member.deviceId.name], value)
    }
    deviceID = value.text
  }

  /// - Returns: the name of the type, if it has the form of one.
  private mutating func judge(type value: CBORValue) -> ArraySlice<UInt8>? {
    guard value.form == .text, Self.isType(value.content) else {
      report(.receiptTypeForm, [Member.receiptType.name], value)
      return nil
    }
    type = value.text
    return value.content
  }

  /// Whether a text is `[a-z0-9]+(\.[a-z0-9_]+)+/v[1-9][0-9]*`.
  private static func isType(_ text: ArraySlice<UInt8>) -> Bool {
    let halves = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { return false }
    let words = halves[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let version = halves[1].dropFirst()
    return words.count >= 2
      && words.enumerated().allSatisfy { place, word in
        !word.isEmpty
          && word.allSatisfy {
            $0.isLowerCaseLetter || $0.isDigit || place > 0 && $0 == UInt8(ascii: "_")
          }
      } && halves[1].first == UInt8(ascii: "v") && version.allSatisfy(\.isDigit)
      && version.first.map { $0 != UInt8(ascii: "0") } ?? false
  }

  // MARK: The chain

  private mutating func judgeChain(_ needsParent: Bool) {
    let parentValue = present(.parentCID, required: needsParent)
    let hasParent = members[Member.parentCID.rawValue] != nil
    if let parentValue { parent = receiptID(parentValue, .parentCID) }
    guard let form else {
      _ = present(.rootCID, required: false)
      return
    }
    guard let value = present(.rootCID, required: form == .client || hasParent) else { return }
    let isItself = value.text == Self.itself
    if hasParent {
      if form == .client, isItself {
        report(.receiptRootForm, [Member.rootCID.name], value)
      } else {
        root = receiptID(value, .rootCID)
      }
    } else if form == .docs || !isItself {
      report(.receiptRootForm, [Member.rootCID.name], value)
    }
  }

  /// The receipt that a member names.
  private mutating func receiptID(_ value: CBORValue, _ member: Member) -> ObjectID? {
    guard value.form == .text, let cid = CID(text: value.content.span), cid.codec == .dagCBOR else {
      report(.cidForm, [member.name], value)
      return nil
    }
    return ObjectID(cid)
  }

  // MARK: Blobs

  private static let blobParts: [StaticString] = ["cid", "mimeType", "size", "encrypted"]

  private mutating func judgeBlobs() {
    let name = Member.blobs.name
    guard let value = present(.blobs, required: false), let form else { return }
    guard form == .docs else { return report(.memberUnknown, [name]) }
    guard case .array = value.form else { return report(.blobsForm, [name], value) }
    var cids: [ArraySlice<UInt8>] = []
    let elements = value.elements
    for (place, element) in elements.enumerated() where element.form != .null {
      guard case .map(let count) = element.form else {
        report(.blobsForm, [name, "\(place)"], element)
        continue
      }
      let parts = Self.blobParts.map { ("\($0)", element.member($0)) }
      if count != parts.count || parts.contains(where: { $0.1 == nil }) {
        report(.blobsForm, [name, "\(place)"], element)
      }
      for case (let key, let part?) in parts where part.form != .null {
        guard Self.isRight(key, part) else {
          report(.blobsForm, [name, "\(place)", key], part)
          continue
        }
        if key == "cid" { cids.append(part.content) }
      }
    }
    if cids.count == elements.count, !Self.areAscending(cids) { report(.arrayOrder, [name]) }
  }

  private static func isRight(_ key: String, _ part: CBORValue) -> Bool {
    switch (key, part.form) {
    case ("cid", .text): CID(text: part.content.span)?.codec == .raw
    case ("mimeType", .text), ("encrypted", .bool): true
    case ("size", .integer(let size)): size >= 0
    default: false
    }
  }

  /// Whether texts are ordered by their bytes.
  static func areAscending(_ texts: [ArraySlice<UInt8>]) -> Bool {
    zip(texts, texts.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) }
  }
}

extension Finding {
  /// A rule that is broken at a member: the keys and places that lead to it.
  package init(_ rule: Rule, at steps: [String], detail: String = "") {
    var pointer: [UInt8] = []
    for step in steps { JSONValue.appendStep(Array(step.utf8).span, toPointer: &pointer) }
    self.init(rule, at: .pointer(String(decoding: pointer, as: UTF8.self)), detail: detail)
  }
}
