// Messages about changes of refs.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension RefFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .singleValued(let change):
      .fatal(
        "\(Self.name(change)): only one id can stand under this name",
        hints: ["'update', 'create' and 'delete' change it"])
    case .zeroNew(let change): .fatal("\(Self.name(change)): zero <new>")
    case .zeroOld(let change): .fatal("\(Self.name(change)): zero <old>")
    case .twice(let name): .fatal("multiple updates for the ref '\(name.text)' are not allowed")
    case .value(let change, let cause): CommandError(cause).behind(Self.name(change))
    case .unreadable(let id): .fatal("object '\(id.text)' is missing or no node")
    case .noEntryYet: .fatal("no ref had been changed at that time")
    case .noEntry(let number):
      .fatal(number.map { "there is no entry \($0)" } ?? "no ref has been changed yet")
    }
  }

  private static func name(_ change: RefChange) -> String {
    "\(change.verb.rawValue) \(change.name.text)"
  }
}

extension CommandError {
  /// The same error, with its subject in front.
  fileprivate func behind(_ subject: String) -> CommandError {
    CommandError(kind, "\(subject): \(message)", hints: hints)
  }
}

extension RefRefusal {
  /// Why an object may not be the value of a ref.
  package var words: String {
    switch self {
    case .notInStore(let id): "object '\(id.text)' is not in the store"
    case .nameOfNoTask: "heads stand under the UUID of their task in lower case, or under '-'"
    case .notANode(let id): "object '\(id.text)' is not a node"
    case .otherKind(let id, let kind): "object '\(id.text)' is not a \(kind.name)"
    case .otherGroup(let id, .chain(let root)):
      "'\(id.text)' is a receipt of the chain '\(root.text)'"
    case .otherGroup(let id, .schema(let name)): "'\(id.text)' is a schema of '\(name.text)'"
    case .otherGroup(let id, .task(let task)): "'\(id.text)' is a node of the task '\(task.text)'"
    case .otherTask(let id, let task):
      "'\(id.text)' is a node " + (task.map { "of the task '\($0.text)'" } ?? "without a task")
    case .cannotEnter(let id, let finding):
      "'\(id.text)' cannot enter the history: \(finding.summary)"
    case .ancestor(let id): "'\(id.text)' is an ancestor of another head"
    }
  }
}

extension RefRejection {
  /// Why a change was not made.
  package var words: String {
    let name = update.change.name.text
    return switch reason {
    case .absent(let id, _): "'\(id.text)' does not stand under '\(name)'"
    case .exists(let found): "'\(name)' already exists, at \(RefValue.text(found))"
    case .missing(let expected):
      "'\(name)' does not exist, but was expected at \(RefValue.text(expected))"
    case .moved(let found, let expected):
      "'\(name)' is at \(RefValue.text(found)) but was expected at \(RefValue.text(expected))"
    case .refused(let refusal): "cannot update '\(name)': \(refusal.words)"
    }
  }
}
