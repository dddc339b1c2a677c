// UPDATE and COMPLETE: set members of the task.

internal import RedoObject

extension Replay {
  /// Sets just the members that the content has.
  mutating func update(_ position: Int, _ state: inout TaskState?) {
    reader.read(position, of: log)
    reader.forEachMember(of: reader.content) { name, value in
      state?.set(FieldKey(ofTask: name), to: reader.value(value))
    }
  }

  /// Sets when the task was completed; its todos are left alone.
  mutating func complete(_ position: Int, _ state: inout TaskState?) {
    reader.read(position, of: log)
    guard let completedAt = reader.member("completedAt", of: reader.content) else { return }
    state?.set(.completedAt, to: reader.value(completedAt))
  }
}
