// The payload of a new receipt (receipts, section 1.6): from JSON in plain units, as people and programs write it, to the
// DAG-CBOR that the apps read. Nothing is rounded: what has no exact form is refused.

internal import CanonicalJSON
internal import DAGCBOR

/// The payload of a new receipt.
package struct ReceiptPayload {
  /// A value as it is written.
  private indirect enum Value {
    case integer(Int64)
    case float(Double)
    case text(String)
    case bool(Bool)
    case array([Value])
    case map([(name: String, value: Value)])

    /// Whether it is what a member is to be, as far as that can be told by its kind.
    func fits(_ wanted: ReceiptType.Value) -> Bool {
      switch (wanted, self) {
      case (.text, .text), (.notes, .text), (.word, .text), (.cid, .text), (.key, .text),
        (.bool, .bool), (.integer, .integer), (.number, .integer), (.number, .float):
        true
      case (.texts, .array(let elements)), (.cids, .array(let elements)):
        elements.allSatisfy { if case .text = $0 { true } else { false } }
      default: false
      }
    }
  }

  private var members: [(name: String, value: Value)]

  /// A payload of its members, which are integers, texts or truths.
  private init(members: [(name: String, value: Value)]) { self.members = members }

  /// Reads a payload of a type from JSON.
  ///
  /// Percents and amounts of sessions are given in percent and grams, and become hundredths and milligrams; nothing else of
  /// a session has decimals. Elsewhere a number that is written with a point or an exponent is a float where the type has
  /// no integer.
  ///
  /// - Parameters:
  ///   - text: an object; white space may be around it.
  ///   - type: the type of the receipt.
  /// - Throws: the first broken rule, `payload-type` for a number without an exact form; places are those in a receipt.
  package init(json text: [UInt8], type: String) throws(Finding) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(text, integers: .any)
    } catch {
      throw Finding(error)
    }
    guard document.root.isObject else {
      throw Finding(.receiptForm, at: .pointer("/payload"), detail: document.root.contentText)
    }
    let known = ReceiptType.named(Array(type.utf8)[...], .client)
    members = []
    for index in document.root.nameIndices {
      let name = document.root.value(at: index).string ?? ""
      let member = known?.members.first { "\($0.name)" == name }
      let digits: Int? =
        switch member?.value {
        case .integer: ReceiptType.decimals(of: name, type)
        default:
          known.map { name == "\(ReceiptType.claimed)" && !$0.takesAnything } == true
            || ReceiptType.sessions.contains(type) ? 0 : nil
        }
      let value = try Self.value(
        document.root.value(at: index + 1), digits: digits, steps: ["payload", name])
      if let told = ReceiptType.docsMember(name, of: type), !value.fits(told) {
        throw Finding(
          .payloadType, at: ["payload", name],
          detail: document.root.value(at: index + 1).contentText)
      }
      members.append((name, value))
    }
  }

  // With `digits` decimals a number is an integer; `nil` where there are floats.
  private static func value(
    _ value: JSONValue, digits: Int?, steps: [String]
  ) throws(Finding) -> Value {
    // The payload itself is the outermost one.
    guard value.isArray || value.isObject, steps.count > CBORProfile.strict.depthLimit else {
      return try shallow(value, digits: digits, steps: steps)
    }
    throw Finding(.cborDepth, at: steps)
  }

  private static func shallow(
    _ value: JSONValue, digits: Int?, steps: [String]
  ) throws(Finding) -> Value {
    switch value.kind {
    case .string: return .text(value.string ?? "")
    case .literalTrue: return .bool(true)
    case .literalFalse: return .bool(false)
    case .null: throw Finding(.memberNull, at: steps)
    case .number: return try number(value, digits, steps)
    case .array:
      var elements: [Value] = []
      for (place, index) in value.elementIndices.enumerated() {
        elements.append(
          try Self.value(value.value(at: index), digits: digits, steps: steps + ["\(place)"]))
      }
      return .array(elements)
    case .object:
      var members: [(String, Value)] = []
      for index in value.nameIndices {
        let name = value.value(at: index).string ?? ""
        members.append(
          (name, try Self.value(value.value(at: index + 1), digits: digits, steps: steps + [name])))
      }
      return .map(members)
    }
  }

  private static func number(
    _ value: JSONValue, _ digits: Int?, _ steps: [String]
  ) throws(Finding) -> Value {
    let text = value.contentText
    if digits != nil || value.isInteger {
      guard let number = DecimalText.integer(text, shiftedBy: digits ?? 0) else {
        throw Finding(.payloadType, at: steps, detail: text)
      }
      return .integer(number)
    }
    guard let number = Double(text), number.isFinite, number.bitPattern != 1 << 63 else {
      throw Finding(.cborFloat, at: steps, detail: text)
    }
    return .float(number)
  }

  /// The payload of a receipt without some members.
  ///
  /// - Parameters:
  ///   - receipt: a receipt of client form.
  ///   - left: the members that are left out.
  /// - Returns: the payload, and whether it lacks any of them; `nil` for a payload that this cannot write, with bytes or links.
  package static func copy(
    of receipt: Receipt, without left: Set<String>
  ) -> (payload: ReceiptPayload, isLess: Bool)? {
    guard let document = try? CBORDocument(receipt.preimage),
      let payload = document.root.member("payload"), payload.form == .bytes,
      let inside = try? CBORDocument(Array(payload.content))
    else { return nil }
    var members: [(name: String, value: Value)] = []
    var isLess = false
    for (key, value) in inside.root.members {
      let name = key.text ?? ""
      guard !left.contains(name) else {
        isLess = true
        continue
      }
      guard let value = Self.value(value) else { return nil }
      members.append((name, value))
    }
    return (ReceiptPayload(members: members), isLess)
  }

  private static func value(_ value: CBORValue) -> Value? {
    switch value.form {
    case .integer(let number): return .integer(number)
    case .float(let number): return .float(number)
    case .text: return value.text.map { .text($0) }
    case .bool(let truth): return .bool(truth)
    case .array:
      let elements = value.elements.map { Self.value($0) }
      return elements.contains { $0 == nil } ? nil : .array(elements.compactMap { $0 })
    case .map:
      var members: [(String, Value)] = []
      for (key, inner) in value.members {
        guard let inner = Self.value(inner) else { return nil }
        members.append((key.text ?? "", inner))
      }
      return .map(members)
    case .largeInteger, .bytes, .link, .null: return nil
    }
  }

  /// Sets a member to a text, in place of what it was.
  package mutating func set(_ name: String, text: String) {
    members.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    members.append((name, .text(text)))
  }

  /// The payload of a place as others may see it: the cell of a grid.
  ///
  /// - Parameter cell: the cell.
  package init(cell: FuzzyPlace) {
    self.init(members: [
      ("location_type", .text("fuzzy")), ("fuzzy_lat", .float(cell.latitude)),
      ("fuzzy_lon", .float(cell.longitude)), ("fuzzy_radius", .integer(Int64(FuzzyPlace.radius))),
    ])
  }

  /// The payload of a receipt that tells of a share.
  ///
  /// - Parameters:
  ///   - memory: the receipt that is shared.
  ///   - people: with whom.
  ///   - permissions: what they may see.
  ///   - message: what goes with it.
  package init(
    sharing memory: ObjectID, with people: [String], permissions: String, message: String?
  ) {
    self.init(members: [
      ("memory_cid", .text(memory.cidText(as: .receipt))),
      ("shared_with", .array(people.map { .text($0) })), ("permissions", .text(permissions)),
    ])
    if let message { members.append(("message", .text(message))) }
  }

  /// The payload of a receipt that takes a share back.
  ///
  /// - Parameters:
  ///   - memory: the receipt that was shared.
  ///   - people: from whom it is taken.
  package init(unsharing memory: ObjectID, from people: [String]) {
    self.init(members: [
      ("memory_cid", .text(memory.cidText(as: .receipt))),
      ("unshared_from", .array(people.map { .text($0) })),
    ])
  }

  /// The payload of a deletion.
  ///
  /// - Parameters:
  ///   - root: the first receipt of the chain.
  ///   - reason: why, if that is to be told.
  package init(deleting root: ObjectID, reason: String?) {
    self.init(members: [
      ("memory_cid", .text(root.cidText(as: .receipt))), ("cascade_unshare", .bool(true)),
    ])
    if let reason { members.append(("reason", .text(reason))) }
  }

  /// The payload of the card of a device.
  ///
  /// - Parameters:
  ///   - signing: what it signs with, 32 bytes in Base64.
  ///   - exchange: what others share secrets with it by, as many.
  package init(cardOf signing: String, exchange: String) {
    self.init(members: [("pubkey_ed25519", .text(signing)), ("pubkey_x25519", .text(exchange))])
  }

  /// Sets the time at which something happened, unless it is told.
  ///
  /// Reactions tell it as the apps do: one that is added when it was created, one that is removed not at all.
  ///
  /// - Parameters:
  ///   - time: milliseconds from 1970.
  ///   - type: the type of the receipt.
  /// - Returns: whether the payload has this time now.
  package mutating func setTime(_ time: Int64, type: String) -> Bool {
    guard let name = ReceiptType.timeMember(of: type) else { return false }
    let known = members.first { $0.name.utf8.elementsEqual(name.utf8) }
    guard let known else {
      members.append((name, .integer(time)))
      return true
    }
    if case .integer(time) = known.value { return true }
    return false
  }

  /// Its DAG-CBOR, a map.
  fileprivate var bytes: [UInt8] {
    var writer = CBORWriter()
    Self.write(.map(members), &writer)
    return writer.bytes
  }

  private static func write(_ value: Value, _ writer: inout CBORWriter) {
    switch value {
    case .integer(let number): writer.value(number)
    case .float(let number): writer.value(number)
    case .text(let text): writer.value(text)
    case .bool(let truth): writer.value(truth)
    case .array(let elements):
      writer.array(elements) { element, writer in write(element, &writer) }
    case .map(let members):
      // By bytes: texts that look alike are different names.
      let values = Dictionary(
        members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
      writer.map(members.map(\.name)) { name, writer in
        if let value = values[Array(name.utf8)] { write(value, &writer) }
      }
    }
  }
}

