// What incoming copies of nodes say about when a remote first had them: recorded once the nodes themselves are stored.

package import RedoObject
internal import RedoStore

/// When remotes first had the nodes of a transaction.
package struct IncomingCreatedTimes {
  private var rows: [(id: ObjectID, time: WallTime)] = []
  private var unknownCount = 0
  /// The first time in an unknown form, and the name of the copy in messages.
  private var firstUnknown: (id: ObjectID, subject: String, text: String)?

  /// Creates an empty value.
  package init() {}

  /// Creates a value with times that are already known.
  package init(_ times: [ObjectID: WallTime]) {
    rows = times.map { ($0.key, $0.value) }
  }

  /// Notes what a copy says, if it says anything.
  ///
  /// - Parameters:
  ///   - created: what it says.
  ///   - id: the node.
  ///   - subject: the name of the copy in messages.
  package mutating func note(_ created: CreatedAt?, of id: ObjectID, _ subject: () -> String) {
    switch created {
    case nil: return
    case .time(let time): rows.append((id, time))
    case .unknown(let text):
      if firstUnknown == nil { firstUnknown = (id, subject(), text) }
      unknownCount += 1
    }
  }

  /// Reports times in unknown forms.
  package func report(_ effects: Effects) {
    guard let first = firstUnknown else { return }
    effects.report(
      .opening(
        .createdUnknown(first.id, subject: first.subject, text: first.text, count: unknownCount)))
  }

  /// Adds the times to those that the store has.
  ///
  /// If nothing can be added, that is no reason to refuse the nodes.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - left: nodes that were left out.
  ///   - effects: receives a report when nothing can be added.
  /// - Throws: `ConfigError` when a setting has no meaning.
  package func write(
    to opened: Repository, without left: Set<ObjectID> = [], _ effects: Effects
  ) throws {
    let rows = left.isEmpty ? rows : rows.filter { !left.contains($0.id) }
    guard !rows.isEmpty else { return }
    let writer = CreatedWriter(in: opened.store.directory, try opened.refsOptions())
    do throws(RefsError) {
      try opened.trace.measure("created") { () throws(RefsError) in _ = try writer.append(rows) }
    } catch {
      effects.report(.opening(.createdUnnoted(error)))
    }
  }
}
