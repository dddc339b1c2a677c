// Families of actions, each with a colour.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A family of actions with one colour.
enum ActionKind: Int, CaseIterable {
  case create, todo, update, complete, snooze, archive, merge, delete, other

  init(action: String) {
    switch Action(rawValue: action) {
    case .create: self = .create
    case .createTodo, .addTodo: self = .todo
    case .update: self = .update
    case .completeTodo, .complete: self = .complete
    case .snooze: self = .snooze
    case .archive, .unarchive: self = .archive
    case .merge: self = .merge
    case .delete: self = .delete
    case nil: self = .other
    }
  }

  /// The label in the legend.
  var label: String {
    switch self {
    case .create: "create"
    case .todo: "add todo"
    case .update: "update"
    case .complete: "complete"
    case .snooze: "snooze"
    case .archive: "archive"
    case .merge: "merge"
    case .delete: "delete"
    case .other: "other"
    }
  }

  /// The colours on light and on dark backgrounds.
  var colors: (light: String, dark: String) {
    switch self {
    case .create: ("#1a7f37", "#3fb950")
    case .todo: ("#0598a8", "#39c5cf")
    case .update: ("#0969da", "#58a6ff")
    case .complete: ("#86a80f", "#b5d84a")
    case .snooze: ("#d4830b", "#e3a33b")
    case .archive: ("#6e7781", "#8b949e")
    case .merge: ("#8250df", "#b38bff")
    case .delete: ("#cf222e", "#ff6a61")
    case .other: ("#bf3989", "#e279b4")
    }
  }
}
