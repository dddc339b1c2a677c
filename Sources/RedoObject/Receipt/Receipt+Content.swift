// The payload of a receipt (receipts, section 1.6): what its type asks for, and what must not be in any.

internal import DAGCBOR
internal import RedoCrypto

extension ReceiptJudge {
  private static let payload = Member.payload.name
  /// Names of members that say where somebody was.
  private static let precise: [StaticString] = ["latitude", "longitude", "altitude", "accuracy"]

  /// Judges a payload.
  ///
  /// - Parameters:
  ///   - value: what stands in the envelope.
  ///   - form: how the envelope is written.
  ///   - type: what the receipt tells; `nil` when that is not known.
  /// - Returns: whether it is a map, whatever is in it.
  mutating func judge(
    payload value: CBORValue, _ form: Receipt.Form, _ type: ReceiptType?
  ) -> Bool {
    guard form == .client else {
      judge(map: value, type)
      return true
    }
    let document: CBORDocument
    do throws(CBORError) {
      document = try CBORDocument(Array(value.content))
    } catch {
      findings.append(Finding(CBORError(error.rule, at: value.content.startIndex + error.offset)))
      return false
    }
    guard case .map = document.root.form else {
      report(.receiptForm, [Self.payload], document.root)
      return false
    }
    judge(map: document.root, type)
    return true
  }

  private mutating func judge(map payload: CBORValue, _ type: ReceiptType?) {
    examine(payload, [Self.payload], looksForPlaces: true)
    guard let type, !type.takesAnything else { return }
    for member in type.members {
      if let found = payload.member(member.name) {
        judge(found, member)
      } else if member.isRequired {
        report(.payloadMissing, [Self.payload, "\(member.name)"])
      }
    }
    judge(claimed: payload.member(ReceiptType.claimed), type)
    if type.isCard { card = payload.member("pubkey_ed25519").flatMap(Self.key) }
    if let name = type.deletes { deleted = payload.member(name).flatMap(Self.receiptID) }
  }

  private mutating func judge(claimed value: CBORValue?, _ type: ReceiptType) {
    var steps: [String] { [Self.payload, "\(ReceiptType.claimed)"] }
    switch value?.form {
    case .integer(let time): claimed = time
    case nil: if type.isTimed { report(.claimedMissing, steps) }
    case .null: break
    default: report(.payloadType, steps, value)
    }
  }

  /// Reports null at any depth and, where asked, members that say where somebody was.
  mutating func examine(_ container: CBORValue, _ steps: [String], looksForPlaces: Bool) {
    for (place, element) in container.elements.enumerated() {
      examine(element, steps, "\(place)", looksForPlaces)
    }
    for (key, value) in container.members {
      if looksForPlaces, value.form != .null,
        Self.precise.contains(where: key.isText)
      {
        report(.receiptPrecise, steps + [key.text ?? ""])
      }
      examine(value, steps, key.text ?? "", looksForPlaces)
    }
  }

  private mutating func examine(
    _ value: CBORValue, _ steps: [String], _ step: @autoclosure () -> String,
    _ looksForPlaces: Bool
  ) {
    switch value.form {
    case .null: report(.memberNull, steps + [step()])
    case .array, .map: examine(value, steps + [step()], looksForPlaces: looksForPlaces)
    default: break
    }
  }

  // MARK: Members of a type

  private mutating func judge(_ value: CBORValue, _ member: ReceiptType.Member) {
    var steps: [String] { [Self.payload, "\(member.name)"] }
    switch (member.value, value.form) {
    case (.text, .text), (.bool, .bool): return
    case (.notes, .text):
      // No character has less than a byte.
      if value.content.count > ReceiptType.notesLimit,
        value.text?.unicodeScalars.count ?? 0 > ReceiptType.notesLimit
      {
        report(.payloadRange, steps)
      }
    case (.word(let words), .text)
    where words.contains(where: value.isText):
      return
    case (.key, .text) where Self.key(value) != nil: return
    case (.cid(let isOfReceipt), .text): judge(cid: value, isOfReceipt: isOfReceipt, steps)
    case (.integer(let range), .integer(let number)):
      if let range, !range.contains(number) { report(.payloadRange, steps, value) }
    case (.number(let range), .integer(let number)):
      if let range, !range.contains(Double(number)) { report(.payloadRange, steps, value) }
    case (.number(let range), .float(let number)):
      if let range, !range.contains(number) { report(.payloadRange, steps, value) }
    case (_, .null): return
    case (.texts, .array): judge(texts: value, areCIDs: false, steps)
    case (.cids, .array): judge(texts: value, areCIDs: true, steps)
    default: report(.payloadType, steps, value)
    }
  }

  /// The receipt of a CID.
  private static func receiptID(_ value: CBORValue) -> ObjectID? {
    guard value.form == .text, let cid = CID(text: value.content.span), cid.codec == .dagCBOR else {
      return nil
    }
    return ObjectID(cid)
  }

  /// A public key in Base64.
  private static func key(_ value: CBORValue) -> PublicKey? {
    guard let bytes = Base64.decode(value.content.span), let digest = Digest(raw: bytes.span) else {
      return nil
    }
    return PublicKey(bytes: digest.bytes)
  }

  private mutating func judge(texts value: CBORValue, areCIDs: Bool, _ steps: [String]) {
    var texts: [ArraySlice<UInt8>] = []
    let elements = value.elements
    for (place, element) in elements.enumerated() {
      switch element.form {
      case .text:
        texts.append(element.content)
        if areCIDs { judge(cid: element, isOfReceipt: false, steps + ["\(place)"]) }
      case .null: break
      default: report(.payloadType, steps + ["\(place)"], element)
      }
    }
    if texts.count == elements.count, !Self.areAscending(texts) { report(.arrayOrder, steps) }
  }

  private mutating func judge(cid value: CBORValue, isOfReceipt: Bool, _ steps: [String]) {
    let cid = CID(text: value.content.span)
    if cid == nil || isOfReceipt && cid?.codec != .dagCBOR { report(.cidForm, steps, value) }
  }
}
