// What keeps a name from identifying one thing.

package import RedoObject

/// The errors of resolving a name.
package enum NameFault: Fault {
  /// No object has the name.
  case noObject(name: String)
  /// The name cannot be that of an object.
  case malformedObject(name: String)
  /// The name is an abbreviation of several objects.
  case ambiguousObject(name: String, ObjectCandidates)
  /// The name is neither that of a task nor a prefix of one.
  case malformedTask(name: String)
  /// The name is too short for a prefix of a task.
  case shortTask(name: String)
  /// No task begins with the name.
  case noTask(name: String)
  /// The name is a prefix of several tasks: the first of them, and whether there are more.
  case ambiguousTask(name: String, [TaskID], hasMore: Bool)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noObject, .noTask: .missing
    case .malformedObject, .malformedTask: .malformed
    case .ambiguousObject, .shortTask, .ambiguousTask: .invalid
    }
  }

  /// The name.
  package var subject: String? {
    switch self {
    case .noObject(let name), .malformedObject(let name), .ambiguousObject(let name, _),
      .malformedTask(let name), .shortTask(let name), .noTask(let name),
      .ambiguousTask(let name, _, _):
      name
    }
  }
}
