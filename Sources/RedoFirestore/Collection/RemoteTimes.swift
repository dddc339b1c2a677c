// When the service first had the nodes of documents, on its way into the store.
//
// The times of a remote with a name are noted at once, before the mirror remembers the document: it is not read
// again. For an address without a name only the times of fetched nodes are remembered.

internal import FirestoreModel
internal import RedoObject
package import RedoStore

/// Notes when a service first had nodes.
///
/// A class, because everything that reads documents shares it.
package final class RemoteTimes {
  /// When what was read is noted.
  package enum Moment {
    /// At once.
    case reading
    /// When the nodes have been handed over.
    case handingOver
  }

  private let writer: CreatedWriter
  private let moment: Moment
  private var rows: [(id: ObjectID, time: WallTime)] = []
  /// Why no more is noted, if so.
  package private(set) var fault: RefsError?

  /// Notes when a service first had nodes.
  ///
  /// - Parameters:
  ///   - writer: takes the times.
  ///   - moment: when it takes them.
  package init(_ writer: CreatedWriter, at moment: Moment) {
    self.writer = writer
    self.moment = moment
  }

  /// Takes what a document says.
  ///
  /// - Parameters:
  ///   - time: when the service first had the node; `nil` when the document does not say it.
  ///   - id: the node.
  func take(_ time: FirestoreTimestamp?, of id: ObjectID) {
    if let time { rows.append((id, time.wallTime)) }
  }

  /// Notes what was read, if this is the moment.
  ///
  /// That it cannot be noted harms nothing else.
  ///
  /// - Parameter moment: which moment this is.
  package func note(at moment: Moment) {
    guard moment == self.moment, fault == nil else { return }
    do throws(RefsError) { try writer.append(rows) } catch { fault = error }
    rows = []
  }
}