/// A receipt that is to be made.
package struct ReceiptDraft {
  /// Its author.
  package var did: DID
  /// The device that makes it.
  package var deviceID: String
  /// What it tells.
  package var type: String
  /// The payload.
  package var payload: ReceiptPayload
  /// What it follows: a receipt, and the first one of its chain.
  package var place: (parent: ObjectID, root: ObjectID)?

  /// A draft of its parts.
  package init(
    did: DID, deviceID: String, type: String, payload: ReceiptPayload,
    follows place: (parent: ObjectID, root: ObjectID)? = nil
  ) {
    self.did = did
    self.deviceID = deviceID
    self.type = type
    self.payload = payload
    self.place = place
  }

  /// The bytes that are hashed and signed, in client form; not judged yet.
  package var preimage: [UInt8] {
    var texts = [
      "did": did.text, "deviceId": deviceID, "receiptType": type, "rootCID": ReceiptJudge.itself,
    ]
    if let place {
      texts["parentCID"] = place.parent.cidText(as: .receipt)
      texts["rootCID"] = place.root.cidText(as: .receipt)
    }
    var writer = CBORWriter()
    writer.map(texts.keys + ["payload"]) { name, writer in
      if let text = texts[name] { writer.value(text) } else { writer.value(payload.bytes) }
    }
    return writer.bytes
  }
}

/// Decimal numbers as texts.
enum DecimalText {
  /// A number times a power of ten.
  ///
  /// - Parameters:
  ///   - text: a number as JSON has it.
  ///   - digits: the exponent of ten.
  /// - Returns: `nil` when that is no integer of 64 bits.
  static func integer(_ text: String, shiftedBy digits: Int) -> Int64? {
    let parts = Array(text.utf8).split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNegative = mantissa[0].first == UInt8(ascii: "-")
    var number = Array(
      mantissa.joined().drop { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") })
    guard !number.isEmpty else { return 0 }
    let written = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0
    // An exponent that no integer holds takes every other number out of what 64 bits hold, too.
    guard let written, abs(written) < 1 << 32 else { return nil }
    var shift = written + digits - (mantissa.count > 1 ? mantissa[1].count : 0)
    while shift < 0 {
      guard number.popLast() == UInt8(ascii: "0") else { return nil }
      shift += 1
    }
    guard number.count + shift <= 19 else { return nil }
    number += repeatElement(UInt8(ascii: "0"), count: shift)
    return Int64((isNegative ? "-" : "") + String(decoding: number, as: UTF8.self))
  }
}
