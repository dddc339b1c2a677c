// Why two stores could not talk to each other to the end.

/// Why an exchange has ended early.
package enum RemoteError: Error, Equatable, Sendable {
  /// The peer has closed the stream in the middle.
  case closed
  /// The stream no longer works; what the system said.
  case stream(String)
  /// What the peer sent does not have the form it should have, at a place in a frame.
  case malformed(offset: Int, reason: String)
  /// The peer sent what has no place here.
  case unexpected(String)
  /// The peer went beyond a limit.
  case limit(String)
  /// The peer speaks no version that is spoken here.
  case unsupported(versions: [UInt8])
  /// The peer has said that it cannot go on. The text is the peer's: escape it before it is shown.
  case peer(PeerFault)
  /// Our own side will not go on, and sends the peer exactly this.
  case refused(PeerFault)
  /// Our own side cannot go on; why, for people.
  case stopped(String)
  /// Our own side cannot go on now; why, for people.
  case unavailable(String)
}

extension RemoteError: CustomStringConvertible {
  /// One line for people, without the name of the remote.
  package var description: String {
    switch self {
    case .closed: "the other side has closed the connection"
    case .stream(let reason): reason
    case .malformed(let offset, let reason): "malformed: at byte \(offset): \(reason)"
    case .unexpected(let what): "unexpected: \(what)"
    case .limit(let what): "beyond a limit: \(what)"
    case .unsupported(let versions):
      "no version in common: the other side speaks "
        + versions.map(String.init).joined(separator: ", ") + ", this one "
        + Wire.versions.map(String.init).joined(separator: ", ")
    case .peer(let fault): "the other side says: \(fault.code.rawValue): \(fault.text)"
    case .refused(let fault): fault.text
    case .stopped(let reason), .unavailable(let reason): reason
    }
  }
}

extension RemoteError {
  /// Whether a repetition may help.
  package var isTransient: Bool {
    switch self {
    case .closed, .stream, .unavailable: true
    case .peer(let fault), .refused(let fault): fault.code == .unavailable
    case .malformed, .unexpected, .limit, .unsupported, .stopped: false
    }
  }

  /// The fault to send to the peer; `nil` when the peer knows, or can no longer be reached.
  package var fault: PeerFault? { fault(hidesReason: false) }

  /// The same for a peer that may see a part of what is here.
  ///
  /// - Parameter hidesReason: whether a problem of our own is not told, because it names what is here.
  /// - Returns: the fault; `nil` as above.
  func fault(hidesReason: Bool) -> PeerFault? {
    switch self {
    case .closed, .stream, .peer: nil
    case .malformed: PeerFault(.malformed, description)
    case .unexpected: PeerFault(.unexpected, description)
    case .limit: PeerFault(.limit, description)
    case .unsupported: PeerFault(.version, description)
    case .refused(let fault): fault
    case .stopped(let reason): PeerFault(.stopped, hidesReason ? "cannot go on" : reason)
    case .unavailable(let reason): PeerFault(.unavailable, hidesReason ? "busy" : reason)
    }
  }
}
