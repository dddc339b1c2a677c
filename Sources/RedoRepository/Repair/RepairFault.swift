// What keeps a repair from beginning, or from going on.

package import RedoObject
package import RedoStore

/// The errors of a repair.
package enum RepairFault: Fault {
  /// The source is a URL.
  case url(String)
  /// The source is nothing that has objects.
  case noSource(String)
  /// The source is the store itself.
  case ownStore(String)
  /// A node was received, and it or an ancestor is missing or damaged.
  case incomplete(ObjectID)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .url, .noSource: .unsupported
    case .ownStore: .invalid
    case .incomplete: .missing
    }
  }

  /// The source, or the node.
  package var subject: String? {
    switch self {
    case .url(let name), .noSource(let name), .ownStore(let name): name
    case .incomplete(let id): id.text
    }
  }
}

/// Something that a repair cannot know.
package enum RepairEvent: Sendable {
  /// The refs cannot be read; what only they name is not looked for.
  case refsUnread(RefsError)
  /// A part of the received log is damaged; what only that part names is not looked for.
  case receivedDamaged(path: String, reason: String)
  /// The last changes of refs may be lost.
  case changesLost
}
