// What keeps an archive from being written, registered or kept.

package import RedoObject

/// The errors of making archives.
package enum ArchiveMakingFault: Fault {
  /// Archives of this kind need the name of a file, or one that file names can be derived from.
  case unnamed
  /// A manifest cannot be written beside a stream.
  case manifestOfStream
  /// The documents beside an archive of a remote would be readable.
  case sealedRemote
  /// The store could not read the nodes of the encrypted archive: it has no key for it that needs no question.
  case sealedRemoval
  /// The file is a registered archive.
  case registered(path: String)
  /// Another file of the same nodes is registered.
  case registeredElsewhere(path: String)
  /// A manifest would be left beside an archive that it is not about.
  case foreignManifest(path: String)
  /// A node is larger than it may be.
  case tooLarge(ObjectID)
  /// A file does not contain what was written into it.
  case differs(path: String)
  /// It is not known when a node, or a receipt, was received.
  case undated(ObjectKind, ObjectID)
  /// All nodes, or receipts, that are asked for are in registered archives.
  case allArchived(ObjectKind, count: Int)
  /// There are none.
  case empty(ObjectKind)
  /// None is from before an instant, in milliseconds since 1970.
  case noneBefore(ObjectKind, Int64)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .unnamed, .manifestOfStream: .invalid
    case .sealedRemote, .sealedRemoval, .registered, .registeredElsewhere, .foreignManifest,
      .tooLarge:
      .refused
    case .differs: .corrupt
    case .undated, .allArchived, .empty, .noneBefore: .missing
    }
  }

  /// The file or the node that it is about.
  package var subject: String? {
    switch self {
    case .registered(let path), .registeredElsewhere(let path), .foreignManifest(let path),
      .differs(let path):
      path
    case .tooLarge(let id), .undated(_, let id): id.text
    case .unnamed, .manifestOfStream, .sealedRemote, .sealedRemoval, .allArchived, .empty,
      .noneBefore:
      nil
    }
  }
}

/// What keeps an archive from being encrypted.
package enum SealingFault: Fault {
  /// What names a recipient.
  ///
  /// A line of a file is never repeated: it may be a private key in the wrong place.
  package enum Name: Equatable, Sendable {
    /// The text of an option.
    case text(String)
    /// The number of a line, from 1, and its file.
    case line(Int, path: String)
  }

  /// There are more recipients than an archive can have.
  case tooMany(limit: Int)
  /// It names no recipient.
  case unknown(Name)
  /// It is a private key: on this line, or in an option when it is `nil`.
  case secret(Name?)
  /// Neither the keyring nor the trust file has the key of a user.
  case keyless(user: Name)
  /// The key of a recipient is revoked on a line of the trust file.
  case revoked(Name, line: Int)
  /// The key of a recipient is not a point of the curve that a secret can be shared with.
  case weak(Name)
  /// Files for a passphrase are for nothing else.
  case keysAndPassphrase
  /// The key is a post-quantum one, which is not supported.
  case hybrid(Name)
  /// No line of a file names a recipient.
  case noRecipients(path: String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .tooMany, .revoked: .refused
    case .unknown: .malformed
    case .secret: .invalid
    case .keyless: .missing
    case .weak: .invalid
    case .keysAndPassphrase: .invalid
    case .hybrid: .unsupported
    case .noRecipients: .malformed
    }
  }

  /// The recipient that it is about, or its file.
  package var subject: String? {
    switch self {
    case .unknown(let name), .keyless(let name), .revoked(let name, _), .weak(let name),
      .hybrid(let name), .secret(let name?):
      switch name {
      case .text(let text): text
      case .line(_, let path): path
      }
    case .noRecipients(let path): path
    case .secret(nil), .tooMany, .keysAndPassphrase: nil
    }
  }
}
