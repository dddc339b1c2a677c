// From a document to the node whose id it bears, by the hash.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

extension NodeDocument {
  /// Finds the node that a document holds.
  ///
  /// These are tried in order: the bytes of `canonical`; the fields as they are; what the repairs of `Repairs`
  /// make of them. The first body whose hash is the document's id is the node's.
  ///
  /// - Parameter document: a document in its original form, with any content.
  /// - Returns: the node, or why it could not be recovered.
  /// - Complexity: O(*n*) for what redo writes; at most `tryLimit` times that.
  package static func recover(_ document: FirestoreDocument) -> Reading {
    let fields = document.fields
    let stated = ObjectID(text: document.id)
    let own = fields[idField]?.text.flatMap { ObjectID(text: $0) }
    guard let wanted = stated ?? own else {
      return .unfit(.noID(document.id.isEmpty ? fields[idField]?.text ?? "" : String(document.id)))
    }
    // A document whose name is not an id holds the node of its field, and is refused by name.
    let isElsewhere = stated == nil && !document.name.isEmpty
    var search = Search(wanted: wanted, alternative: own)
    guard let form = search.find(fields) else { return .unfit(search.failure) }
    guard search.found == wanted, !isElsewhere else {
      return .unfit(.idMismatch(name: String(document.id), id: search.found))
    }
    var signature: Signature?
    if let value = fields[signatureField], value != .null, value != .string("") {
      let hex = Array((value.text ?? "").utf8)
      guard let bytes = Hex.decode64(hex.span) else {
        return .unfit(.signatureForm(String((value.text ?? "").prefix(200))))
      }
      signature = Signature(bytes: bytes)
    }
    guard Node.wholeCount(bodyCount: search.body.count, signature) <= Node.byteLimit else {
      return .unfit(.tooLarge)
    }
    return .recovered(
      Recovered(
        id: wanted, body: search.body, signature: signature,
        createdAt: createdAt(of: document),
        accessList: (fields[accessListField]?.elements ?? []).compactMap(\.text), form: form))
  }

  /// When the service took a document, by the field of that name in any of its forms.
  ///
  /// - Parameter document: a document in its original form, with any content.
  /// - Returns: `nil` when it does not say it, or in no form that is known.
  package static func createdAt(of document: FirestoreDocument) -> FirestoreTimestamp? {
    document.fields[createdAtField].flatMap(FirestoreTimestamp.init(anyForm:))
  }

  /// Looks for a body with a hash.
  private struct Search {
    /// The hash.
    let wanted: ObjectID
    /// The id that the document's own field states, looked for as well.
    let alternative: ObjectID?
    /// The hash of the body that was found.
    private(set) var found: ObjectID
    /// The body that was found.
    private(set) var body: [UInt8] = []
    /// Why none has been found.
    private(set) var failure: Unfit

    private var hasFirst = false
    private var hasFault = false

    init(wanted: ObjectID, alternative: ObjectID?) {
      self.wanted = wanted
      self.alternative = alternative
      found = wanted
      failure = .noID(wanted.text)
    }

    mutating func find(_ fields: FirestoreFields) -> Form? {
      if case .bytes(let bytes) = fields[canonicalField], take(bytes) { return .canonical }
      if take(fieldsOfBody(fields)) { return .plain }
      var repairs = Repairs(fields)
      while let (candidate, form) = repairs.next() {
        if take(candidate) { return .repaired(form) }
      }
      return nil
    }

    private func fieldsOfBody(_ fields: FirestoreFields) -> FirestoreFields {
      FirestoreFields(fields.members.filter { !isEnvelope($0.name) })
    }

    private mutating func take(_ fields: FirestoreFields) -> Bool {
      do throws(PlainFault) {
        return take(try canonical(fields))
      } catch {
        if !hasFirst, !hasFault {
          hasFault = true
          failure = .unreadable(error.rule, place: error.place, fault: error.fault)
        }
        return false
      }
    }

    private mutating func take(_ bytes: [UInt8]) -> Bool {
      let id = ObjectID(digest: SHA256.digest(of: bytes.span))
      if id == wanted || id == alternative {
        found = id
        body = bytes
        return true
      }
      if !hasFirst {
        hasFirst = true
        failure = .hashMismatch(stated: wanted, computed: id, body: bytes)
      }
      return false
    }
  }
}

extension FirestoreTimestamp {
  /// An instant in any form in which clients have written it: a timestamp, a text, or a map of `_seconds` and
  /// `_nanoseconds` (with or without the underscores).
  ///
  /// `nil` for any other value.
  ///
  /// - Parameter value: a value of a document.
  package init?(anyForm value: FirestoreValue) {
    switch value {
    case .timestamp(let time): self = time
    case .string(let text): self.init(text: text)
    case .map(let fields):
      guard fields.count <= 2,
        case .integer(let seconds) = fields["_seconds"] ?? fields["seconds"]
      else { return nil }
      switch fields["_nanoseconds"] ?? fields["nanoseconds"] {
      case .integer(let nanoseconds): self.init(seconds: seconds, nanoseconds: nanoseconds)
      case nil where fields.count == 1: self.init(seconds: seconds)
      default: return nil
      }
    default: return nil
    }
  }
}
