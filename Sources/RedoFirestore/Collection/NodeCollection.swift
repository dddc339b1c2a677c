// The documents of an account: the collection `nodes`, as far as its access lists or the account's document
// lead to it.

package import FirestoreModel
internal import RedoObject
package import RedoRemote

/// Reads documents.
package struct NodeCollection {
  /// The most documents of one answer; fewer if they are large.
  private static let pageLimit = 300
  /// The most names of one answer.
  private static let namesLimit = 1000
  /// The most ids that one refused request is divided for, one after the other; beyond that none is read.
  static let collection = "nodes"

  package let client: FirestoreClient
  private var settings: FirestoreSettings { client.settings }
  private static let createdAt = FieldPath("createdAt")

  /// The documents of an account.
  ///
  /// - Parameter client: talks to the database.
  package init(_ client: FirestoreClient) { self.client = client }

  /// What one query has given.
  package struct Page {
    /// The documents, in the order that was asked for.
    package var documents: [FirestoreDocument]
    /// When this was so.
    package var readTime: FirestoreTimestamp?
    /// Whether these are the last ones.
    package var isLast: Bool
  }

  /// Documents that the account may read.
  private var readable: QueryFilter {
    .field(FieldPath("accessList"), .arrayContains, .string(settings.account.text))
  }

  /// Names from one on, and up to another one.
  package struct NameRange: Sendable {
    /// The first one; `nil` for the beginning.
    package var from: String?
    /// The first one that is not meant; `nil` for the end.
    package var to: String?

    /// All names.
    package static let all = NameRange(from: nil, to: nil)

    /// Names from one on, and up to another one.
    ///
    /// - Parameters:
    ///   - from: the first one; `nil` for the beginning.
    ///   - to: the first one that is not meant; `nil` for the end.
    package init(from: String?, to: String?) {
      self.from = from
      self.to = to
    }
  }

  /// Documents that the account may read, of some names.
  private func readable(_ range: NameRange) -> QueryFilter {
    var filters = [readable]
    func add(_ comparison: QueryFilter.Operator, _ name: String?) {
      guard let name else { return }
      filters.append(.field(.documentName, comparison, .reference(settings.nodeName(name))))
    }
    add(.greaterThanOrEqual, range.from)
    add(.lessThan, range.to)
    return filters.count == 1 ? filters[0] : .all(filters)
  }

  // MARK: Numbers

  /// How many documents the account may read.
  ///
  /// - Parameter range: of these names.
  /// - Returns: their number; `nil` when the service counts nothing.
  /// - Throws: why it cannot be found out.
  package func count(_ range: NameRange) throws(RemoteError) -> Int? {
    let query = AggregationQuery(
      StructuredQuery(Self.collection, where: readable(range)),
      [.init(FirestoreClient.countName, .count(upTo: nil))])
    do throws(CallFailure) {
      let numbers = try client.numbers(query, as: "count")
      return numbers.map { Int(clamping: $0[FirestoreClient.countName]?.integer ?? 0) }
    } catch {
      throw error.told("the number of nodes", by: settings.account)
    }
  }

  /// How many documents that the account may read have a logical time, and the sum of these.
  ///
  /// A sum over a range of names is one that no index can serve.
  ///
  /// - Returns: both; `nil` when the service counts nothing.
  /// - Throws: why it cannot be found out.
  package func clocks() throws(RemoteError) -> (count: Int, sum: FirestoreValue)? {
    let sum = "s"
    let query = AggregationQuery(
      StructuredQuery(Self.collection, where: readable),
      [
        .init(FirestoreClient.countName, .count(upTo: nil)),
        .init(sum, .sum(FieldPath("timestamp", "lamport"))),
      ])
    do throws(CallFailure) {
      guard let numbers = try client.numbers(query, as: "sum") else { return nil }
      return (
        Int(clamping: numbers[FirestoreClient.countName]?.integer ?? 0), numbers[sum] ?? .null
      )
    } catch {
      throw error.told("the sum of the nodes' logical times", by: settings.account)
    }
  }

  // MARK: Lists

  /// Documents by name.
  ///
  /// - Parameter last: the last part of the name that comes before; `nil` for the beginning.
  /// - Returns: a page.
  /// - Throws: why it cannot be read.
  package func page(afterName last: String?) throws(RemoteError) -> Page {
    var query = StructuredQuery(
      Self.collection, where: readable, orderBy: [.init(.documentName)], limit: Self.pageLimit)
    if let last {
      query.startAt = .init([.reference(settings.nodeName(last))], isBefore: false)
    }
    return try page(query, "list", "the list of nodes")
  }

  /// Names of documents.
  ///
  /// - Parameters:
  ///   - last: the last part of the name that comes before; `nil` for the beginning.
  ///   - range: of these names.
  /// - Returns: a page of documents without fields.
  /// - Throws: why it cannot be read.
  package func names(
    after last: String?, in range: NameRange = .all
  ) throws(RemoteError) -> Page {
    var query = StructuredQuery(
      Self.collection, where: readable(range), orderBy: [.init(.documentName)],
      limit: Self.namesLimit)
    query.select = [.documentName]
    if let last {
      query.startAt = .init([.reference(settings.nodeName(last))], isBefore: false)
    }
    return try page(query, "names", "the list of names")
  }

  /// Documents that were created after a time, by that time.
  ///
  /// - Parameters:
  ///   - moment: the time.
  ///   - last: the document that comes before.
  /// - Returns: a page.
  /// - Throws: why it cannot be read.
  package func page(
    since moment: FirestoreTimestamp, after last: FirestoreDocument?
  ) throws(RemoteError) -> Page {
    var query = StructuredQuery(
      Self.collection, where: readable,
      orderBy: [.init(Self.createdAt), .init(.documentName)], limit: Self.pageLimit)
    if let last {
      query.startAt = .init(
        [last.fields[Self.createdAt] ?? .null, .reference(last.name)], isBefore: false)
    } else {
      query.startAt = .init([.timestamp(moment)], isBefore: false)
    }
    return try page(query, "since", "the list of new nodes")
  }

  private func page(
    _ query: StructuredQuery, _ name: StaticString, _ what: String
  ) throws(RemoteError) -> Page {
    var query = query
    while true {
      let limit = query.limit ?? 1
      do throws(CallFailure) {
        let (documents, readTime) = try client.run(query, as: name)
        return Page(
          documents: documents, readTime: readTime, isLast: documents.count < limit)
      } catch {
        guard case .tooLarge = error, limit > 1 else {
          throw error.told(what, by: settings.account)
        }
        query.limit = max(1, limit / 4)
      }
    }
  }

  // MARK: By name

  /// Documents by their names, in batches; those that do not exist, or may not be read, are left out.
  ///
  /// - Parameters:
  ///   - ids: last parts of names.
  ///   - take: takes the documents of each answer.
  /// - Throws: why they cannot be read; what `take` throws.
  package func documents(
    _ ids: [String], _ take: ([FirestoreDocument]) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    var start = 0
    while start < ids.count {
      let end = min(start + settings.batch, ids.count)
      try documents(ids[start..<end], take)
      start = end
    }
  }

  /// One query; if it is refused, because one of the documents is, its halves.
  private func documents(
    _ ids: ArraySlice<String>, _ take: ([FirestoreDocument]) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    let names = ids.map { FirestoreValue.reference(settings.nodeName($0)) }
    let query = StructuredQuery(
      Self.collection, where: .field(.documentName, .isIn, .array(names)))
    let found: [FirestoreDocument]
    do throws(CallFailure) {
      found = try client.run(query, as: "ids", count: ids.count).documents
    } catch {
      switch error {
      case .status(let said, _) where said.status == .permissionDenied: break
      case .tooLarge where ids.count > 1: break
      case .status, .tooLarge, .transport:
        throw error.told("a batch of \(ids.count) nodes", by: settings.account)
      }
      guard ids.count > 1 else { return }
      let middle = ids.startIndex + ids.count / 2
      try documents(ids[..<middle], take)
      try documents(ids[middle...], take)
      return
    }
    if !found.isEmpty { try take(found) }
  }

  // MARK: The account

  /// The account's document.
  ///
  /// - Returns: `nil` when there is no such document.
  /// - Throws: why it cannot be read.
  package func user() throws(RemoteError) -> FirestoreDocument? {
    guard let name = settings.userName else { return nil }
    do throws(CallFailure) {
      return try client.get(name, as: "user")
    } catch {
      throw error.told("the document 'users/\(settings.account.text)'", by: settings.account)
    }
  }

  /// The names of nodes that the account's document has, each once.
  ///
  /// - Returns: last parts of names, in their order.
  /// - Throws: why they cannot be read.
  package func owned() throws(RemoteError) -> [String] {
    var seen: Set<String> = []
    let elements = try user()?.fields["ownedNodes"]?.elements ?? []
    return elements.compactMap(\.text)
      .filter { DocumentName.isSegment($0) && seen.insert($0).inserted }
  }
}
