// What copies of nodes say of when a remote first had them, on its way into the store: noted once the nodes
// themselves are there.

package import RedoObject
internal import RedoStore

/// When remotes first had the nodes of a transaction.
package struct IncomingCreatedTimes {
  private var rows: [(id: ObjectID, time: WallTime)] = []
  private var unknownCount = 0
  /// The first that was in no known form, as a message has it.
  private var firstUnknown = ""

  /// Nothing so far.
  package init() {}

  /// Times that are known already.
  package init(_ times: [ObjectID: WallTime]) {
    rows = times.map { ($0.key, $0.value) }
  }

  /// Notes what a copy says, if it says anything.
  ///
  /// - Parameters:
  ///   - created: what it says.
  ///   - id: the node.
  ///   - subject: what messages call the place of the copy.
  package mutating func note(_ created: CreatedAt?, of id: ObjectID, _ subject: () -> String) {
    switch created {
    case nil: return
    case .time(let time): rows.append((id, time))
    case .unknown(let text):
      if unknownCount == 0 {
        firstUnknown =
          "'\(subject())': 'createdAt' of '\(id.text)' is no time in a form that is known, and is"
          + " not kept: '\(text)'"
      }
      unknownCount += 1
    }
  }

  /// Warns of what was in no known form.
  package func report(_ effects: Effects) {
    guard unknownCount > 0 else { return }
    effects.warning(
      firstUnknown + (unknownCount > 1 ? "; \(unknownCount) times in all" : ""))
  }

  /// Adds the times to those that the store has.
  ///
  /// That nothing can be added is no reason to refuse the nodes.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - left: nodes that were left out.
  ///   - effects: receives a warning when nothing can be added.
  /// - Throws: `fatal` when a setting has no meaning.
  package func write(
    to opened: Repository, without left: Set<ObjectID> = [], _ effects: Effects
  ) throws {
    let rows = left.isEmpty ? rows : rows.filter { !left.contains($0.id) }
    guard !rows.isEmpty else { return }
    let writer = CreatedWriter(in: opened.store.directory, try opened.refsOptions())
    do throws(RefsError) {
      try opened.trace.measure("created") { () throws(RefsError) in _ = try writer.append(rows) }
    } catch {
      effects.warning("when remotes had these changes first is not noted: \(error)")
    }
  }
}
