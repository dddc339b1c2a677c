// A new node: what it shall say is written as a canonical body, decoded as any other node is, signed
// and verified. So nothing is built here that would be refused from elsewhere.

internal import CanonicalJSON
package import RedoCrypto

/// What a new node shall say.
package struct NodeDraft: Sendable {
  /// The name of the content in `data`.
  package enum ContentForm: Sendable {
    case fields
    case payload
  }

  /// The parents, in the order in which they are written.
  package var parents: [ObjectID] = []
  /// The logical time.
  package var lamport: Lamport
  /// The time of the clock.
  package var wall: WallTime
  /// The author.
  package var author: Author
  /// The name of the action; any text, judged when the node is built.
  package var action: String
  /// The task.
  package var task: TaskID?
  /// The content: the text of a JSON object.
  package var content: [UInt8]
  /// The member that has the content.
  package var form: ContentForm = .fields
  /// Of a MERGE how conflicts were resolved: the text of a JSON object.
  package var conflictResolution: [UInt8]?

  /// The author, according to the node.
  package struct Author: Sendable {
    /// The user.
    package var userID: UserID
    /// The user's key; it is written wherever it is known.
    package var publicKey: PublicKey?
    /// The device.
    package var deviceID: String
    /// The device, for people.
    package var deviceName: String?
    /// The user, for people.
    package var name: String?
    /// Where the user can be reached.
    package var email: String?

    /// An author without names.
    package init(userID: UserID, publicKey: PublicKey?, deviceID: String) {
      self.userID = userID
      self.publicKey = publicKey
      self.deviceID = deviceID
    }

    /// Writes the members.
    func write(to json: inout JSONWriter) {
      json.add("deviceId", deviceID)
      if let name = deviceName { json.add("deviceName", name) }
      if let email { json.add("email", email) }
      if let name { json.add("name", name) }
      if let key = publicKey { json.add("publicKey", Hex.text(key.bytes.span)) }
      json.add("userId", userID.text)
    }
  }

  /// A draft without parents.
  package init(
    lamport: Lamport, wall: WallTime, author: Author, action: String, task: TaskID?,
    content: [UInt8]
  ) {
    self.lamport = lamport
    self.wall = wall
    self.author = author
    self.action = action
    self.task = task
    self.content = content
  }

  /// The body, its members in canonical order; it contains the content as it is.
  package var body: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.add("action", action)
      json.addObject("author") { author.write(to: &$0) }
      json.addObject("data") { json in
        if let conflictResolution { json.add("conflictResolution", json: conflictResolution) }
        json.add(form == .fields ? "fields" : "payload", json: content)
      }
      json.addArray("parents") { json in
        for parent in parents { json.value(escaped: { parent.append(to: &$0) }) }
      }
      if let task { json.add("taskId", task.text) }
      json.addObject("timestamp") { json in
        json.add("lamport", lamport.value)
        json.add("wall", wall.text)
      }
      json.add("version", 1)
    }
    return json.bytes
  }
}

extension NodeDecoder {
  /// Builds an unsigned node.
  ///
  /// - Returns: the node; `nil` when `findings` has an error.
  package mutating func build(_ draft: NodeDraft) -> Node? {
    // Separately first: a content that closes more than it opens could say anything about the rest.
    guard isObject(draft.content.span) else { return nil }
    if let resolution = draft.conflictResolution {
      guard isObject(resolution.span) else { return nil }
    }
    return decode(draft.body.span)
  }

  /// Builds and signs a node, and verifies what was signed.
  ///
  /// - Parameters:
  ///   - draft: what it says.
  ///   - key: the author's secret key.
  ///   - form: what is signed: the body, or its digest.
  /// - Returns: the node; `nil` when `findings` has an error.
  package mutating func build(
    _ draft: NodeDraft, signedBy key: borrowing SecretKey, _ form: SignatureForm
  ) -> Node? {
    guard let unsigned = build(draft) else { return nil }
    let signature =
      switch form {
      case .body: key.sign(unsigned.body.span)
      case .digest: key.sign(unsigned.id.digest.bytes.span)
      }
    var text: [UInt8] = []
    Node.appendWhole(
      body: unsigned.body.span, id: unsigned.id, signature: signature, to: &text)
    guard let node = decode(text.span) else { return nil }
    guard node.userID == UserID(of: key.publicKey) else {
      judge.report(.userIDMismatch, "/author/userId", detail: node.userID.text)
      return nil
    }
    guard node.verify(key: node.publicKey ?? key.publicKey) == .good(form) else {
      judge.findings.append(Finding(.signatureBad, at: .pointer("/signature")))
      return nil
    }
    return node
  }
}
