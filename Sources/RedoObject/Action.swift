// The actions that replay knows (protocol, section 3). The set of names is open: an unknown action
// of the right form is stored, and skipped by replay.

/// An action that replay knows.
package enum Action: String, CaseIterable, Sendable {
  case create = "CREATE"
  case update = "UPDATE"
  case createTodo = "CREATE_TODO"
  case addTodo = "ADD_TODO"
  case completeTodo = "COMPLETE_TODO"
  case snooze = "SNOOZE"
  case complete = "COMPLETE"
  case archive = "ARCHIVE"
  case unarchive = "UNARCHIVE"
  case delete = "DELETE"
  case merge = "MERGE"

  /// The longest name of an action, known or not.
  package static let nameLimit = 64

  /// Whether a text is the name of an action: `[A-Z][A-Z0-9_]{0,63}`.
  package static func isName(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 1, text.count <= nameLimit else { return false }
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        if index == 0 { return false }
      default: return false
      }
    }
    return true
  }

  /// The known action of a name; compares bytes, because this is done for each node.
  package init?(name: Span<UInt8>) {
    switch (name.count, name[0]) {
    case (6, UInt8(ascii: "C")): self = .create
    case (6, UInt8(ascii: "U")): self = .update
    case (6, UInt8(ascii: "S")): self = .snooze
    case (6, UInt8(ascii: "D")): self = .delete
    case (11, UInt8(ascii: "C")): self = .createTodo
    case (8, UInt8(ascii: "A")): self = .addTodo
    case (13, UInt8(ascii: "C")): self = .completeTodo
    case (8, UInt8(ascii: "C")): self = .complete
    case (7, UInt8(ascii: "A")): self = .archive
    case (9, UInt8(ascii: "U")): self = .unarchive
    case (5, UInt8(ascii: "M")): self = .merge
    default: return nil
    }
    guard name.elementsEqual(self.name) else { return nil }
  }

  /// The name as nodes have it.
  package var name: StaticString {
    switch self {
    case .create: "CREATE"
    case .update: "UPDATE"
    case .createTodo: "CREATE_TODO"
    case .addTodo: "ADD_TODO"
    case .completeTodo: "COMPLETE_TODO"
    case .snooze: "SNOOZE"
    case .complete: "COMPLETE"
    case .archive: "ARCHIVE"
    case .unarchive: "UNARCHIVE"
    case .delete: "DELETE"
    case .merge: "MERGE"
    }
  }
}
