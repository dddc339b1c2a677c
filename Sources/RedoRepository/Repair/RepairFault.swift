// What keeps a repair from starting or continuing.

package import RedoObject
package import RedoStore

/// The errors of a repair.
package enum RepairFault: Fault {
  /// The source has no objects.
  case noSource(String)
  /// The source is the store itself.
  case ownStore(String)
  /// A received node or one of its ancestors is missing or damaged.
  case incomplete(ObjectID)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noSource: .unsupported
    case .ownStore: .invalid
    case .incomplete: .missing
    }
  }

  /// The source, or the node.
  package var subject: String? {
    switch self {
    case .noSource(let name), .ownStore(let name): name
    case .incomplete(let id): id.text
    }
  }
}

/// Something that a repair cannot find out.
package enum RepairEvent: Sendable {
  /// The refs cannot be read; objects that only they name are not looked for.
  case refsUnread(RefsError)
  /// A part of the received log is damaged; objects that only that part names are not looked for.
  case receivedDamaged(path: String, reason: String)
  /// The last changes of refs may be lost.
  case changesLost
}
