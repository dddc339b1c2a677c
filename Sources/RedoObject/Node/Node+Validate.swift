// The members of a node (protocol, section 1), each judged where it stands.

internal import CanonicalJSON
internal import RedoCrypto

extension NodeDecoder {
  /// Sorts the top-level members by name; reports unknown ones and nulls.
  mutating func topLevel(_ text: Span<UInt8>) -> Members {
    var members = Members()
    var index = 1
    let end = Int(scanner[0].next)
    while index < end {
      let name = text.extracting(scanner[index].range)
      let value = index + 1
      index = Int(scanner[value].next)
      switch name.count {
      case 2 where name.elementsEqual("id"): members.id = value
      case 4 where name.elementsEqual("data"): members.data = value
      case 6 where name.elementsEqual("action"): members.action = value
      case 6 where name.elementsEqual("author"): members.author = value
      case 6 where name.elementsEqual("taskId"): members.taskID = value
      case 7 where name.elementsEqual("parents"): members.parents = value
      case 7 where name.elementsEqual("version"): members.version = value
      case 9 where name.elementsEqual("signature"): members.signature = value
      case 9 where name.elementsEqual("timestamp"): members.timestamp = value
      case 9 where name.elementsEqual("createdAt"): members.createdAt = value
      case 10 where name.elementsEqual("accessList"): members.accessList = value
      default:
        report(.memberUnknown, Self.pointer("", name))
      }
    }
    if envelope == .refuse {
      if members.accessList > 0 { report(.memberEnvelope, "/accessList") }
      if members.createdAt > 0 { report(.memberEnvelope, "/createdAt") }
    }
    return members
  }

  /// Judges every member into the draft.
  mutating func judgeMembers(_ members: Members, _ text: Span<UInt8>, _ draft: inout Draft) {
    judgeAction(members.action, text, &draft)
    judgeAuthor(members.author, text, &draft)
    judgeID(members.id, text, &draft)
    judgeParents(members.parents, text, &draft)
    judgeSignature(members.signature, text, &draft)
    judgeTaskID(members.taskID, text, &draft)
    judgeTimestamp(members.timestamp, text, &draft)
    judgeVersion(members.version, text)
    judgeData(members.data, text, &draft)
    if draft.action == .merge, draft.parents.count < 2, members.parents > 0 {
      report(.mergeParents, "/parents")
    }
  }

  /// Whether a member is there; reports `null`, and its absence where it is required.
  mutating func isPresent(
    _ value: Int, _ pointer: @autoclosure () -> String, required: Bool
  ) -> Bool {
    guard value > 0 else {
      if required { report(.memberMissing, pointer()) }
      return false
    }
    guard scanner[value].kind != .null else {
      report(.memberNull, pointer())
      return false
    }
    return true
  }

  /// The content of a string; `nil` for a value of another type.
  func string(_ value: Int, _ text: Span<UInt8>) -> Range<Int>? {
    scanner[value].kind == .string ? scanner[value].range : nil
  }

  private mutating func judgeAction(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard isPresent(value, "/action", required: true) else { return }
    guard let range = string(value, text), Action.isName(text.extracting(range)) else {
      report(.actionForm, "/action", detail: excerpt(value, text))
      return
    }
    draft.actionIsName = true
    draft.action = Action(name: text.extracting(range))
    draft.places.action = Node.Slice(range)
    if draft.action == nil { report(.actionUnknown, "/action", detail: excerpt(value, text)) }
  }

  private mutating func judgeID(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard value > 0, isPresent(value, "/id", required: false) else { return }
    guard let range = string(value, text), let id = ObjectID(ascii: text.extracting(range)) else {
      reportForm(.idForm, "/id", value, text)
      return
    }
    draft.statedID = id
  }

