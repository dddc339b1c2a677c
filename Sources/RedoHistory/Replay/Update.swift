// UPDATE and COMPLETE: set members of the task.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// Sets just the members that the content has.
  mutating func update(_ position: Int, _ state: inout TaskState?) {
    reader.read(position, of: log)
    var members = reader.content.members
    while let member = members.next() {
      state?.set(FieldKey(ofTask: member.name.content), to: member.value.bytes)
    }
  }

  /// Sets when the task was completed; its todos are left alone.
  mutating func complete(_ position: Int, _ state: inout TaskState?) {
    reader.read(position, of: log)
    guard let completedAt = reader.content["completedAt"] else { return }
    state?.set(.completedAt, to: completedAt.bytes)
  }
}
