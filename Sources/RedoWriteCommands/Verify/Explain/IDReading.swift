// What a client may have hashed to get a node's id: the protocol's recipe, and those of clients
// that have misread it.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A recipe for an id, and its result.
struct IDReading {
  /// A word for it.
  let name: String
  /// What is hashed, in words.
  let meaning: String
  /// The bytes that are hashed.
  let text: [UInt8]
  /// Their hash.
  let id: ObjectID

  init(_ name: String, _ meaning: String, _ text: [UInt8]) {
    self.name = name
    self.meaning = meaning
    self.text = text
    id = ObjectID(digest: SHA256.digest(of: text.span))
  }

  /// All recipes for a node; a recipe that yields the same bytes as an earlier one is left out.
  ///
  /// - Parameters:
  ///   - whole: the node as canonical JSON, with its id and signature if it has them.
  ///   - raw: the text as it arrived; `nil` for a node of a store.
  /// - Returns: the recipes, the protocol's first.
  static func all(_ whole: ReadingText, raw: [UInt8]?) -> [IDReading] {
    let outside = ["id", "signature", "accessList", "createdAt"]
    let body = whole.removing("id", "signature", "accessList", "createdAt")
    let text = body.bytes
    var readings: [IDReading] = []
    func add(_ name: String, _ meaning: String, _ text: [UInt8]) {
      guard !readings.contains(where: { $0.text == text }) else { return }
      readings.append(IDReading(name, meaning, text))
    }
    func member(_ name: String) -> [UInt8]? { whole[name] }
    func with(_ names: String...) -> ReadingText {
      names.reduce(body) { text, name in member(name).map { text.setting(name, $0) } ?? text }
    }
    let empty = Array("\"\"".utf8)
    let null = Array("null".utf8)

    add("body", "canonical JSON without id and signature: the protocol's", text)
    add("with-id", "the body with 'id' left in", with("id").bytes)
    add("with-signature", "the body with 'signature' left in", with("signature").bytes)
    add("whole", "the whole node, id and signature included", with("id", "signature").bytes)
    add(
      "with-envelope", "the body with a remote's members left in",
      with("accessList", "createdAt").bytes)
    add("everything", "all members, those of a remote included", whole.bytes)
    add("empty-id", "the body with an empty 'id'", body.setting("id", empty).bytes)
    add(
      "empty-signature", "the body with an empty 'signature'",
      body.setting("signature", empty).bytes)
    add(
      "empty-both", "the body with empty 'id' and 'signature'",
      body.setting("id", empty).setting("signature", empty).bytes)
    add("null-signature", "the body with 'signature' null", body.setting("signature", null).bytes)
    add(
      "null-both", "the body with 'id' and 'signature' null",
      body.setting("id", null).setting("signature", null).bytes)
    add(
      "id-null-signature", "the body with 'id' left in and 'signature' null",
      with("id").setting("signature", null).bytes)
    add("no-parents", "the body without 'parents'", body.removing("parents").bytes)
    add("no-version", "the body without 'version'", body.removing("version").bytes)
    add(
      "no-public-key", "the body without 'publicKey'",
      body.changing("author") { $0.removing("publicKey") }.bytes)
    add(
      "swapped-data", "the body with 'payload' for 'fields', or the reverse",
      body.changing("data") { $0.swapping("fields", "payload") }.bytes)
    add("bare-data", "the body with the content itself as 'data'", bareData(body).bytes)
    add("no-fraction", "the body with a wall time without milliseconds", wholeSeconds(body).bytes)
    add("line-feed", "the body and a line feed", text + [UInt8(ascii: "\n")])
    add(
      "spaces", "sorted, a space behind each comma and colon (Python)",
      ReadingStyle(comma: " ", colon: ": ").spell(text))
    add(
      "spaces-ascii", "the same with \\u escapes (Python)",
      ReadingStyle(comma: " ", colon: ": ", isASCII: true).spell(text))
    add(
      "ascii", "the body with \\u escapes for what is not ASCII",
      ReadingStyle(isASCII: true).spell(text))
    add(
      "slashes", "the body with slashes escaped (Swift, PHP)",
      ReadingStyle(escapesSlash: true).spell(text))
    add(
      "pretty-2", "the body indented by two spaces",
      ReadingStyle(colon: ": ", indent: 2).spell(text))
    add(
      "pretty-4", "the body indented by four spaces",
      ReadingStyle(colon: ": ", indent: 4).spell(text))
    add(
      "pretty-swift", "the body indented, a space before each colon (Swift)",
      ReadingStyle(colon: " : ", indent: 2, escapesSlash: true).spell(text))
    let digest = SHA256.digest(of: text.span)
    add("hashed-twice", "the 32 bytes of the body's hash", (0..<32).map { digest.bytes[$0] })
    add(
      "hashed-hex", "the 64 hex digits of the body's hash",
      Array(Hex.text(digest.bytes.span).utf8))
    if let raw, let tokens = RawReading(raw) {
      add(
        "raw-numbers", "sorted, numbers and strings as they came",
        tokens.compact(isSorted: true, without: Set(outside)))
      add(
        "unsorted", "members in the order they came, without white space",
        tokens.compact(isSorted: false, without: Set(outside)))
      add(
        "unsorted-with-id", "the same with 'id' left in",
        tokens.compact(isSorted: false, without: ["signature"]))
      add(
        "unsorted-whole", "all members in the order they came, without white space",
        tokens.compact(isSorted: false, without: []))
      add("raw", "the bytes as they came", raw)
      add("raw-line-feed", "the bytes as they came and a line feed", raw + [UInt8(ascii: "\n")])
    }
    return readings
  }

  /// The body with `data` replaced by its content.
  private static func bareData(_ body: ReadingText) -> ReadingText {
    guard let data = body["data"].flatMap(ReadingText.init),
      let content = data["fields"] ?? data["payload"]
    else { return body }
    return body.setting("data", content)
  }

  /// The body with the wall time in whole seconds.
  private static func wholeSeconds(_ body: ReadingText) -> ReadingText {
    body.changing("timestamp") { timestamp in
      guard let wall = timestamp.string("wall"), let dot = wall.firstIndex(of: UInt8(ascii: "."))
      else { return timestamp }
      return timestamp.setting("wall", Array("\"".utf8) + wall[..<dot] + Array("Z\"".utf8))
    }
  }
}
