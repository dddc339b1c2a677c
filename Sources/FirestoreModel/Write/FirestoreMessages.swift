// Requests and answers around documents, queries and writes.

internal import RedoObject

/// The body of `:commit`.
package struct CommitRequest: Sendable, Equatable {
  /// The writes; all or none of them come to be.
  package var writes: [FirestoreWrite]

  /// A commit.
  ///
  /// - Parameter writes: the writes.
  package init(_ writes: [FirestoreWrite]) { self.writes = writes }

  /// Reads a commit.
  ///
  /// - Parameter json: an object with `writes`; a transaction is refused.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a commit that is no object") }
    writes = []
    for (name, value) in json.members where !value.isNull {
      switch name.string {
      case "writes":
        for write in value.elements { writes.append(try FirestoreWrite(write)) }
      case "database": break
      case "transaction" where value.string == "": break
      default: throw name.fault("a part of a commit that is not known")
      }
    }
  }

  /// Appends the commit.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append("{\"writes\":[")
    for write in writes {
      output.appendComma()
      write.appendJSON(to: &output)
    }
    output.append("]}")
  }
}

/// The answer to `:commit`.
package struct CommitResponse: Sendable, Equatable {
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
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("an answer that is no object") }
    commitTime = try FirestoreTimestamp(json["commitTime"])
    results = []
    for result in json["writeResults"]?.elements ?? [] {
      var values: [FirestoreValue] = []
      for value in result["transformResults"]?.elements ?? [] {
        values.append(try FirestoreValue(value))
      }
      results.append(
        Result(
          updateTime: try FirestoreTimestamp(result["updateTime"]), transformResults: values))
    }
  }

  /// Appends the answer.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append("{\"writeResults\":[")
    for result in results {
      output.appendComma()
      output.append("{")
      if let time = result.updateTime {
        output.appendName("updateTime")
        output.append(json: time.text)
      }
      if !result.transformResults.isEmpty {
        output.appendName("transformResults")
        FirestoreValue.append(result.transformResults, to: &output)
      }
      output.append("}")
    }
    output.append("]")
    if let commitTime {
      output.appendName("commitTime")
      output.append(json: commitTime.text)
    }
    output.append("}")
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
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a row that is no object") }
    if let found = json["document"] ?? json["found"] { document = try FirestoreDocument(found) }
    missing = json["missing"]?.string
    readTime = try FirestoreTimestamp(json["readTime"])
  }

  /// Appends the row.
  ///
  /// - Parameters:
  ///   - isQuery: whether a query is answered, rather than a batch.
  ///   - output: receives JSON.
  package func appendJSON(isQuery: Bool, to output: inout [UInt8]) {
    output.append("{")
    if let document {
      output.appendName(isQuery ? "document" : "found")
      document.appendJSON(to: &output)
    }
    if let missing {
      output.appendName("missing")
      output.append(json: missing)
    }
    if let readTime {
      output.appendName("readTime")
      output.append(json: readTime.text)
    }
    output.append("}")
  }
}

extension StructuredQuery {
  /// Appends the body of `:runQuery`.
  ///
  /// - Parameter output: receives JSON.
  package func appendRequest(to output: inout [UInt8]) {
    output.append("{\"structuredQuery\":")
    appendJSON(to: &output)
    output.append("}")
  }
}

/// The body of `:batchGet`.
package struct BatchGetRequest: Sendable, Equatable {
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
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a batch that is no object") }
    documents = []
    for name in json["documents"]?.elements ?? [] {
      guard let text = name.string else { throw name.fault("not a string") }
      documents.append(text)
    }
    mask = try json["mask"].map { (json) throws(FirestoreFormatError) in
      try FirestoreWrite.mask(json)
    }
  }

  /// Appends the batch.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append("{\"documents\":[")
    for name in documents {
      output.appendComma()
      output.append(json: name)
    }
    output.append("]")
    if let mask {
      output.appendName("mask")
      output.append("{\"fieldPaths\":[")
      for path in mask {
        output.appendComma()
        output.append(json: path.text)
      }
      output.append("]}")
    }
    output.append("}")
  }
}
