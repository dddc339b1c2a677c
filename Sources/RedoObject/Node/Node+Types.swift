// The types of content members (protocol, sections 3 and 4).

internal import CanonicalJSON

extension NodeJudge {
  /// The greatest number of days by which a todo can be moved: about a century.
  private static var daysLimit: Int64 { 36_500 }

  /// Judges one value of an action's content.
  mutating func judgeValue(
    _ value: JSONValue, _ type: ContentType, _ pointer: @autoclosure () -> String
  ) {
    let holds: Bool
    switch type {
    case .text: holds = value.isString
    case .title: holds = value.isString && !value.contentPlace.isEmpty
    case .boolean: holds = value.boolean != nil
    case .points: holds = value.isNumber && value.content[0] != 0x2D
    case .count: holds = value.isInteger && value.content[0] != 0x2D
    case .days: holds = integer(value).map { $0 >= 1 && $0 <= Self.daysLimit } ?? false
    case .priority:
      let priority = value.isInteger
      if priority, integer(value).map({ $0 < 1 || $0 > 5 }) ?? true {
        report(.payloadRange, pointer(), detail: excerpt(value))
      }
      holds = priority
    case .time:
      let time = time(value)
      if let time, !time.hasFraction { report(.wallPrecision, pointer()) }
      holds = time != nil
    case .uuid:
      holds = isTaskID(value)
    case .id: holds = isID(value)
    case .ids:
      holds = value.isArray
      judgeElements(value, pointer()) { judge, element, pointer in
        if !judge.isID(element) {
          judge.report(.payloadType, pointer, detail: judge.excerpt(element))
        }
      }
    case .todos:
      holds = value.isArray
      judgeElements(value, pointer()) { judge, element, pointer in
        judge.judgeObject(element, pointer, Self.todoType)
      }
    case .policy:
      holds = true
      judgeObject(value, pointer()) { name in
        name.elementsEqual("defaultStrategy") ? .text : nil
      }
    case .resolutions:
      holds = true
      judgeResolutions(value, pointer())
    case .forbidden: return
    }
    if !holds { report(.payloadType, pointer(), detail: excerpt(value)) }
  }

  private func time(_ value: JSONValue) -> (time: WallTime, hasFraction: Bool)? {
    guard let text = value.escaped else { return nil }
    return WallTime.parse(text)
  }

  private func isTaskID(_ value: JSONValue) -> Bool {
    guard let text = value.escaped else { return false }
    return TaskID(text) != nil
  }

  private func isID(_ value: JSONValue) -> Bool {
    guard let text = value.escaped else { return false }
    return ObjectID(ascii: text) != nil
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
  private mutating func judgeResolutions(_ value: JSONValue, _ pointer: String) {
    judgeMembers(of: value, pointer) { judge, name, member, pointer in
      if name.elementsEqual("task") {
        judge.judgeEntries(member, pointer)
      } else if name.elementsEqual("todos") {
        judge.judgeArray(member, pointer) { judge, todo, pointer in
          judge.judgeMembers(of: todo, pointer) { judge, name, member, pointer in
            if name.elementsEqual("todoTaskId") {
              judge.judgeValue(member, .uuid, pointer)
            } else if name.elementsEqual("fields") {
              judge.judgeEntries(member, pointer)
            }
          }
        }
      }
    }
  }

  private mutating func judgeEntries(_ value: JSONValue, _ pointer: String) {
    judgeArray(value, pointer) { judge, entry, pointer in
      judge.judgeObject(entry, pointer, Self.entryType)
    }
  }

  /// Judges the members of an object whose names have types.
  private mutating func judgeObject(
    _ value: JSONValue, _ pointer: String,
    _ type: (Span<UInt8>) -> ContentType?
  ) {
    judgeMembers(of: value, pointer) { judge, name, member, pointer in
      guard let type = type(name) else { return }
      judge.judgeValue(member, type, pointer)
    }
  }

  private mutating func judgeMembers(
    of value: JSONValue, _ pointer: String,
    _ judge: (inout NodeJudge, Span<UInt8>, JSONValue, String) -> Void
  ) {
    guard value.isObject else {
      report(.payloadType, pointer, detail: excerpt(value))
      return
    }
    var members = value.members
    while let member = members.next() {
      let name = member.name.content
      judge(&self, name, member.value, Self.pointer(pointer, name))
    }
  }

  private mutating func judgeArray(
    _ value: JSONValue, _ pointer: String,
    _ judge: (inout NodeJudge, JSONValue, String) -> Void
  ) {
    if !value.isArray {
      report(.payloadType, pointer, detail: excerpt(value))
    }
    judgeElements(value, pointer, judge)
  }

  private mutating func judgeElements(
    _ value: JSONValue, _ pointer: String,
    _ judge: (inout NodeJudge, JSONValue, String) -> Void
  ) {
    var elements = value.elements
    var position = 0
    while let element = elements.next() {
      judge(&self, element, "\(pointer)/\(position)")
      position += 1
    }
  }

  /// Judges `data.conflictResolution`, an object that only a MERGE has.
  ///
  /// Its contents are a record: replay only asks whether `source` is `automatic`.
  mutating func judgeConflictResolution(_ value: JSONValue, _ draft: Draft) {
    let pointer = "/data/conflictResolution"
    guard let value = present(value, pointer, required: false) else { return }
    // Without a valid action, nobody knows whether the node was meant to be a MERGE.
    guard value.isObject, draft.action == .merge || !draft.actionIsName else {
      report(.conflictResolutionForm, pointer, detail: excerpt(value))
      return
    }
  }
}
