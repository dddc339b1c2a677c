// The change that would give a member a value that lost.

package import RedoObject

/// A change that sets one member.
package struct Restoration: Sendable {
  /// Its action.
  package let action: Action
  /// The todo that it changes.
  package let todo: TaskID?
  /// The member of the content, as RFC 8785 writes it, without quotes; `nil` when the action has none.
  package let name: [UInt8]?
  /// Its value, RFC 8785.
  package let value: [UInt8]

  /// The content, RFC 8785.
  package var content: [UInt8] {
    guard let name else { return Array("{}".utf8) }
    var content = Array("{\"".utf8) + name + Array("\":".utf8) + value
    if let todo {
      // It sorts after all names beside it.
      content += ",\"todoTaskId\":\"".utf8
      todo.append(to: &content)
      content.append(UInt8(ascii: "\""))
    }
    content.append(UInt8(ascii: "}"))
    return content
  }

  private init(_ action: Action, _ todo: TaskID?, _ name: [UInt8]?, _ value: [UInt8]) {
    self.action = action
    self.todo = todo
    self.name = name
    self.value = value
  }

  /// The change that gives a member a value; `nil` for a member that no action sets, for a value that no action
  /// accepts, and for the value that the member already has.
  ///
  /// - Parameters:
  ///   - value: RFC 8785.
  ///   - member: the member.
  ///   - state: the state of its task.
  package init?(_ value: [UInt8]?, of member: StateMember, in state: TaskState?) {
    guard let value, let state, value != member.value(in: state) else { return nil }
    let isThere = member.todo.map { state.todos.place(of: $0) != nil } ?? true
    guard isThere else { return nil }
    switch (member.todo, member.key) {
    case (nil, .archived):
      self.init(value[0] == UInt8(ascii: "t") ? .archive : .unarchive, nil, nil, value)
    case (nil, .field(let key)) where key.allows(value, isOfTodo: false) && !key.isNoContent:
      self.init(key == .completedAt ? .complete : .update, nil, key.memberName, value)
    case (let todo?, .field(.deadline)) where FieldKey.deadline.allows(value, isOfTodo: true):
      self.init(.snooze, todo, Array("newDeadline".utf8), value)
    case (let todo?, .field(.completed)) where FieldKey.completed.allows(value, isOfTodo: true):
      self.init(.completeTodo, todo, Array("completed".utf8), value)
    default: return nil
    }
  }
}
