// From bytes to a node: scan, canonicalise what is not canonical, judge every member, hash the
// body.

internal import CanonicalJSON
internal import RedoCrypto

/// Decodes nodes one after another, keeping its memory.
package struct NodeDecoder: ~Copyable {
  /// What to do with the members of a remote's copy.
  package enum Envelope: Sendable {
    /// `accessList` and `createdAt` are errors.
    case refuse
    /// They are removed before anything is hashed.
    case strip
  }

  /// Whether a text must state its id.
  package enum Identity: Sendable {
    /// A text that is to be hashed may leave it out.
    case optional
    /// A node from elsewhere states it.
    case required
  }

  /// An id in the input that is not the hash of the body.
  package struct Mismatch: Sendable {
    /// The id that the input states.
    package let stated: ObjectID
    /// The hash of the canonical body.
    package let computed: ObjectID
    /// The canonical body.
    package let body: [UInt8]
  }

  /// Every broken rule of the node decoded last, warnings included.
  package var findings: [Finding] { judge.findings }
  /// Set when the stated id of the node decoded last is not its hash.
  package var mismatch: Mismatch? { judge.mismatch }
  /// The id that the text decoded last states, if it has the right form.
  package var statedID: ObjectID? { judge.statedID }
  /// When a remote first had the node decoded last, if the text is a remote's copy and that is not an error.
  package var createdAt: CreatedAt? { judge.createdAt }
  /// The rules that apply.
  package var profile: Profile { judge.profile }
  /// What happens to envelope members.
  package var envelope: Envelope { judge.envelope }
  /// Whether a text must state its id.
  package var identity: Identity { judge.identity }

  var scanner = Scanner()
  /// Apart from the scanner, because what is judged looks into the scanner's text.
  var judge: NodeJudge
  private var rebuilt: [UInt8] = []

  /// A decoder for a profile.
  package init(
    profile: Profile = .v1, envelope: Envelope = .refuse, identity: Identity = .optional
  ) {
    judge = NodeJudge(profile: profile, envelope: envelope, identity: identity)
  }

  /// Decodes one node.
  ///
  /// - Parameter text: one JSON value, white space around it included.
  /// - Returns: the node; `nil` when `findings` has an error.
  package mutating func decode(_ text: Span<UInt8>) -> Node? {
    judge.reset()
    guard text.count <= Node.byteLimit else {
      judge.findings.append(Finding(.nodeSize))
      return nil
    }
    // A line end around a node must not cost it the way without rebuilding.
    var start = 0
    var end = text.count
    while end > 0, Self.isSpace(text[end - 1]) { end -= 1 }
    while start < end, Self.isSpace(text[start]) { start += 1 }
    let trimmed = text.extracting(start..<end)
    do throws(JSONError) {
      try scanner.scan(trimmed)
    } catch {
      judge.findings.append(Finding(JSONError(error.rule, at: start + error.offset)))
      return nil
    }
    if scanner.isCanonical { return judge.node(scanner, trimmed) }

    var bytes: [UInt8] = []
    swap(&bytes, &rebuilt)
    defer { swap(&bytes, &rebuilt) }
    bytes.removeAll(keepingCapacity: true)
    scanner.appendCanonical(trimmed, to: &bytes)
    do throws(JSONError) {
      try scanner.scan(bytes.span)
    } catch {
      preconditionFailure("BUG: canonical JSON is refused: \(error)")
    }
    return judge.node(scanner, bytes.span)
  }

  /// Whether a text is one JSON object; if not, `findings` says why.
  mutating func isObject(_ text: Span<UInt8>) -> Bool {
    judge.reset()
    do throws(JSONError) {
      try scanner.scan(text)
    } catch {
      judge.findings.append(Finding(error))
      return false
    }
    return judge.isData(scanner, text)
  }

  /// Decodes a node that a store keeps: its id has been checked by reading it.
  ///
  /// - Parameter object: an object of kind node.
  /// - Returns: the node; `nil` when `findings` has an error.
  package mutating func decode(_ object: StoredObject) -> Node? {
    judge.reset()
    judge.statedID = object.id
    guard object.kind == .node else {
      judge.findings.append(Finding(.nodeType))
      return nil
    }
    do throws(JSONError) {
      try scanner.scan(object.canonical.span)
    } catch {
      judge.findings.append(Finding(error))
      return nil
    }
    return judge.node(scanner, of: object)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// Judges what has been scanned, and collects the findings.
struct NodeJudge {
  let profile: Profile
  let envelope: NodeDecoder.Envelope
  let identity: NodeDecoder.Identity
  var findings: [Finding] = []
  private(set) var mismatch: NodeDecoder.Mismatch?
  var statedID: ObjectID?
  private(set) var createdAt: CreatedAt?

  init(profile: Profile, envelope: NodeDecoder.Envelope, identity: NodeDecoder.Identity) {
    self.profile = profile
    self.envelope = envelope
    self.identity = identity
  }

  /// Forgets the findings about the text before.
  mutating func reset() {
    findings.removeAll(keepingCapacity: true)
    mismatch = nil
    statedID = nil
    createdAt = nil
  }

  /// Whether a text that is meant for `data` is an object.
  mutating func isData(_ scanner: borrowing Scanner, _ text: Span<UInt8>) -> Bool {
    let root = scanner.root(of: text)
    if root.isObject { return true }
    report(.dataShape, "/data", detail: excerpt(root))
    return false
  }

  /// Judges the body of a node that a store keeps.
  mutating func node(_ scanner: borrowing Scanner, of object: StoredObject) -> Node? {
    let text = object.canonical
    let root = scanner.root(of: text.span)
    guard scanner.isCanonical, root.isObject else {
      findings.append(Finding(.nodeType, detail: "a body that is not a canonical object"))
      return nil
    }
    let members = topLevel(root)
    if members.has(.id) { report(.memberUnknown, "/id") }
    if members.has(.signature) { report(.memberUnknown, "/signature") }
    var draft = Draft()
    judgeMembers(members, &draft)
    return node(
      object.id, object.canonical, signature: object.signature, draft, draft.places)
  }

  /// Judges the members of a scanned canonical text and builds the node.
  mutating func node(_ scanner: borrowing Scanner, _ text: Span<UInt8>) -> Node? {
    let root = scanner.root(of: text)
    guard root.isObject else {
      findings.append(Finding(.nodeType, detail: excerpt(root)))
      return nil
    }
    let members = topLevel(root)
    var draft = Draft()
    judgeMembers(members, &draft)
    // An absent id is only reported when nothing else is wrong.
    if identity == .required, !members.has(.id), !hasErrors { report(.memberMissing, "/id") }

    let body = BodyText(of: members, root)
    // What comes without id or with escapes must still be no larger when it is written whole.
    if Node.wholeCount(bodyCount: body.bytes.count, draft.signature) > Node.byteLimit {
      findings.append(Finding(.nodeSize))
    }
    let id = ObjectID(digest: SHA256.digest(of: body.bytes.span))
    statedID = draft.statedID
    if envelope == .strip { createdAt = createdAt(members[.createdAt]) }
    if let stated = draft.statedID, stated != id {
      mismatch = NodeDecoder.Mismatch(stated: stated, computed: id, body: body.bytes)
      report(
        .hashMismatch, "/id", detail: "the body hashes to '\(id.text)', not to '\(stated.text)'")
    }
    // Of another version nothing else can be said.
    if let version = findings.first(where: { $0.rule == .versionUnsupported }) {
      findings = [version]
    }
    return node(
      id, body.bytes, signature: draft.signature, draft, body.places(draft.places))
  }

  /// The node, unless a rule that is an error is broken.
  private func node(
    _ id: ObjectID, _ body: [UInt8], signature: Signature?, _ draft: Draft, _ places: Node.Places
  ) -> Node? {
    guard !hasErrors,
      let lamport = draft.lamport, let wall = draft.wall, let userID = draft.userID
    else { return nil }
    return Node(
      id: id, body: body, signature: signature, parents: draft.parents,
      lamport: lamport, wall: wall, userID: userID, publicKey: draft.publicKey,
      action: draft.action, taskID: draft.taskID, places: places)
  }

  /// Whether a rule is broken that is an error under the profile.
  private var hasErrors: Bool {
    findings.contains { profile.severity(of: $0) == .error }
  }

  /// Records a broken rule at a JSON pointer.
  mutating func report(_ rule: Rule, _ pointer: String, detail: String = "", hint: String? = nil) {
    findings.append(Finding(rule, at: .pointer(pointer), detail: detail, hint: hint))
  }
}

/// What has been read of a node while it is judged.
struct Draft {
  var statedID: ObjectID?
  var signature: Signature?
  var parents: [ObjectID] = []
  var lamport: Lamport?
  var wall: WallTime?
  var userID: UserID?
  var publicKey: PublicKey?
  var action: Action?
  var actionIsName = false
  var taskID: TaskID?
  var places = Node.Places()
}

/// A member of a node's top level.
enum NodeMember: Int {
  case accessList, action, author, createdAt, data, id, parents, signature, taskID, timestamp
  case version
}

/// The values of a node's top level.
struct NodeMembers: ~Escapable {
  private let root: JSONValue
  /// The index of each value; 0 for an absent member.
  private var indices = InlineArray<11, Int>(repeating: 0)

  /// No members of a value yet.
  @_lifetime(copy root)
  init(of root: JSONValue) { self.root = root }

  /// A member; `nil` when it is absent.
  subscript(member: NodeMember) -> JSONValue? {
    @_lifetime(copy self)
    get {
      let index = indices[member.rawValue]
      return index > 0 ? root.value(at: index) : nil
    }
  }

  /// Keeps which value a member has.
  mutating func set(_ member: NodeMember, _ value: JSONValue) {
    indices[member.rawValue] = value.index
  }

  /// Whether a member is present.
  func has(_ member: NodeMember) -> Bool { indices[member.rawValue] > 0 }

  /// Whether a value is not part of the body.
  func isOutsideBody(_ value: JSONValue) -> Bool {
    let index = value.index
    return index == indices[NodeMember.id.rawValue]
      || index == indices[NodeMember.signature.rawValue]
      || index == indices[NodeMember.accessList.rawValue]
      || index == indices[NodeMember.createdAt.rawValue]
  }
}

/// The canonical body: the canonical text without id, signature and envelope.
private struct BodyText {
  var bytes: [UInt8]
  /// For each piece that was kept: where it begins in the text, and how far left it has moved.
  private var pieces = InlineArray<6, (start: Int, shift: Int)>(repeating: (0, 0))
  private var pieceCount = 0

  init(of members: borrowing NodeMembers, _ root: JSONValue) {
    // The text is canonical, so nothing surrounds the object.
    let text = root.raw
    bytes = []
    bytes.reserveCapacity(text.count)
    bytes.append(UInt8(ascii: "{"))
    var runStart = -1
    var runEnd = 0
    var cursor = root.members
    while let member = cursor.next() {
      if members.isOutsideBody(member.value) {
        append(runStart, runEnd, text)
        runStart = -1
      } else {
        if runStart < 0 { runStart = member.name.place.lowerBound }
        runEnd = member.value.place.upperBound
      }
    }
    append(runStart, runEnd, text)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ start: Int, _ end: Int, _ text: Span<UInt8>) {
    guard start >= 0 else { return }
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    pieces[pieceCount] = (start, start - bytes.count)
    pieceCount += 1
    // SAFETY: copies a range inside the span.
    unsafe text.extracting(start..<end).withUnsafeBufferPointer { run in
      unsafe bytes.append(contentsOf: run)
    }
  }

  /// The places of a text, as places of the body.
  func places(_ places: Node.Places) -> Node.Places {
    var moved = places
    move(&moved.action)
    move(&moved.wall)
    move(&moved.taskID)
    move(&moved.deviceID)
    move(&moved.authorName)
    move(&moved.authorEmail)
    move(&moved.deviceName)
    move(&moved.data)
    move(&moved.content)
    return moved
  }

  private func move(_ slice: inout Node.Slice) {
    guard slice.start > 0 else { return }
    var shift = 0
    for index in 0..<pieceCount where pieces[index].start <= Int(slice.start) {
      shift = pieces[index].shift
    }
    slice.start -= UInt32(shift)
    slice.end -= UInt32(shift)
  }
}
