// The author of a node (protocol, section 1), and what is said of values of a wrong form.

internal import CanonicalJSON
internal import RedoCrypto

extension NodeDecoder {
  mutating func judgeAuthor(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard isPresent(value, "/author", required: true) else { return }
    guard scanner[value].kind == .object else {
      report(.nodeType, "/author", detail: excerpt(value, text))
      return
    }
    var userID = 0
    var deviceID = 0
    var publicKey = 0
    var index = value + 1
    let end = Int(scanner[value].next)
    while index < end {
      let name = text.extracting(scanner[index].range)
      let member = index + 1
      index = Int(scanner[member].next)
      switch name.count {
      case 6 where name.elementsEqual("userId"): userID = member
      case 8 where name.elementsEqual("deviceId"): deviceID = member
      case 9 where name.elementsEqual("publicKey"): publicKey = member
      case 4 where name.elementsEqual("name"):
        draft.places.authorName = judgeText(member, "/author/name", text)
      case 5 where name.elementsEqual("email"):
        draft.places.authorEmail = judgeText(member, "/author/email", text)
      case 10 where name.elementsEqual("deviceName"):
        draft.places.deviceName = judgeText(member, "/author/deviceName", text)
      default:
        report(.memberUnknown, Self.pointer("/author", name))
      }
    }
    if isPresent(userID, "/author/userId", required: true) {
      draft.userID = string(userID, text).flatMap { UserID(hex: text.extracting($0)) }
      if draft.userID == nil { reportForm(.userIDForm, "/author/userId", userID, text) }
    }
    if isPresent(deviceID, "/author/deviceId", required: true) {
      if let range = string(deviceID, text), !range.isEmpty {
        draft.places.deviceID = Node.Slice(range)
      } else {
        report(.deviceIDForm, "/author/deviceId", detail: excerpt(deviceID, text))
      }
    }
    judgePublicKey(publicKey, text, &draft)
  }

  private mutating func judgePublicKey(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard isPresent(value, "/author/publicKey", required: profile.isGenesis) else { return }
    guard let range = string(value, text),
      let bytes = Hex.decode32(text.extracting(range))
    else {
      reportForm(.publicKeyForm, "/author/publicKey", value, text)
      return
    }
    let key = PublicKey(bytes: bytes)
    draft.publicKey = key
    if let userID = draft.userID, userID != UserID(of: key) {
      report(
        .userIDMismatch, "/author/userId", detail: userID.text,
        hint: "the public key begins with '\(UserID(of: key).text)'")
    }
  }

  private mutating func judgeText(
    _ value: Int, _ pointer: String, _ text: Span<UInt8>
  ) -> Node.Slice {
    guard isPresent(value, pointer, required: false) else { return Node.Slice() }
    guard let range = string(value, text) else {
      report(.authorText, pointer, detail: excerpt(value, text))
      return Node.Slice()
    }
    return Node.Slice(range)
  }

  /// Reports a value that should be lower-case hex, with a hint at the encoding it may have.
  mutating func reportForm(_ rule: Rule, _ pointer: String, _ value: Int, _ text: Span<UInt8>) {
    var hint: String?
    if let range = string(value, text) {
      hint = EncodingHint.text(for: text.extracting(range))
    }
    report(rule, pointer, detail: excerpt(value, text), hint: hint)
  }

  /// The beginning of a value as it stands in the canonical text.
  func excerpt(_ value: Int, _ text: Span<UInt8>) -> String {
    let limit = 100
    let range = scanner[value].outerRange
    let bytes = text.extracting(range.lowerBound..<min(range.upperBound, range.lowerBound + limit))
    var excerpt: [UInt8] = []
    for index in bytes.indices { excerpt.append(bytes[index]) }
    let more = range.count > limit ? "..." : ""
    return String(decoding: excerpt, as: UTF8.self) + more
  }

  /// A JSON pointer to a member of a value (RFC 6901).
  static func pointer(_ parent: String, _ escapedName: Span<UInt8>) -> String {
    var pointer = Array(parent.utf8)
    pointer.append(UInt8(ascii: "/"))
    for byte in StringEscape.unescape(escapedName) {
      switch byte {
      case UInt8(ascii: "~"): pointer += Array("~0".utf8)
      case UInt8(ascii: "/"): pointer += Array("~1".utf8)
      default: pointer.append(byte)
      }
    }
    return String(decoding: pointer, as: UTF8.self)
  }
}
