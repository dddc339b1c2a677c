// Names of tasks as people write them: a UUID, or a unique prefix among the tasks of the refs.

package import RedoObject
internal import RedoStore

/// Finds tasks by prefix.
package enum TaskName {
  /// The length of the shortest prefix, as for IDs.
  package static let shortest = 4

  /// The task of a whole ID, whether or not it exists, or the one task with a prefix.
  ///
  /// - Throws: `NameFault` when it is the prefix of no task, or of several.
  package static func known(_ text: String, _ opened: Repository) throws -> TaskID {
    if let task = TaskID(Array(text.utf8).span) { return task }
    return try one(text, opened)
  }

  /// The one task with a prefix.
  ///
  /// - Throws: `NameFault` when there is none, or more than one, with the candidates.
  package static func one(_ text: String, _ opened: Repository) throws -> TaskID {
    let prefix = text.lowercased()
    let isBeginning = prefix.utf8.allSatisfy {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
        || $0 == UInt8(ascii: "-")
    }
    guard isBeginning, prefix.utf8.count < TaskID.textCount else {
      throw NameFault.malformedTask(name: text)
    }
    guard prefix.utf8.count >= shortest else { throw NameFault.shortTask(name: text) }
    let heads = "heads/"
    var found: [RefName] = []
    var snapshot = try opened.snapshot()
    try snapshot.forEach(prefix: heads + prefix) { ref throws(RefsError) in
      if found.last != ref.name { found.append(ref.name) }
      return found.count <= candidateLimit
    }
    let tasks = found.compactMap { TaskID(Array($0.bytes.dropFirst(heads.utf8.count)).span) }
    switch tasks.count {
    case 0: throw NameFault.noTask(name: text)
    case 1: return tasks[0]
    default:
      throw NameFault.ambiguousTask(
        name: text, Array(tasks.prefix(candidateLimit)), hasMore: tasks.count > candidateLimit)
    }
  }

  /// The most candidates of an ambiguous name that are listed.
  private static let candidateLimit = 20
}
