// The account's document, `users/{account}`: which nodes it owns, how many it may read, when it was last synchronised and
// active, and from which devices of its person. It is a hint for other clients, written in a commit of its own, and can never stop anything: it ends
// at some 14,500 ids, because a document ends at 1 MiB.

internal import CanonicalJSON
internal import FirestoreModel
internal import RedoHTTP
internal import RedoObject
internal import RedoRemote

/// Writes the account's document.
struct UserDocument {
  /// The most bytes of ids: the document has room for other things.
  private static let ownedBytes = FirestoreDocument.byteLimit - 65_536
  /// What one id counts: its bytes and one.
  private static let idBytes = ObjectID.textCount + 1
  /// The most devices that one run adds.
  private static let deviceLimit = 32

  private let collection: NodeCollection
  private let person: String?
  private let total: Int
  private var settings: FirestoreSettings { collection.client.settings }

  /// The account's document.
  ///
  /// - Parameters:
  ///   - collection: talks to the database.
  ///   - person: the user id of the person whose store it is; `nil` without a key.
  ///   - total: how many nodes the account may read.
  init(_ collection: NodeCollection, of person: String?, total: Int) {
    self.collection = collection
    self.person = person
    self.total = total
  }

  /// Adds nodes.
  ///
  /// - Parameters:
  ///   - owed: the nodes that it does not name yet.
  ///   - nodes: those that were written in this run, for their devices.
  /// - Returns: a warning, if there is one; and whether nothing is left to do.
  func add(_ owed: [ObjectID], written nodes: [Node]) -> (warning: String?, isDone: Bool) {
    guard let name = settings.userName else { return (nil, true) }
    let ids = owed.map(\.text)
    do throws(CallFailure) {
      // This many ids would not fit into one document, even if it were otherwise empty.
      if ids.count * Self.idBytes <= Self.ownedBytes {
        try write(name, ids, nodes)
        return (nil, true)
      }
    } catch {
      guard error.status == .invalidArgument || error.status == .failedPrecondition else {
        return (told(error), false)
      }
    }
    // It is full, or about to be.
    do throws(CallFailure) {
      let owned = try collection.client.get(name, as: "user")?.fields["ownedNodes"]?.elements ?? []
      let used = owned.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) + 1 }
      let room = max(0, (Self.ownedBytes - used) / Self.idBytes)
      try write(name, Array(ids.prefix(room)), nodes)
      guard room < ids.count else { return (nil, true) }
      let warning =
        "FIREBASE_002: the document 'users/\(settings.account.text)' has no room for "
        + "\(ids.count - room) more ids; other clients find these nodes by their access lists"
      return (warning, true)
    } catch {
      return (told(error), false)
    }
  }

  private func told(_ error: CallFailure) -> String {
    let what = "the document 'users/\(settings.account.text)'"
    let told = error.told(what, by: settings.account)
    return "\(what) is not brought up to date: \(told.faultToTell.text)"
  }

  private func write(
    _ name: DocumentName, _ ids: [String], _ nodes: [Node]
  ) throws(CallFailure) {
    var fields = FirestoreFields()
    var mask: [FieldPath] = []
    if let displayName = settings.displayName {
      fields["displayName"] = .string(displayName)
      mask.append(FieldPath("displayName"))
    }
    fields["totalNodes"] = .integer(Int64(total))
    mask.append(FieldPath("totalNodes"))
    var transforms: [FirestoreWrite.Transform] = []
    if !ids.isEmpty {
      transforms.append(
        .init(FieldPath("ownedNodes"), .appendMissing(ids.map { .string($0) })))
    }
    let devices = devices(of: nodes)
    if !devices.isEmpty {
      transforms.append(
        .init(FieldPath("deviceIds"), .appendMissing(devices.map { .string($0) })))
    }
    transforms.append(.init(FieldPath("lastSyncAt"), .requestTime))
    transforms.append(.init(FieldPath("lastActivity"), .requestTime))
    _ = try collection.client.commit(
      FirestoreCommit([
        FirestoreWrite(
          .update(FirestoreDocument(name: name.text, fields: fields)), updateMask: mask,
          transforms: transforms)
      ]), as: "users")
  }

  /// The devices of the nodes that the person has made, each once.
  private func devices(of nodes: [Node]) -> [String] {
    var devices: [String] = []
    for node in nodes where devices.count < Self.deviceLimit && node.userID.text == person {
      guard let escaped = node.escapedText(.deviceID) else { continue }
      let device = String(decoding: StringEscape.unescape(escaped.span), as: UTF8.self)
      if !devices.contains(device) { devices.append(device) }
    }
    return devices
  }
}
