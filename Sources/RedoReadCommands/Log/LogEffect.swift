// The effects of changes on their tasks, for `redo log --pretty=changes`: the values before and after.
//
//       UPDATE
//           priority 3 -> 4
//           title "Water" -> "Water everything"

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The effect of one change.
struct LogEffect: Sendable {
  /// The changes to the state, in order.
  var changes: [StateChange] = []
  /// Why all or part of it has no effect on the state.
  var skips: [SkipReason] = []

  /// Appends lines separated by line feeds, without one at the beginning or the end.
  func append(to output: inout [UInt8]) {
    for change in changes {
      output.append("\n        ")
      if let todo = change.todo {
        output += "todo \(todo.text.prefix(8))".utf8
        if change.name.isEmpty {
          output.append(" added")
          continue
        }
        output.append(" ")
      }
      output += Escape.text(StringEscape.unescape(change.name.span)).utf8
      output.append(" ")
      if let old = change.old {
        ValueText.append(old, to: &output)
        output.append(" -> ")
      }
      if let new = change.new {
        ValueText.append(new, to: &output)
      } else {
        output.append("none")
      }
    }
    for skip in skips { output += "\n        (no effect: \(skip.rawValue))".utf8 }
  }

  /// The effects of some changes.
  ///
  /// - Parameters:
  ///   - positions: the changes.
  ///   - set: the changes that were walked; all columns of the index have been checked.
  /// - Returns: the effects of those changes, by their ids; `nil` when the index is damaged.
  static func of(_ positions: [Int], in set: LogSet) -> [ObjectID: LogEffect]? {
    let graph = set.graph
    let cut = set.reached.map { Cut(of: graph, members: $0) } ?? Cut(whole: graph)
    let nodes = TaskNodes(graph, cut)
    let wanted = Set(positions)
    let tasks = Set(positions.map { graph.task(at: $0) }).filter { $0 >= 0 }.sorted()
    let pieces = stride(from: 0, to: tasks.count, by: 64).map { start in
      Array(tasks[start..<min(start + 64, tasks.count)])
    }
    let found = Threads.parallelMap(
      pieces, threads: pieces.count < 2 ? 1 : Threads.processorCount,
      makeState: { Replay(graph, cut, nodes) }
    ) { replay, piece -> [Int: LogEffect]? in
      var effects: [Int: LogEffect] = [:]
      for task in piece {
        replay.steps(of: task) { position, before, after in
          guard wanted.contains(position) else { return }
          effects[position, default: LogEffect()].changes = StateChange.between(before, after)
        }
        _ = replay.takeSkips()
        _ = replay.state(of: task)
        for skip in replay.takeSkips() where wanted.contains(skip.position) {
          effects[skip.position, default: LogEffect()].skips.append(skip.reason)
        }
      }
      return replay.isDamaged ? nil : effects
    }
    var effects: [ObjectID: LogEffect] = [:]
    for piece in found {
      guard let piece else { return nil }
      for (position, effect) in piece { effects[graph.id(at: position)] = effect }
    }
    for skip in Replay(graph, cut, nodes).skipsWithoutTask() where wanted.contains(skip.position) {
      effects[graph.id(at: skip.position), default: LogEffect()].skips.append(skip.reason)
    }
    return effects
  }
}
