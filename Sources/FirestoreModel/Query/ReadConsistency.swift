// Which state of the documents a read sees: the members `transaction`, `newTransaction` and `readTime` of requests, and
// google.firestore.v1.TransactionOptions.

package import CanonicalJSON

/// What a transaction may do.
package enum TransactionOptions: Sendable, Equatable {
  /// Only read.
  case readOnly
  /// Read and write; the id of a transaction that was aborted, and that this one does again.
  case readWrite(retrying: [UInt8]?)
  /// Read what was there at a time.
  case readOnlyAt

  /// Reads options.
  ///
  /// - Parameters:
  ///   - json: an object with `readOnly` or `readWrite`, or with neither.
  ///   - usual: what it is with neither.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or unknown.
  package init(
    _ json: JSONValue, usual: TransactionOptions
  ) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("options that are no object") }
    var found: TransactionOptions?
    var members = json.members
    while let member = members.next() {
      let name = member.name
      let value = member.value
      if value.isNull { continue }
      guard found == nil else { throw name.fault("a second mode of one transaction") }
      switch name.string {
      case "readOnly": found = value.given("readTime") == nil ? .readOnly : .readOnlyAt
      case "readWrite":
        var old: [UInt8]?
        if let id = value.given("retryTransaction") { old = try id.transaction() }
        found = .readWrite(retrying: old)
      default: throw name.fault("an option that is not known")
      }
    }
    self = found ?? usual
  }
}

/// Which state of the documents a read sees.
package enum ReadConsistency: Sendable, Equatable {
  /// The present one.
  case present
  /// That of a transaction.
  case transaction([UInt8])
  /// That of a transaction which begins with this read.
  case new(TransactionOptions)
  /// That of a time.
  case time

  /// Reads the members of a request.
  ///
  /// - Parameter json: the request, an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    self = .present
    if let id = json.given("transaction"), id.string != "" {
      self = .transaction(try id.transaction())
    }
    if let options = json.given("newTransaction") {
      guard self == .present else { throw options.fault("a second transaction") }
      self = .new(try TransactionOptions(options, usual: .readOnly))
    }
    if let time = json.given("readTime") {
      guard self == .present else { throw time.fault("a time in a transaction") }
      self = .time
    }
  }
}

extension JSONValue {
  /// The value as the id of a transaction.
  ///
  /// - Returns: bytes; ids that nobody can have given out as well.
  /// - Throws: `FirestoreFormatError` for anything but Base64.
  package func transaction() throws(FirestoreFormatError) -> [UInt8] {
    guard let bytes = string.flatMap(FirestoreValue.decodeBase64) else {
      throw fault("not Base64")
    }
    return bytes
  }
}
