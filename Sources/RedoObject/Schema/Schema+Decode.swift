// From bytes to a schema: canonical JSON, the members that it shares with nodes judged as theirs are, the definition.

internal import CanonicalJSON
internal import RedoCrypto

/// Decodes schemas one after another.
package struct SchemaDecoder {
  /// The rules that apply.
  package let profile: Profile
  /// Every broken rule of the schema decoded last, warnings included.
  package private(set) var findings: [Finding] = []
  /// The id that the text decoded last states, if it has the right form.
  package private(set) var statedID: ObjectID?

  /// A decoder for a profile.
  package init(profile: Profile = .v1) { self.profile = profile }

  /// Decodes one schema.
  ///
  /// - Parameter text: one JSON value, with id and signature or without.
  /// - Returns: the schema; `nil` when `findings` has an error.
  package mutating func decode(_ text: [UInt8]) -> Schema? {
    begin()
    guard text.count <= Schema.byteLimit else {
      findings.append(Finding(.schemaSize))
      return nil
    }
    do throws(JSONError) {
      let document = try JSONDocument(try JSONDocument(text).canonical)
      return schema(document.root, of: nil)
    } catch {
      findings.append(Finding(error))
      return nil
    }
  }

  /// Decodes a schema that a store keeps: its id has been checked by reading it.
  ///
  /// - Parameter object: an object of kind schema.
  /// - Returns: the schema; `nil` when `findings` has an error.
  package mutating func decode(_ object: StoredObject) -> Schema? {
    begin()
    statedID = object.id
    do throws(JSONError) {
      let document = try JSONDocument(object.canonical)
      guard document.isCanonical else {
        findings.append(Finding(.schemaForm, detail: "a body that is not canonical"))
        return nil
      }
      return schema(document.root, of: object)
    } catch {
      findings.append(Finding(error))
      return nil
    }
  }

  /// Notes a broken rule.
  mutating func refuse(_ finding: Finding) { findings.append(finding) }

  private mutating func begin() {
    findings.removeAll(keepingCapacity: true)
    statedID = nil
  }

  private static let names: [StaticString] = [
    "schema", "parents", "timestamp", "author", "change", "definition", "id", "signature",
  ]
  private static let requiredNames = 6

  private mutating func schema(
    _ root: borrowing JSONValue, of object: StoredObject?
  ) -> Schema? {
    guard root.isObject else {
      findings.append(Finding(.schemaForm))
      return nil
    }
    var judge = SchemaJudge()
    let members = judge.members(
      of: copy root, "", Self.names, required: Self.requiredNames)
    if object != nil {
      for place in 6...7 where members.has(place) {
        judge.report(.memberUnknown, "/\(Self.names[place])")
      }
    }
    if let form = members[0], !form.isNumber || !form.content.elementsEqual("1") {
      judge.report(.versionUnsupported, "/schema", form)
    }
    var nodes = NodeJudge(profile: profile, envelope: .refuse, identity: .optional)
    var draft = Draft()
    nodes.judgeParents(members[1], &draft)
    nodes.judgeTimestamp(members[2], &draft)
    nodes.judgeAuthor(members[3], &draft)
    nodes.judgeID(members[6], &draft)
    nodes.judgeSignature(members[7], &draft)
    // What is missing has been reported once.
    var all = nodes.findings.filter { $0.rule != .memberMissing || !Self.isTop($0.place) }
    if draft.publicKey == nil, members[3]?.isObject == true,
      !all.contains(where: { $0.place == .pointer("/author/publicKey") })
    {
      all.append(Finding(.memberMissing, at: .pointer("/author/publicKey")))
    }
    let change = change(members[4], &judge)
    var definition: SchemaDefinition?
    if let value = members[5] { definition = judge.definition(value, "/definition") }
    findings = all + judge.findings
    let body = object?.canonical ?? Self.body(of: root)
    let id = object?.id ?? ObjectID(digest: SHA256.digest(of: body.span))
    if let stated = draft.statedID {
      statedID = stated
      if stated != id {
        findings.append(
          Finding(
            .hashMismatch, at: .pointer("/id"),
            detail: "the body hashes to '\(id.text)', not to '\(stated.text)'"))
      }
    }
    let signature = object?.signature ?? draft.signature
    if Node.wholeCount(bodyCount: body.count, signature) > Schema.byteLimit {
      findings.append(Finding(.schemaSize))
    }
    guard !findings.contains(where: { profile.severity(of: $0) == .error }),
      let lamport = draft.lamport, let wall = draft.wall, let userID = draft.userID,
      let publicKey = draft.publicKey, let change, let definition
    else { return nil }
    let author = members[3]
    return Schema(
      id: id, body: body, signature: signature, parents: draft.parents, lamport: lamport,
      wall: wall, userID: userID, publicKey: publicKey,
      deviceID: author?["deviceId"]?.string ?? "", deviceName: author?["deviceName"]?.string,
      change: change, definition: definition)
  }

  private static func isTop(_ place: Finding.Place) -> Bool {
    if case .pointer(let pointer) = place { !pointer.dropFirst().contains("/") } else { false }
  }

  /// The text of an object without id and signature.
  private static func body(of root: borrowing JSONValue) -> [UInt8] {
    var body: [UInt8] = [UInt8(ascii: "{")]
    var members = root.members
    while let member = members.next() {
      guard !member.name.isText("id"), !member.name.isText("signature") else { continue }
      if body.count > 1 { body.append(UInt8(ascii: ",")) }
      body += member.name.bytes
      body.append(UInt8(ascii: ":"))
      body += member.value.bytes
    }
    body.append(UInt8(ascii: "}"))
    return body
  }

  private func change(
    _ value: borrowing JSONValue?, _ judge: inout SchemaJudge
  ) -> Schema.Change? {
    guard let value = copy value else { return nil }
    guard value.isObject else {
      judge.report(.schemaForm, "/change", value)
      return nil
    }
    let members = judge.members(of: value, "/change", ["op", "source"], required: 2)
    let source: Schema.Change.Source? = judge.word(members[1], .schemaForm, "/change/source")
    guard let op = members[0] else { return nil }
    guard let word = op.string, Self.isWord(word) else {
      judge.report(.schemaForm, "/change/op", op)
      return nil
    }
    return source.map { Schema.Change(word, $0) }
  }

  /// Whether a text is `[a-z-]{1,64}`.
  private static func isWord(_ text: String) -> Bool {
    1...64 ~= text.utf8.count
      && text.utf8.allSatisfy { $0.isLowerCaseLetter || $0 == UInt8(ascii: "-") }
  }
}
