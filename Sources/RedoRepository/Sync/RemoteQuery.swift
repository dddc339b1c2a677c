// Questions to a remote that is a database: its helper receives one JSON object per line, and answers with rows of
// JSON, the last of which is `{"end":<number of rows>}` or `{"error":{"code":...,"text":...}}`.

package import RedoRemote
internal import RedoStore

/// Asks a remote.
package struct RemoteQuery {
  /// The scheme of the remotes that answer questions.
  package static let scheme = "firestore"
  /// The longest row.
  private static let lineLimit = 16 << 20
  private static let readBytes = 65_536

  private let remote: Remote
  private let repeats: Bool
  private let isQuiet: Bool

  /// Creates questions to a remote.
  ///
  /// - Parameters:
  ///   - remote: the remote.
  ///   - repeats: whether they are repeated when it cannot be reached.
  ///   - isQuiet: whether that goes unreported.
  package init(_ remote: Remote, repeats: Bool, isQuiet: Bool) {
    self.remote = remote
    self.repeats = repeats
    self.isQuiet = isQuiet
  }

  /// Whether a remote answers questions.
  package static func isAnswered(by remote: Remote) -> Bool {
    if case .helper(scheme, _) = remote.url { true } else { false }
  }

  /// Refuses a remote that does not answer questions.
  ///
  /// - Parameters:
  ///   - remote: the remote.
  ///   - option: the option that needs the answers.
  /// - Throws: `RemoteFault` that names both.
  package static func require(_ remote: Remote, for option: String) throws {
    guard !isAnswered(by: remote) else { return }
    throw RemoteFault.notFirestore(remote: remote.title, option: option)
  }

  /// Asks a question.
  ///
  /// - Parameters:
  ///   - question: a JSON object in one line.
  ///   - effects: for events, the clock and waiting.
  /// - Returns: the rows of the answer, as they arrived.
  /// - Throws: `RemoteFault` when the remote cannot be reached in all attempts, denies access or ends the talk; the
  ///   error when it cannot be connected to.
  package func ask(
    _ question: [UInt8], _ effects: Effects
  ) throws -> [AnswerMembers] {
    try askCounting(question, effects).rows
  }

  /// Asks a question, and what that costs.
  ///
  /// - Parameters:
  ///   - question: a JSON object in one line.
  ///   - effects: for events, the clock and waiting.
  /// - Returns: the rows of the answer, and what the transport has done for it.
  /// - Throws: as `ask`.
  package func askCounting(
    _ question: [UInt8], _ effects: Effects
  ) throws -> (rows: [AnswerMembers], cost: TransportCost) {
    let attempts = Attempts(remote.title, repeats: repeats, isQuiet: isQuiet)
    return try attempts.run(effects, { .question(attempts: $0) }) {
      () throws -> (rows: [AnswerMembers], cost: TransportCost) in
      let connection = try Connection.connect(to: remote, service: .query, effects)
      do throws(RemoteError) {
        let rows = try Self.rows(of: connection, to: question)
        if let end = connection.close(), !isQuiet { effects.report(.sync(.programEnded(end))) }
        return rows
      } catch {
        throw connection.explain(error, effects)
      }
    }.value
  }

  /// The rows of an answer.
  ///
  /// If a helper ends before it could be asked, what it has said counts.
  private static func rows(
    of stream: any ByteStream, to question: [UInt8]
  ) throws(RemoteError) -> (rows: [AnswerMembers], cost: TransportCost) {
    var unasked: RemoteError?
    do throws(RemoteError) {
      try stream.write(question + [UInt8(ascii: "\n")])
    } catch {
      unasked = error
    }
    do throws(RemoteError) {
      return try rows(stream)
    } catch {
      if case .closed = error, let unasked { throw unasked }
      throw error
    }
  }

  /// The rows up to the end of an answer.
  private static func rows(
    _ stream: any ByteStream
  ) throws(RemoteError) -> (rows: [AnswerMembers], cost: TransportCost) {
    var rows: [AnswerMembers] = []
    var buffer: [UInt8] = []
    var start = 0
    while true {
      while let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        guard let row = AnswerMembers(Array(buffer[start..<end])) else {
          throw .malformed(offset: start, reason: "a row that is no JSON object")
        }
        start = end + 1
        if let error = row.object("error") { throw fault(error) }
        if let count = row.integer("end") {
          guard count == rows.count else { throw .unexpected("\(count) rows, of \(rows.count)") }
          return (rows, cost(row))
        }
        rows.append(row)
      }
      buffer.removeFirst(start)
      start = 0
      guard buffer.count <= lineLimit else { throw .limit("a row of \(lineLimit) bytes") }
      let bytes = try stream.read(atMost: readBytes)
      guard !bytes.isEmpty else { throw .closed }
      buffer += bytes
    }
  }

  private static func cost(_ end: AnswerMembers) -> TransportCost {
    func number(_ name: String) -> Int { Int(clamping: end.integer(name) ?? 0) }
    return TransportCost(
      roundTrips: number("roundTrips"), bytesSent: number("bytesSent"),
      bytesReceived: number("bytesReceived"), reads: number("reads"), writes: number("writes"))
  }

  private static func fault(_ members: AnswerMembers) -> RemoteError {
    guard let code = members.text("code").flatMap({ PeerFault.Code(rawValue: $0) }),
      let text = members.text("text")
    else { return .malformed(offset: 0, reason: "an error without a code") }
    return .peer(PeerFault(code, text))
  }
}
