// google.firestore.v1.Document.

package import CanonicalJSON

/// A document.
package struct FirestoreDocument: JSONWritable, Sendable, Equatable {
  /// Its name; empty in the body of a request whose URL names the document.
  package var name: String
  /// Its fields.
  package var fields: FirestoreFields
  /// When it was made, by the service's clock.
  package var createTime: FirestoreTimestamp?
  /// When it was last changed, by the service's clock.
  package var updateTime: FirestoreTimestamp?

  /// A document.
  ///
  /// - Parameters:
  ///   - name: its full name.
  ///   - fields: its fields.
  ///   - createTime: when it was made.
  ///   - updateTime: when it was last changed.
  package init(
    name: String, fields: FirestoreFields, createTime: FirestoreTimestamp? = nil,
    updateTime: FirestoreTimestamp? = nil
  ) {
    self.name = name
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// Its name in parts; `nil` when it has none that Firestore would give.
  package var documentName: DocumentName? { DocumentName(text: name) }

  /// The last part of its name.
  package var id: Substring { name.split(separator: "/").last ?? "" }

  /// Reads a document.
  ///
  /// - Parameter json: an object with `name`, `fields`, `createTime`, `updateTime`.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a document that is no object") }
    name = ""
    if let value = json.given("name") {
      guard let text = value.string else { throw value.fault("not a string") }
      name = text
    }
    fields = try FirestoreFields(json.given("fields"), of: json, depth: 0)
    createTime = try FirestoreTimestamp(json.given("createTime"))
    updateTime = try FirestoreTimestamp(json.given("updateTime"))
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      if !name.isEmpty { json.add("name", name) }
      json.add("fields", fields)
      if let createTime { json.add("createTime", createTime.text) }
      if let updateTime { json.add("updateTime", updateTime.text) }
    }
  }
}

extension FirestoreTimestamp {
  /// Reads an instant that may be left out.
  ///
  /// - Parameter json: a string; `nil` gives `nil`.
  /// - Throws: `FirestoreFormatError` for anything that is not a time.
  package init?(_ json: JSONValue?) throws(FirestoreFormatError) {
    guard let json else { return nil }
    guard let time = json.string.flatMap({ FirestoreTimestamp(text: $0) }) else {
      throw json.fault("not a time of RFC 3339")
    }
    self = time
  }
}
