// The members of a node (protocol, section 1), each judged in place.

internal import CanonicalJSON
internal import RedoCrypto

extension NodeJudge {
  /// Sorts the top-level members by name; reports unknown ones and nulls.
  @_lifetime(copy root)
  mutating func topLevel(_ root: JSONValue) -> NodeMembers {
    var members = NodeMembers(of: root)
    var cursor = root.members
    while let member = cursor.next() {
      let name = member.name.content
      let value = member.value
      switch name.count {
      case 2 where name.elementsEqual("id"): members.set(.id, value)
      case 4 where name.elementsEqual("data"): members.set(.data, value)
      case 6 where name.elementsEqual("action"): members.set(.action, value)
      case 6 where name.elementsEqual("author"): members.set(.author, value)
      case 6 where name.elementsEqual("taskId"): members.set(.taskID, value)
      case 7 where name.elementsEqual("parents"): members.set(.parents, value)
      case 7 where name.elementsEqual("version"): members.set(.version, value)
      case 9 where name.elementsEqual("signature"): members.set(.signature, value)
      case 9 where name.elementsEqual("timestamp"): members.set(.timestamp, value)
      case 9 where name.elementsEqual("createdAt"): members.set(.createdAt, value)
      case 10 where name.elementsEqual("accessList"): members.set(.accessList, value)
      default:
        report(.memberUnknown, Self.pointer("", name))
      }
    }
    if envelope == .refuse {
      if members.has(.accessList) { report(.memberEnvelope, "/accessList") }
      if members.has(.createdAt) { report(.memberEnvelope, "/createdAt") }
    }
    return members
  }

  /// Judges every member into the draft.
  mutating func judgeMembers(_ members: borrowing NodeMembers, _ draft: inout Draft) {
    judgeAction(members[.action], &draft)
    judgeAuthor(members[.author], &draft)
    judgeID(members[.id], &draft)
    judgeParents(members[.parents], &draft)
    judgeSignature(members[.signature], &draft)
    judgeTaskID(members[.taskID], &draft)
    judgeTimestamp(members[.timestamp], &draft)
    judgeVersion(members[.version])
    judgeData(members[.data], &draft)
    if draft.action == .merge, draft.parents.count < 2, members.has(.parents) {
      report(.mergeParents, "/parents")
    }
  }

  /// A member, if it is present; reports `null`, and its absence where it is required.
  @_lifetime(copy value)
  mutating func present(
    _ value: JSONValue?, _ pointer: @autoclosure () -> String, required: Bool
  ) -> JSONValue? {
    guard let value else {
      if required { report(.memberMissing, pointer()) }
      return nil
    }
    guard !value.isNull else {
      report(.memberNull, pointer())
      return nil
    }
    return value
  }

  private mutating func judgeAction(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/action", required: true) else { return }
    guard let name = value.escaped, Action.isName(name) else {
      report(.actionForm, "/action", detail: excerpt(value))
      return
    }
    draft.actionIsName = true
    draft.action = Action(name: name)
    draft.places.action = Node.Slice(value.contentPlace)
    if draft.action == nil { report(.actionUnknown, "/action", detail: excerpt(value)) }
  }

  mutating func judgeID(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/id", required: false) else { return }
    guard let text = value.escaped, let id = ObjectID(ascii: text) else {
      reportForm(.idForm, "/id", value)
      return
    }
    draft.statedID = id
  }

  mutating func judgeParents(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/parents", required: true) else { return }
    guard value.isArray else {
      report(.parentsForm, "/parents", detail: excerpt(value))
      return
    }
    var elements = value.elements
    var position = 0
    while let element = elements.next() {
      if position == Node.parentLimit { report(.parentsLimit, "/parents") }
      if let text = element.escaped, let id = ObjectID(ascii: text) {
        if position < Node.parentLimit {
          if draft.parents.contains(id) {
            report(.parentsDuplicate, "/parents/\(position)", detail: id.text)
          }
          draft.parents.append(id)
        }
      } else {
        reportForm(.parentsForm, "/parents/\(position)", element)
      }
      position += 1
    }
  }

  mutating func judgeSignature(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/signature", required: false) else { return }
    guard let text = value.escaped, let bytes = Hex.decode64(text) else {
      reportForm(.signatureForm, "/signature", value)
      return
    }
    draft.signature = Signature(bytes: bytes)
  }

  private mutating func judgeTaskID(_ value: JSONValue?, _ draft: inout Draft) {
    guard value != nil else {
      if profile.isGenesis || draft.action != nil { report(.taskIDMissing, "/taskId") }
      return
    }
    guard let value = present(value, "/taskId", required: false) else { return }
    guard let text = value.escaped, let task = TaskID(text) else {
      report(.taskIDForm, "/taskId", detail: excerpt(value))
      return
    }
    draft.taskID = task
    draft.places.taskID = Node.Slice(value.contentPlace)
  }

  private mutating func judgeVersion(_ value: JSONValue?) {
    guard let value = present(value, "/version", required: true) else { return }
    guard value.isNumber, value.content.elementsEqual("1") else {
      report(
        .versionUnsupported, "/version", detail: excerpt(value),
        hint: "this release reads version 1 only")
      return
    }
  }

  mutating func judgeTimestamp(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/timestamp", required: true) else { return }
    guard value.isObject else {
      report(.nodeType, "/timestamp", detail: excerpt(value))
      return
    }
    var lamport: JSONValue?
    var wall: JSONValue?
    var members = value.members
    while let member = members.next() {
      let name = member.name.content
      if name.elementsEqual("lamport") {
        lamport = member.value
      } else if name.elementsEqual("wall") {
        wall = member.value
      } else {
        report(.memberUnknown, Self.pointer("/timestamp", name))
      }
    }
    if let lamport = present(lamport, "/timestamp/lamport", required: true) {
      draft.lamport = integer(lamport).flatMap {
        $0 > 0 ? Lamport(UInt64($0)) : nil
      }
      if draft.lamport == nil {
        report(.lamportForm, "/timestamp/lamport", detail: excerpt(lamport))
      }
    }
    if let wall = present(wall, "/timestamp/wall", required: true) {
      guard let text = wall.escaped, let time = WallTime.parse(text) else {
        report(.wallForm, "/timestamp/wall", detail: excerpt(wall))
        return
      }
      if !time.hasFraction { report(.wallPrecision, "/timestamp/wall") }
      draft.wall = time.time
      draft.places.wall = Node.Slice(wall.contentPlace)
    }
  }

  /// The value of a number whose canonical text has a sign and at most 18 digits.
  func integer(_ value: JSONValue) -> Int64? {
    guard let number = value.integer, number.magnitude < 1_000_000_000_000_000_000 else {
      return nil
    }
    return number
  }
}

extension Node.Slice {
  /// A range of the text.
  init(_ range: Range<Int>) {
    start = UInt32(range.lowerBound)
    end = UInt32(range.upperBound)
  }
}
