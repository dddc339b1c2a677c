// From documents to nodes: recovered by hash, judged by the rules, kept in the mirror; a document that is not a
// node is kept as it came, and reported.

internal import CanonicalJSON
package import FirestoreModel
internal import RedoRepository
internal import RedoCrypto
package import RedoObject
package import RedoRemote
package import RedoStore

/// Takes documents in.
///
/// A class, because everything that reads documents shares it.
package final class DocumentReading {
  private let mirror: Mirror
  private let quarantine: QuarantinedDocuments?
  private let notes: RemoteNotes?
  private let account: OAuthID
  private var decoder = NodeDecoder()
  /// The documents that were recovered in another form than that of ours, for messages.
  package private(set) var count = 0

  /// Takes documents in.
  ///
  /// - Parameters:
  ///   - mirror: what is remembered.
  ///   - quarantine: keeps documents that are not nodes.
  ///   - account: whose documents they are.
  ///   - notes: notes what documents say besides their nodes.
  package init(
    _ mirror: Mirror, _ quarantine: QuarantinedDocuments?, of account: OAuthID,
    _ notes: RemoteNotes? = nil
  ) {
    self.account = account
    self.mirror = mirror
    self.quarantine = quarantine
    self.notes = notes
  }

  /// What a document is.
  package enum Found {
    /// A node.
    case node(StoredObject, Node)
    /// None that could be offered.
    case unfit(UnfitDocument)
  }

  /// Takes documents in.
  ///
  /// - Parameter documents: what was read.
  /// - Returns: the nodes among them.
  /// - Throws: `stopped` when they cannot be kept.
  @discardableResult
  package func take(_ documents: [FirestoreDocument]) throws(RemoteError) -> [PackEntry] {
    var nodes: [PackEntry] = []
    var known: [MirrorNode] = []
    var unfit: [UnfitDocument] = []
    var mended: [ObjectID] = []
    for document in documents {
      count += 1
      switch judge(document) {
      case .node(let object, let node):
        nodes.append(PackEntry(object, node))
        notes?.take(document, of: node.id)
        let new = MirrorNode(node, isListed: isListed(document))
        if mirror.unfit[new.id.text] != nil { mended.append(new.id) }
        guard mirror.nodes[new.id] != new else { continue }
        try Self.keeping { () throws(SystemError) in try mirror.bodies.append(object) }
        known.append(new)
      case .unfit(let found):
        let broken = UnfitDocument(
          documentID: found.documentID, rows: found.rows, isListed: isListed(document),
          clock: Self.clock(of: document))
        if mirror.unfit[broken.documentID] != broken, let quarantine {
          var bytes: [UInt8] = []
          document.appendJSON(to: &bytes)
          let name = broken.rows[0].id
          try Self.keeping { () throws(SystemError) in try quarantine.write(bytes, name) }
        }
        unfit.append(broken)
      }
    }
    notes?.note(at: .reading)
    try Self.keeping { () throws(SystemError) in try mirror.add(known, unfit: unfit) }
    // What was kept of these is of no more use: the document is as it should be.
    if !mended.isEmpty, let quarantine {
      try Self.keeping { () throws(SystemError) in
        try quarantine.remove(mended, withLeftovers: false)
      }
    }
    return nodes
  }

  /// Notes who may see nodes that were written, and when the service took them.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - time: when it was.
  ///   - accounts: the ids of the accounts.
  func note(
    written ids: [ObjectID], at time: FirestoreTimestamp?, readers accounts: [String]
  ) {
    notes?.take(readers: accounts, at: time, of: ids)
    notes?.note(at: .reading)
  }

  /// What a document is.
  ///
  /// - Parameter document: as it was read.
  /// - Returns: a node, or why it is not one.
  package func judge(_ document: FirestoreDocument) -> Found {
    let name = String(document.id)
    guard let id = ObjectID(text: name) else {
      // What has no id of a node is called by the hash of its name.
      let id = ObjectID(digest: SHA256.digest(of: Array(name.utf8).span))
      let finding = Finding(.idForm, at: .pointer("/id"), detail: name)
      return .unfit(UnfitDocument(documentID: name, rows: [RefusedNode(id, finding)]))
    }
    let object: StoredObject
    switch NodeDocument.recover(document) {
    case .recovered(let found): object = found.object
    case .unfit(let why):
      let named = why.message.contains("Mismatch: ")
      let detail = named ? why.message : "\(why.rule.id): \(why.message)"
      var rows = [RefusedNode(id, rule: why.rule.id, detail)]
      // Both are reported (requirement K20).
      for parent in document.fields["parents"]?.elements?.prefix(Node.parentLimit) ?? [] {
        guard let parent = parent.text, !isKnown(parent) else { continue }
        rows.append(
          RefusedNode(
            id, rule: Rule.parentMissing.id,
            "missing parent \(parent) (Invalid parent reference)"))
      }
      return .unfit(UnfitDocument(documentID: name, rows: rows))
    }
    guard let node = decoder.decode(object) else {
      let rows = decoder.findings.filter { $0.rule.severity == .error }.map { RefusedNode(id, $0) }
      return .unfit(
        UnfitDocument(
          documentID: name, rows: rows.isEmpty ? [RefusedNode(id, Finding(.nodeType))] : rows))
    }
    return .node(object, node)
  }

  /// Whether the account is in the access list of a document.
  private func isListed(_ document: FirestoreDocument) -> Bool {
    document.fields[NodeDocument.accessListField]?.elements?.contains(.string(account.text))
      ?? false
  }

  private static func clock(of document: FirestoreDocument) -> UnfitDocument.Clock {
    switch document.fields[FieldPath("timestamp", "lamport")] {
    case nil: .none
    case .integer(let number)?: .integer(number)
    case .double(let number)?: .double(number)
    default: .other
    }
  }

  private func isKnown(_ parent: String) -> Bool {
    ObjectID(text: parent).map { mirror.nodes[$0] != nil } ?? false
  }

  static func keeping(_ body: () throws(SystemError) -> Void) throws(RemoteError) {
    do throws(SystemError) { try body() } catch {
      throw .refused(PeerFault(.stopped, "what was read cannot be kept: \(error)"))
    }
  }
}
