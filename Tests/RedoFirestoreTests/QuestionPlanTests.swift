// Questions as queries: every one of them is served by what firestore.indexes.json declares, or refused.

import CanonicalJSON
import FirestoreModel
import Foundation
import RedoFirestore
import RedoRemote
import TestSupport
import Testing

@Suite("Query plans")
struct QuestionPlanTests {
  private func question(_ change: (inout NodeQuestion) -> Void) throws -> NodeQuestion {
    var question = NodeQuestion(access: try OAuthID("105903"))
    change(&question)
    return question
  }

  @Test("the table of indexes is that of the file which is deployed")
  func declared() throws {
    let file = VectorFolder.repository.appending(path: "firestore/firestore.indexes.json")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    var indexes: Set<QuestionIndex> = []
    for index in try #require(json?["indexes"] as? [[String: Any]]) {
      #expect(index["collectionGroup"] as? String == "nodes")
      let fields = try #require(index["fields"] as? [[String: String]])
      let last = try #require(fields.last)
      indexes.insert(
        QuestionIndex(
          Set(fields.dropLast().compactMap { $0["fieldPath"] }), try #require(last["fieldPath"]),
          isDescending: last["order"] == "DESCENDING"))
    }
    #expect(indexes == Set(QuestionIndex.all))
    #expect(indexes.count == QuestionIndex.all.count)
  }

  @Test("Q13, Q18, Q19 and Q20: the filters and orders of the document")
  func asked() throws {
    func text(_ question: NodeQuestion) throws -> String {
      var bytes: [UInt8] = []
      try QuestionPlan(question).query(after: nil, limit: 100).appendJSON(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let all = try text(question { _ in })
    #expect(all.contains(#""op":"ARRAY_CONTAINS","value":{"stringValue":"105903"}"#))
    #expect(
      all.contains(
        #""orderBy":[{"field":{"fieldPath":"timestamp.lamport"},"direction":"ASCENDING"},"#))
    #expect(all.hasSuffix(#""limit":100}"#))
    let creations = try text(question { $0.action = "CREATE" })
    #expect(
      creations.contains(#""fieldPath":"action"},"op":"EQUAL","value":{"stringValue":"CREATE"}"#))
    let recent = try text(
      question {
        $0.createdSince = FirestoreTimestamp(seconds: 1_700_000_000)
        $0.sort = .createdAt
        $0.isDescending = true
      })
    #expect(recent.contains(#""op":"GREATER_THAN_OR_EQUAL""#))
    #expect(recent.contains(#"{"fieldPath":"createdAt"},"direction":"DESCENDING"}"#))
    #expect(recent.contains(#"{"fieldPath":"__name__"},"direction":"DESCENDING"}"#))
    let task = try text(question { $0.task = "550e8400-e29b-41d4-a716-446655440000" })
    #expect(task.contains(#""fieldPath":"taskId"},"op":"EQUAL""#))
  }

  @Test("what no index sorts is sorted here, where equality alone is asked for")
  func sortedHere() throws {
    #expect(try QuestionPlan(question { $0.author = "ab" }).isSortedHere)
    #expect(try !QuestionPlan(question { _ in }).isSortedHere)
    let both = try question {
      $0.author = "ab"
      $0.action = "CREATE"
    }
    #expect(try !QuestionPlan(both).isSortedHere)
  }

  @Test("everything else is refused, by the fields that no index has")
  func refused() throws {
    let wrong = [
      try question {
        $0.author = "ab"
        $0.sort = .wall
        $0.isDescending = true
      },
      try question { $0.sort = .wall },
      try question { $0.isDescending = true },
      try question { $0.createdSince = FirestoreTimestamp(seconds: 0) },
      try question {
        $0.task = "t"
        $0.sort = .createdAt
      },
    ]
    for question in wrong {
      #expect(throws: RemoteError.self) { try QuestionPlan(question) }
    }
  }

  @Test("an account is no crypto user id (B22), and a question no other text")
  func questions() throws {
    let account = try OAuthID("105903")
    for line in [
      #"{"ask":"nodes","access":"0123456789abcdef0123456789abcdef"}"#,
      #"{"ask":"nodes","sort":"id"}"#,
      #"{"ask":"nodes","limit":0}"#, #"{"ask":"verify","ids":[]}"#, #"{"ask":"anything"}"#, "[]",
      "",
    ] {
      #expect(throws: RemoteError.self, "\(line)") {
        try HelperQuestion(Array(line.utf8), account: account)
      }
    }
    guard
      case .nodes(let nodes) = try HelperQuestion(
        Array(#"{"ask":"nodes","createdSince":-1500}"#.utf8), account: account)
    else {
      Issue.record("another question")
      return
    }
    #expect(nodes.access == account)
    #expect(nodes.createdSince?.text == "1969-12-31T23:59:58.500Z")
  }
}
