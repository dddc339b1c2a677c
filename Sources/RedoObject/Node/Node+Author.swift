// The author of a node (protocol, section 1), and the findings about malformed values.

internal import CanonicalJSON
internal import RedoCrypto

extension NodeJudge {
  mutating func judgeAuthor(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/author", required: true) else { return }
    guard value.isObject else {
      report(.nodeType, "/author", detail: excerpt(value))
      return
    }
    var userID: JSONValue?
    var deviceID: JSONValue?
    var publicKey: JSONValue?
    var members = value.members
    while let next = members.next() {
      let name = next.name.content
      let member = next.value
      switch name.count {
      case 6 where name.elementsEqual("userId"): userID = member
      case 8 where name.elementsEqual("deviceId"): deviceID = member
      case 9 where name.elementsEqual("publicKey"): publicKey = member
      case 4 where name.elementsEqual("name"):
        draft.places.authorName = judgeText(member, "/author/name")
      case 5 where name.elementsEqual("email"):
        draft.places.authorEmail = judgeText(member, "/author/email")
      case 10 where name.elementsEqual("deviceName"):
        draft.places.deviceName = judgeText(member, "/author/deviceName")
      default:
        report(.memberUnknown, Self.pointer("/author", name))
      }
    }
    if let userID = present(userID, "/author/userId", required: true) {
      if let text = userID.escaped { draft.userID = UserID(hex: text) }
      if draft.userID == nil { reportForm(.userIDForm, "/author/userId", userID) }
    }
    if let deviceID = present(deviceID, "/author/deviceId", required: true) {
      if deviceID.isString, !deviceID.contentPlace.isEmpty {
        draft.places.deviceID = Node.Slice(deviceID.contentPlace)
      } else {
        report(.deviceIDForm, "/author/deviceId", detail: excerpt(deviceID))
      }
    }
    judgePublicKey(publicKey, &draft)
  }

  private mutating func judgePublicKey(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/author/publicKey", required: profile.isGenesis) else {
      return
    }
    guard let text = value.escaped, let bytes = Hex.decode32(text) else {
      reportForm(.publicKeyForm, "/author/publicKey", value)
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
    _ value: JSONValue, _ pointer: String
  ) -> Node.Slice {
    guard let value = present(value, pointer, required: false) else { return Node.Slice() }
    guard value.isString else {
      report(.authorText, pointer, detail: excerpt(value))
      return Node.Slice()
    }
    return Node.Slice(value.contentPlace)
  }

  /// Reports a value that should be lower-case hex, with a hint at the encoding it may have.
  mutating func reportForm(_ rule: Rule, _ pointer: String, _ value: JSONValue) {
    var hint: String?
    if let text = value.escaped { hint = EncodingHint.text(for: text) }
    report(rule, pointer, detail: excerpt(value), hint: hint)
  }

  /// The beginning of a value as the canonical text has it.
  func excerpt(_ value: JSONValue) -> String {
    let limit = 100
    let bytes = value.raw
    var excerpt: [UInt8] = []
    excerpt.append(bytes, 0..<min(bytes.count, limit))
    let more = bytes.count > limit ? "..." : ""
    return String(decoding: excerpt, as: UTF8.self) + more
  }

  /// A JSON pointer to a member of a value (RFC 6901).
  static func pointer(_ parent: String, _ escapedName: Span<UInt8>) -> String {
    var pointer = Array(parent.utf8)
    JSONValue.appendStep(StringEscape.unescape(escapedName).span, toPointer: &pointer)
    return String(decoding: pointer, as: UTF8.self)
  }
}
