// What documents say about nodes besides the nodes, on its way into the store: when the service first had them, and
// which accounts may see them.
//
// What a remote with a name says is noted at once, before the mirror remembers the document: it is not read again. For
// an address without a name only what is said of fetched nodes is noted.

internal import FirestoreModel
internal import RedoObject
package import RedoStore

/// Notes what documents say about nodes.
///
/// A class, because everything that reads documents shares it.
package final class RemoteNotes {
  /// When what was read is noted.
  package enum Moment {
    /// At once.
    case reading
    /// When the nodes have been handed over.
    case handingOver
  }

  private let times: CreatedWriter
  private let lists: AccessWriter
  private let remote: String
  private let moment: Moment
  private var timeRows: [(id: ObjectID, time: WallTime)] = []
  private var listRows: [AccessNotes.Row] = []
  /// Why no more times are noted, if so.
  package private(set) var timesFault: RefsError?
  /// Why no more access lists are noted, if so.
  package private(set) var listsFault: RefsError?

  /// Notes what documents say about nodes.
  ///
  /// - Parameters:
  ///   - times: takes when the service first had nodes.
  ///   - lists: takes which accounts may see them.
  ///   - remote: the name of the remote; `nil` when it has none.
  package init(_ times: CreatedWriter, _ lists: AccessWriter, of remote: String?) {
    self.times = times
    self.lists = lists
    self.remote = remote ?? "-"
    moment = remote == nil ? .handingOver : .reading
  }

  /// Takes what a document says.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - id: the node that it holds.
  func take(_ document: FirestoreDocument, of id: ObjectID) {
    if let time = NodeDocument.createdAt(of: document) { timeRows.append((id, time.wallTime)) }
    let accounts = document.fields[NodeDocument.accessListField]?.elements ?? []
    listRows.append((id, AccessList(of: accounts.compactMap(\.text))))
  }

  /// Takes the accounts that may see nodes that were written.
  ///
  /// - Parameters:
  ///   - accounts: the ids of the accounts.
  ///   - time: when the service took the nodes.
  ///   - ids: the nodes.
  func take(readers accounts: [String], at time: FirestoreTimestamp?, of ids: [ObjectID]) {
    let list = AccessList(of: accounts)
    if let time { timeRows += ids.map { ($0, time.wallTime) } }
    listRows += ids.map { ($0, list) }
  }

  /// Notes what was read, if this is the moment.
  ///
  /// That it cannot be noted harms nothing else. A node that has a list keeps it, unless this remote has given it.
  ///
  /// - Parameter moment: which moment this is.
  package func note(at moment: Moment) {
    guard moment == self.moment else { return }
    let isNamed = self.moment == .reading
    if listsFault == nil {
      do throws(RefsError) {
        try lists.append(listRows, from: remote) { [remote] _, source in
          source.map { isNamed && $0 == remote } ?? true
        }
      } catch {
        listsFault = error
      }
    }
    if timesFault == nil {
      do throws(RefsError) { try times.append(timeRows) } catch { timesFault = error }
    }
    (timeRows, listRows) = ([], [])
  }
}
