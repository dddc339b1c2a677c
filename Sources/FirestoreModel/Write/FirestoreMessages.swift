// Requests and answers around documents, queries and writes.

package import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

/// The body of `:commit`.
package struct FirestoreCommit: JSONWritable, Sendable, Equatable {
  /// The writes; all of them are made, or none.
  package var writes: [FirestoreWrite]
  /// The transaction that they end.
  package var transaction: [UInt8]?

  /// A commit.
  ///
  /// - Parameter writes: the writes.
  package init(_ writes: [FirestoreWrite]) { self.writes = writes }

  /// Reads a commit.
  ///
  /// - Parameter json: an object with `writes` and perhaps `transaction`.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a commit that is no object") }
    writes = []
    var members = json.members
    while let member = members.next() {
      let name = member.name
      let value = member.value
      if value.isNull { continue }
      switch name.string {
      case "writes":
        var elements = value.elements
        while let write = elements.next() { writes.append(try FirestoreWrite(write)) }
      case "database": break
      case "transaction" where value.string == "": break
      case "transaction": transaction = try value.transaction()
      default: throw name.fault("a part of a commit that is not known")
      }
    }
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.add("writes", writes)
      if let transaction {
        var text: [UInt8] = []
        Base64.append(transaction.span, to: &text)
        json.add("transaction", escaped: text)
      }
    }
  }
}

/// The answer to `:commit`.
package struct FirestoreCommitAnswer: JSONWritable, Sendable, Equatable {
  /// What became of one write.
  package struct Result: Sendable, Equatable {
    /// When the document was last changed; absent after a delete.
    package var updateTime: FirestoreTimestamp?
    /// What the service computed, in the order of the transforms.
    package var transformResults: [FirestoreValue]

    /// A result.
    ///
    /// - Parameters:
    ///   - updateTime: when the document was last changed.
    ///   - transformResults: what the service computed.
    package init(updateTime: FirestoreTimestamp?, transformResults: [FirestoreValue] = []) {
      self.updateTime = updateTime
      self.transformResults = transformResults
    }
  }

  /// For each write, in order.
  package var results: [Result]
  /// When the commit happened.
  package var commitTime: FirestoreTimestamp?

  /// An answer.
  ///
  /// - Parameters:
  ///   - results: for each write, in order.
  ///   - commitTime: when the commit happened.
  package init(_ results: [Result], commitTime: FirestoreTimestamp?) {
    self.results = results
    self.commitTime = commitTime
  }

  /// Reads an answer.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("an answer that is no object") }
    commitTime = try FirestoreTimestamp(json.given("commitTime"))
    results = []
    var answers = json.elements(of: "writeResults")
    while let result = answers.next() {
      var values: [FirestoreValue] = []
      var elements = result.elements(of: "transformResults")
      while let value = elements.next() {
        values.append(try FirestoreValue(value))
      }
      results.append(
        Result(
          updateTime: try FirestoreTimestamp(result.given("updateTime")), transformResults: values))
    }
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      if !results.isEmpty {
        json.addArray("writeResults") { json in
          for result in results {
            json.object { json in
              if let time = result.updateTime { json.add("updateTime", time.text) }
              if !result.transformResults.isEmpty {
                json.add("transformResults", result.transformResults)
              }
            }
          }
        }
      }
      if let commitTime { json.add("commitTime", commitTime.text) }
    }
  }
}

/// One row of the answer to `:runQuery` or to `:batchGet`.
package struct FirestoreRow: Sendable, Equatable {
  /// The document: of a query a result, of a batch one that was found.
  package var document: FirestoreDocument?
  /// The name of a document that a batch did not find.
  package var missing: String?
  /// When this was so.
  package var readTime: FirestoreTimestamp?

  /// A row.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - missing: the name of a document that was not found.
  ///   - readTime: when this was so.
  package init(
    document: FirestoreDocument? = nil, missing: String? = nil,
    readTime: FirestoreTimestamp? = nil
  ) {
    self.document = document
    self.missing = missing
    self.readTime = readTime
  }

  /// Reads a row.
  ///
  /// - Parameter json: an object with `document`, `found` or `missing`.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a row that is no object") }
    if let found = json.given("document") {
      document = try FirestoreDocument(found)
    } else if let found = json.given("found") {
      document = try FirestoreDocument(found)
    }
    missing = json.given("missing")?.string
    readTime = try FirestoreTimestamp(json.given("readTime"))
  }

  /// Appends the row.
  ///
  /// - Parameters:
  ///   - isQuery: whether a query is answered, rather than a batch.
  ///   - output: receives JSON.
  package func appendJSON(isQuery: Bool, to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        if let document { json.add(isQuery ? "document" : "found", document) }
        if let missing { json.add("missing", missing) }
        if let readTime { json.add("readTime", readTime.text) }
      }
    }
  }
}

extension StructuredQuery {
  /// Appends the body of `:runQuery`.
  ///
  /// - Parameter output: receives JSON.
  package func appendRequest(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { $0.add("structuredQuery", self) }
    }
  }
}

/// The body of `:batchGet`.
package struct BatchGetRequest: JSONWritable, Sendable, Equatable {
  /// The full names of the documents.
  package var documents: [String]
  /// The fields that are wanted; `nil` for all.
  package var mask: [FieldPath]?

  /// A batch.
  ///
  /// - Parameters:
  ///   - documents: full names.
  ///   - mask: the fields that are wanted; `nil` for all.
  package init(_ documents: [String], mask: [FieldPath]? = nil) {
    self.documents = documents
    self.mask = mask
  }

  /// Reads a batch.
  ///
  /// - Parameter json: an object with `documents`.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a batch that is no object") }
    documents = []
    var names = json.elements(of: "documents")
    while let name = names.next() {
      guard let text = name.string else { throw name.fault("not a string") }
      documents.append(text)
    }
    if let json = json.given("mask") { mask = try FirestoreWrite.mask(json) }
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.add("documents", documents)
      if let mask { json.addObject("mask") { $0.add("fieldPaths", mask.map(\.text)) } }
    }
  }
}
