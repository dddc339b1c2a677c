// What `redo ls-remote` and others ask the helper: one JSON object a line.
//
//   {"ask":"nodes","access":...,"action":...,"author":...,"createdSince":<milliseconds>,
//    "descending":<truth>,"limit":<number>,"sort":"createdat"|"lamport"|"wall","task":...}
//   {"ask":"owned","limit":<number>}   {"ask":"user"}   {"ask":"count"}   {"ask":"documents"}
//   {"ask":"verify","ids":[...],"unsigned":<truth>}

package import FirestoreModel
internal import RedoRepository
package import RedoRemote

/// Which nodes, in which order, and how many.
package struct NodeQuestion: Equatable, Sendable {
  /// The key by which they are sorted.
  package enum Sort: String, CaseIterable, Sendable {
    /// The time of the service.
    case createdAt = "createdat"
    /// The logical time.
    case lamport
    /// The author's clock.
    case wall
  }

  /// The account in whose access list they are; `nil` for any, which the rules allow only to administrators.
  package var access: OAuthID?
  /// The only action.
  package var action: String?
  /// The only author, a crypto user id.
  package var author: String?
  /// The only task.
  package var task: String?
  /// The earliest time at which the service took them.
  package var createdSince: FirestoreTimestamp?
  /// The key by which they are sorted.
  package var sort = Sort.lamport
  /// Whether the largest value comes first.
  package var isDescending = false
  /// The most of them; all when `nil`.
  package var limit: Int?

  /// All nodes by their logical time.
  ///
  /// - Parameter access: the account in whose access list they are.
  package init(access: OAuthID?) { self.access = access }
}

/// A question.
package enum HelperQuestion: Sendable {
  /// Which nodes there are.
  case nodes(NodeQuestion)
  /// Which nodes the account's document names.
  case owned(limit: Int?)
  /// What the account's document says.
  case user
  /// How many nodes there are.
  case count
  /// What the documents say in addition to the nodes, including the account's document.
  case documents
  /// Whether documents are as they should be.
  case verify([String], allowsUnsigned: Bool)

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - line: a JSON object.
  ///   - account: the account whose documents are meant unless the question says otherwise.
  /// - Throws: `peer` with a fault that says what is wrong.
  package init(_ line: [UInt8], account: OAuthID) throws(RemoteError) {
    guard let members = AnswerMembers(line) else {
      throw Self.refused("the question is no JSON object")
    }
    let limit = members.integer("limit").map { Int(clamping: $0) }
    if let limit, limit < 1 { throw Self.refused("'limit' is below 1") }
    switch members.text("ask") {
    case "nodes":
      self = .nodes(try Self.nodes(members, limit, account))
    case "owned": self = .owned(limit: limit)
    case "user": self = .user
    case "count": self = .count
    case "documents": self = .documents
    case "verify":
      guard let ids = members.texts("ids"), !ids.isEmpty else {
        throw Self.refused("'ids' are no texts")
      }
      self = .verify(ids, allowsUnsigned: members.truth("unsigned") ?? false)
    default: throw Self.refused("'ask' is not known")
    }
  }

  private static func nodes(
    _ members: AnswerMembers, _ limit: Int?, _ account: OAuthID
  ) throws(RemoteError) -> NodeQuestion {
    var access: OAuthID? = account
    if let text = members.text("access") {
      do throws(OAuthID.Fault) {
        access = try OAuthID(text)
      } catch {
        throw refused("'\(text)': \(error.message)")
      }
    } else if members["access"] != nil {
      access = nil
    }
    var question = NodeQuestion(access: access)
    question.action = members.text("action")
    question.author = members.text("author")
    question.task = members.text("task")
    if let milliseconds = members.integer("createdSince") {
      let seconds = (milliseconds - (milliseconds < 0 ? 999 : 0)) / 1000
      let nanoseconds = (milliseconds - seconds * 1000) * 1_000_000
      question.createdSince = FirestoreTimestamp(seconds: seconds, nanoseconds: nanoseconds)
    }
    if let word = members.text("sort") {
      guard let sort = NodeQuestion.Sort(rawValue: word) else {
        throw refused("'\(word)' is no order")
      }
      question.sort = sort
    }
    question.isDescending = members.truth("descending") ?? false
    question.limit = limit
    return question
  }

  static func refused(_ text: String) -> RemoteError { .peer(PeerFault(.stopped, text)) }
}
