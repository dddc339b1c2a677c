// The types of content members (protocol, sections 3 and 4).

internal import CanonicalJSON

extension NodeDecoder {
  /// The greatest number of days by which a todo is moved: about a century.
  private static var daysLimit: Int64 { 36_500 }

  /// Judges one value of an action's content.
  mutating func judgeValue(
    _ value: Int, _ type: ContentType, _ pointer: @autoclosure () -> String, _ text: Span<UInt8>
  ) {
    let token = scanner[value]
    let holds: Bool
    switch type {
    case .text: holds = token.kind == .string
    case .title: holds = token.kind == .string && !token.range.isEmpty
    case .boolean: holds = token.kind == .literalTrue || token.kind == .literalFalse
    case .points: holds = token.kind == .number && text[token.range.lowerBound] != 0x2D
    case .count: holds = isInteger(value, text) && text[token.range.lowerBound] != 0x2D
    case .days: holds = integer(value, text).map { $0 >= 1 && $0 <= Self.daysLimit } ?? false
    case .priority:
      let priority = isInteger(value, text)
      if priority, integer(value, text).map({ $0 < 1 || $0 > 5 }) ?? true {
        report(.payloadRange, pointer(), detail: excerpt(value, text))
      }
      holds = priority
    case .time:
      let time = string(value, text).flatMap { WallTime.parse(text.extracting($0)) }
      if let time, !time.hasFraction { report(.wallPrecision, pointer()) }
      holds = time != nil
    case .uuid:
      holds = string(value, text).map { TaskID(text.extracting($0)) != nil } ?? false
    case .id: holds = isID(value, text)
    case .ids:
      holds = token.kind == .array
      judgeElements(value, pointer(), text) { decoder, element, pointer in
        if !decoder.isID(element, text) {
          decoder.report(.payloadType, pointer, detail: decoder.excerpt(element, text))
        }
      }
    case .todos:
      holds = token.kind == .array
      judgeElements(value, pointer(), text) { decoder, element, pointer in
        decoder.judgeObject(element, pointer, text, Self.todoType)
      }
    case .policy:
      holds = true
      judgeObject(value, pointer(), text) { name in
        name.elementsEqual("defaultStrategy") ? .text : nil
      }
    case .resolutions:
      holds = true
      judgeResolutions(value, pointer(), text)
    case .forbidden: return
    }
    if !holds { report(.payloadType, pointer(), detail: excerpt(value, text)) }
  }

  /// Whether a number's canonical text has only digits and a sign.
  private func isInteger(_ value: Int, _ text: Span<UInt8>) -> Bool {
    let token = scanner[value]
    guard token.kind == .number else { return false }
    for index in token.range
    where text[index] &- UInt8(ascii: "0") > 9 && text[index] != UInt8(ascii: "-") {
      return false
    }
    return true
  }

  private func isID(_ value: Int, _ text: Span<UInt8>) -> Bool {
    string(value, text).map { ObjectID(ascii: text.extracting($0)) != nil } ?? false
  }

  private static func todoType(_ name: Span<UInt8>) -> ContentType? {
    switch ContentMember(name) {
    case .todoTaskID: .uuid
    case .deadline, .completed: .time
    // A todo may have an empty title: that must not cost the whole task.
    case .title, .notes: .text
    default: nil
    }
  }

  private static func entryType(_ name: Span<UInt8>) -> ContentType? {
    if name.elementsEqual("path") || name.elementsEqual("strategy")
      || name.elementsEqual("notes")
    {
      return .text
    }
    return name.elementsEqual("chosenParent") ? .id : nil
  }

  /// The resolutions of a MERGE: `{task: [entry], todos: [{todoTaskId, fields: [entry]}]}`.
  private mutating func judgeResolutions(_ value: Int, _ pointer: String, _ text: Span<UInt8>) {
    judgeMembers(of: value, pointer, text) { decoder, name, member, pointer in
      if name.elementsEqual("task") {
        decoder.judgeEntries(member, pointer, text)
      } else if name.elementsEqual("todos") {
        decoder.judgeArray(member, pointer, text) { decoder, todo, pointer in
          decoder.judgeMembers(of: todo, pointer, text) { decoder, name, member, pointer in
            if name.elementsEqual("todoTaskId") {
              decoder.judgeValue(member, .uuid, pointer, text)
            } else if name.elementsEqual("fields") {
              decoder.judgeEntries(member, pointer, text)
            }
          }
        }
      }
    }
  }

  private mutating func judgeEntries(_ value: Int, _ pointer: String, _ text: Span<UInt8>) {
    judgeArray(value, pointer, text) { decoder, entry, pointer in
      decoder.judgeObject(entry, pointer, text, Self.entryType)
    }
  }

  /// Judges the members of an object whose names have types.
  private mutating func judgeObject(
    _ value: Int, _ pointer: String, _ text: Span<UInt8>,
    _ type: (Span<UInt8>) -> ContentType?
  ) {
    judgeMembers(of: value, pointer, text) { decoder, name, member, pointer in
      guard let type = type(name) else { return }
      decoder.judgeValue(member, type, pointer, text)
    }
  }

  private mutating func judgeMembers(
    of value: Int, _ pointer: String, _ text: Span<UInt8>,
    _ judge: (inout NodeDecoder, Span<UInt8>, Int, String) -> Void
  ) {
    guard scanner[value].kind == .object else {
      report(.payloadType, pointer, detail: excerpt(value, text))
      return
    }
    var index = value + 1
    let end = Int(scanner[value].next)
    while index < end {
      let name = text.extracting(scanner[index].range)
      judge(&self, name, index + 1, Self.pointer(pointer, name))
      index = Int(scanner[index + 1].next)
    }
  }

  private mutating func judgeArray(
    _ value: Int, _ pointer: String, _ text: Span<UInt8>,
    _ judge: (inout NodeDecoder, Int, String) -> Void
  ) {
    if scanner[value].kind != .array {
      report(.payloadType, pointer, detail: excerpt(value, text))
    }
    judgeElements(value, pointer, text, judge)
  }

  private mutating func judgeElements(
    _ value: Int, _ pointer: String, _ text: Span<UInt8>,
    _ judge: (inout NodeDecoder, Int, String) -> Void
  ) {
    guard scanner[value].kind == .array else { return }
    var element = value + 1
    var position = 0
    let end = Int(scanner[value].next)
    while element < end {
      judge(&self, element, "\(pointer)/\(position)")
      position += 1
      element = Int(scanner[element].next)
    }
  }

  /// Judges `data.conflictResolution`, an object that only a MERGE has.
  ///
  /// What stands inside is a record: replay asks no more than whether `source` is `automatic`.
  mutating func judgeConflictResolution(_ value: Int, _ text: Span<UInt8>, _ draft: Draft) {
    let pointer = "/data/conflictResolution"
    guard isPresent(value, pointer, required: false) else { return }
    // Of a node without a good action nobody knows whether it was meant to be a MERGE.
    guard scanner[value].kind == .object, draft.action == .merge || !draft.actionIsName else {
      report(.conflictResolutionForm, pointer, detail: excerpt(value, text))
      return
    }
  }
}
