// The members of a task and of a todo that content can set, and the values that they can have.

internal import RedoObject

/// A member of a task or of a todo.
package enum FieldKey: Hashable, Sendable {
  case title, description, privacy, storyPoints, priority, frequencyDays, completedAt
  /// Of a todo.
  case deadline, completed, notes
  /// A member that the protocol does not name, and the title of a todo: the name as RFC 8785 writes
  /// it, without quotes.
  case other([UInt8])

  /// The members that a CREATE may leave out, sorted by name.
  static let defaulted: [FieldKey] = [
    .description, .frequencyDays, .priority, .privacy, .storyPoints,
  ]

  /// The member of a task that CREATE and UPDATE set under a name.
  init(ofTask name: Span<UInt8>) {
    switch ContentMember(name) {
    case .title: self = .title
    case .description: self = .description
    case .privacy: self = .privacy
    case .storyPoints: self = .storyPoints
    case .priority: self = .priority
    case .frequencyDays: self = .frequencyDays
    default: self = .other(name.bytes)
    }
  }

  /// The member of a task that a MERGE decides about under a name; `nil` for what no content sets.
  init?(ofMerged name: Span<UInt8>) {
    switch ContentMember(name) {
    case .completedAt: self = .completedAt
    case .archived, .deleted, .todoTasks, .guid, .todos: return nil
    default: self.init(ofTask: name)
    }
  }

  /// The member of a todo of a name; `nil` for its id.
  init?(ofTodo name: Span<UInt8>) {
    switch ContentMember(name) {
    case .todoTaskID: return nil
    case .deadline: self = .deadline
    case .completed: self = .completed
    case .notes: self = .notes
    default: self = .other(name.bytes)
    }
  }

  /// Whether this is a member that UPDATE refuses and CREATE keeps among the unknown ones.
  var isNoContent: Bool {
    guard case .other(let name) = self else { return false }
    switch ContentMember(name.span) {
    case .archived, .deleted, .todoTasks, .guid, .todos: return true
    default: return false
    }
  }

  /// Whether its values are times.
  var isTime: Bool { self == .completedAt || self == .deadline || self == .completed }

  /// Whether a value that a person decided for has the type of this member.
  ///
  /// - Parameters:
  ///   - value: RFC 8785.
  ///   - isOfTodo: whether this is a member of a todo.
  /// - Returns: whether an UPDATE, or what makes a todo, would take it.
  func allows(_ value: [UInt8], isOfTodo: Bool) -> Bool {
    let first = value[0]
    let isString = first == UInt8(ascii: "\"")
    switch self {
    case .title: return isString && value.count > 2
    case .description, .notes: return isString
    case .privacy: return first == UInt8(ascii: "t") || first == UInt8(ascii: "f")
    case .storyPoints: return FieldText.isNumber(value) && first != UInt8(ascii: "-")
    case .priority: return FieldText.isInteger(value)
    case .frequencyDays: return FieldText.isInteger(value) && first != UInt8(ascii: "-")
    case .completedAt, .deadline, .completed: return FieldText.time(value) != nil
    case .other(let name): return !isOfTodo || !name.span.elementsEqual("title") || isString
    }
  }
}

/// What can be said of a value by its RFC 8785 bytes.
enum FieldText {
  static func isNumber(_ value: [UInt8]) -> Bool {
    value[0] == UInt8(ascii: "-") || value[0] &- UInt8(ascii: "0") < 10
  }

  static func isInteger(_ value: [UInt8]) -> Bool {
    isNumber(value) && value.dropFirst().allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// The instant of a string that is a time.
  static func time(_ value: [UInt8]) -> WallTime? {
    guard value[0] == UInt8(ascii: "\"") else { return nil }
    return WallTime.parse(value.span.extracting(1..<value.count - 1))?.time
  }

  /// The value of a number.
  static func number(_ value: [UInt8]) -> Double {
    Double(String(decoding: value, as: UTF8.self)) ?? 0
  }
}

extension Span where Element == UInt8 {
  /// A copy of the bytes.
  var bytes: [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    for index in indices { copy.append(self[index]) }
    return copy
  }
}