  private mutating func judgeParents(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard isPresent(value, "/parents", required: true) else { return }
    guard scanner[value].kind == .array else {
      report(.parentsForm, "/parents", detail: excerpt(value, text))
      return
    }
    var element = value + 1
    let end = Int(scanner[value].next)
    var position = 0
    while element < end {
      if position == Node.parentLimit { report(.parentsLimit, "/parents") }
      if let range = string(element, text), let id = ObjectID(ascii: text.extracting(range)) {
        if position < Node.parentLimit {
          if draft.parents.contains(id) {
            report(.parentsDuplicate, "/parents/\(position)", detail: id.text)
          }
          draft.parents.append(id)
        }
      } else {
        reportForm(.parentsForm, "/parents/\(position)", element, text)
      }
      position += 1
      element = Int(scanner[element].next)
    }
  }

  private mutating func judgeSignature(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard value > 0, isPresent(value, "/signature", required: false) else { return }
    guard let range = string(value, text),
      let bytes = Hex.decode64(text.extracting(range))
    else {
      reportForm(.signatureForm, "/signature", value, text)
      return
    }
    draft.signature = Signature(bytes: bytes)
  }

  private mutating func judgeTaskID(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard value > 0 else {
      if profile.isGenesis || draft.action != nil { report(.taskIDMissing, "/taskId") }
      return
    }
    guard isPresent(value, "/taskId", required: false) else { return }
    guard let range = string(value, text), let task = TaskID(text.extracting(range)) else {
      report(.taskIDForm, "/taskId", detail: excerpt(value, text))
      return
    }
    draft.taskID = task
    draft.places.taskID = Node.Slice(range)
  }

  private mutating func judgeVersion(_ value: Int, _ text: Span<UInt8>) {
    guard isPresent(value, "/version", required: true) else { return }
    let token = scanner[value]
    guard token.kind == .number, text.extracting(token.range).elementsEqual("1") else {
      report(
        .versionUnsupported, "/version", detail: excerpt(value, text),
        hint: "this release reads version 1 only")
      return
    }
  }

  private mutating func judgeTimestamp(_ value: Int, _ text: Span<UInt8>, _ draft: inout Draft) {
    guard isPresent(value, "/timestamp", required: true) else { return }
    guard scanner[value].kind == .object else {
      report(.nodeType, "/timestamp", detail: excerpt(value, text))
      return
    }
    var lamport = 0
    var wall = 0
    var index = value + 1
    let end = Int(scanner[value].next)
    while index < end {
      let name = text.extracting(scanner[index].range)
      if name.elementsEqual("lamport") {
        lamport = index + 1
      } else if name.elementsEqual("wall") {
        wall = index + 1
      } else {
        report(.memberUnknown, Self.pointer("/timestamp", name))
      }
      index = Int(scanner[index + 1].next)
    }
    if isPresent(lamport, "/timestamp/lamport", required: true) {
      draft.lamport = integer(lamport, text).flatMap {
        $0 > 0 ? Lamport(UInt64($0)) : nil
      }
      if draft.lamport == nil {
        report(.lamportForm, "/timestamp/lamport", detail: excerpt(lamport, text))
      }
    }
    if isPresent(wall, "/timestamp/wall", required: true) {
      guard let range = string(wall, text), let time = WallTime.parse(text.extracting(range)) else {
        report(.wallForm, "/timestamp/wall", detail: excerpt(wall, text))
        return
      }
      if !time.hasFraction { report(.wallPrecision, "/timestamp/wall") }
      draft.wall = time.time
      draft.places.wall = Node.Slice(range)
    }
  }

  /// The value of a number whose canonical text has only digits and a sign, and fits 63 bits.
  func integer(_ value: Int, _ text: Span<UInt8>) -> Int64? {
    let token = scanner[value]
    guard token.kind == .number else { return nil }
    let digits = text.extracting(token.range)
    var index = 0
    let negative = digits[0] == UInt8(ascii: "-")
    if negative { index = 1 }
    guard digits.count - index <= 18 else { return nil }
    var number: Int64 = 0
    while index < digits.count {
      let digit = digits[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int64(digit)
      index += 1
    }
    return negative ? -number : number
  }
}

extension Node.Slice {
  /// A range of the text.
  init(_ range: Range<Int>) {
    start = UInt32(range.lowerBound)
    end = UInt32(range.upperBound)
  }
}
