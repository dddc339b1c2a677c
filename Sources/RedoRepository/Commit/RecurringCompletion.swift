// Completing a todo of a task that comes again, with the todo that follows: worked out from the present state, and recorded
// only if nobody has changed the task meanwhile.

internal import RedoHistory
package import RedoObject

/// A completion and what follows it.
package struct RecurringCompletion {
  /// The completion, and the making of the next todo unless it has been made already.
  package let requests: [ChangeRequest]
  /// The next todo.
  package let next: TaskID

  /// Works out what follows a completion.
  ///
  /// - Parameters:
  ///   - request: the completion, with its task.
  ///   - now: when the todo was completed if the content does not say.
  ///   - opened: the store.
  /// - Throws: `CommitFault` when there is no such task or todo, or it does not come again; the error when a node is
  ///   missing or corrupt.
  package init(of request: ChangeRequest, now: WallTime, _ opened: Repository) throws {
    guard let task = request.task else { throw CommitFault.noTask(nil) }
    guard let todo = request.member("todoTaskId").flatMap({ TaskID(Array($0.utf8).span) }) else {
      throw CommitFault.noNextTodo(nil, of: task, .noTodo)
    }
    let completed = request.member("completed").flatMap {
      WallTime.parse(Array($0.utf8).span)?.time
    }
    let tips = try HistoryLoad.heads(opened, tasks: [task])
    let log = NodeHistory(try HistoryLoad.nodes(from: tips, opened.objects).nodes)
    let cut = Cut(whole: log)
    var replay = Replay(log, cut, TaskNodes(log, cut))
    guard let index = (0..<log.taskCount).first(where: { log.taskID($0) == task }) else {
      throw CommitFault.noTask(task)
    }
    guard let state = replay.state(of: index) else { throw CommitFault.taskIsDeleted(task) }
    let found: NextTodo
    do throws(NextTodo.Obstacle) {
      found = try NextTodo(after: todo, in: state, completed: completed ?? now)
    } catch {
      throw CommitFault.noNextTodo(todo, of: task, error)
    }
    next = found.id
    var completion = request
    completion.parents = replay.livingHeads(of: index).suffix(Node.parentLimit)
      .map { log.id(at: Int($0)) }.sorted()
    guard state.todos.place(of: found.id) == nil else {
      requests = [completion]
      return
    }
    var making = ChangeRequest(action: Action.createTodo.rawValue)
    making.task = task
    making.content = found.content
    making.form = request.form
    requests = [completion, making]
  }
}
