// How queries are run: by indexes, so that a page of rows costs no more in a large store than in a small one.

import TestSupport
import Testing

@testable import RedoIndex

@Suite("Plans of queries")
struct QueryPlanTests {
  private static func plan(_ sql: String, _ reader: IndexReader) throws -> [String] {
    let statement = try PreparedStatement("EXPLAIN QUERY PLAN \(sql)", on: reader.connection)
    var steps: [String] = []
    while try statement.step() { steps.append(statement.text(3)) }
    return steps
  }

  @Test("each query goes through what it is ordered by, and finds the rest by key")
  func plans() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let rows = (0..<300).flatMap { number in
      Requests.session("c\(number)", "{\"notes\":\"n\"}", received: Double(number % 7))
    }
    _ = try Conversation([requests.open] + requests.change("rebuild", rows), in: directory)
    let reader = try IndexReader(try IndexFile(requests.path))
    for query in NamedQuery.allCases {
      let plan = try Self.plan(query.sql, reader)
      let scans = plan.filter { $0.hasPrefix("SCAN") }
      // What each query reads from one end until it has enough rows. The rest is found by keys.
      let expected: [String] =
        switch query {
        case .timeline: ["SCAN h USING INDEX idx_redo_timeline"]
        case .strains: ["SCAN lr USING COVERING INDEX idx_local_receipts_header"]
        case .recent: ["SCAN h USING INDEX idx_redo_timeline", "SCAN f"]
        case .map, .feed, .search, .tasks: []
        }
      #expect(scans == expected, "\(query)")
    }
  }
}
