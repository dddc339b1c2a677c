// Which part of an audit is done in this run: a sample of the objects, a time limit, and the token with which the next
// run continues where this one stopped.
//
//   token   <next shard, 3 digits>-<n>-<t>[-<next frame>-<packs>]-<check>
//   packs   first 8 hex of SHA-256 of the names of the packs, whose frames come after the shards
//   check   first 8 hex of SHA-256 of all before it

internal import RedoCrypto
package import RedoObject

/// A part of an audit.
package struct AuditPart: Sendable {
  /// The number of shards; the frames of packs come after the last of them, then the history.
  package static let shardCount = 256
  /// A sample cannot have more parts than this.
  private static let partLimit = 1_000_000

  /// The part of the objects that is judged, from 1.
  package private(set) var number = 1
  /// The number of parts.
  package private(set) var count = 1
  /// The shard to begin with; `shardCount` when all have been judged.
  package private(set) var start = 0
  /// The frame to begin with, among those of some packs.
  private var startFrame: (number: Int, packs: String)?
  /// The time limit in milliseconds.
  package private(set) var duration: Int64?

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - sample: the n-th of t parts of the objects; `nil` for all of them.
  ///   - resume: where another run stopped.
  ///   - duration: the time limit in milliseconds.
  package init(
    sample: (number: Int, count: Int)? = nil, resume: Resumption? = nil, duration: Int64? = nil
  ) {
    self.duration = duration
    guard let resume else {
      (number, count) = sample ?? (1, 1)
      return
    }
    start = resume.shard
    startFrame = resume.frame
    (number, count) = resume.part
  }

  /// Where another run stopped.
  package struct Resumption: Sendable {
    /// The shard to begin with.
    package let shard: Int
    /// Which sample it was.
    package let part: (number: Int, count: Int)
    /// The frame to begin with, among those of some packs.
    package let frame: (number: Int, packs: String)?

    /// Reads a token; `nil` when it is not one.
    ///
    /// - Parameter token: the token of a run that stopped.
    package init?(_ token: String) {
      guard let (shard, part, frame) = AuditPart.read(token) else { return nil }
      self.shard = shard
      self.part = part
      self.frame = frame
    }
  }

  /// Whether it is the first run of an audit.
  package var isFirst: Bool { start == 0 }

  /// Whether a loose object is judged in this run.
  package func contains(_ id: ObjectID) -> Bool { id[0] >= start && isSampled(id) }

  /// The first frame that is judged; 0 if packs have come or gone since the previous run.
  ///
  /// - Parameter packs: identifies these packs; see `name(of:)`.
  /// - Returns: its number among the frames of all packs.
  package func firstFrame(of packs: String) -> Int {
    guard let startFrame, startFrame.packs == packs else { return 0 }
    return startFrame.number
  }

  /// Whether an object is one of the sample.
  package func isSampled(_ id: ObjectID) -> Bool {
    guard count > 1 else { return true }
    // The last bytes, because the first one tells the shard.
    var number: UInt64 = 0
    for index in 24..<32 { number = number << 8 | UInt64(id[index]) }
    return number % UInt64(count) == UInt64(self.number - 1)
  }

  /// The token with which another run continues.
  ///
  /// - Parameter shard: the first one that is not judged; `shardCount` when all are.
  /// - Returns: the token.
  package func token(next shard: Int) -> String {
    let digits = String(shard)
    let text = String(repeating: "0", count: 3 - digits.count) + "\(digits)-\(number)-\(count)"
    return "\(text)-\(Self.hash("redo-verify-resume \(text)"))"
  }

  /// The token with which another run continues once all shards are judged.
  ///
  /// - Parameters:
  ///   - frame: the first one that is not judged; their number when all are.
  ///   - packs: identifies their packs.
  /// - Returns: the token.
  package func token(nextFrame frame: Int, of packs: String) -> String {
    let text = "\(Self.shardCount)-\(number)-\(count)-\(frame)-\(packs)"
    return "\(text)-\(Self.hash("redo-verify-resume \(text)"))"
  }

  /// A name that identifies some packs.
  ///
  /// - Parameter names: their names, in the order in which they are judged.
  /// - Returns: 8 hex digits.
  package static func name(of names: [String]) -> String { hash(names.joined(separator: " ")) }

  private static func hash(_ text: String) -> String {
    let digest = SHA256.digest(of: Array(text.utf8).span)
    return String(Hex.text(digest.bytes.span).prefix(8))
  }

  fileprivate static func read(
    _ token: String
  ) -> (shard: Int, part: (number: Int, count: Int), frame: (number: Int, packs: String)?)? {
    var words = token.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let check = words.popLast(),
      hash("redo-verify-resume " + words.joined(separator: "-")) == check,
      words.count == 3 || words.count == 5,
      let shard = Int(words[0]), (0...shardCount).contains(shard),
      let part = part("\(words[1])/\(words[2])")
    else { return nil }
    guard words.count == 5 else { return (shard, part, nil) }
    guard shard == shardCount, let frame = decimal(words[3]) else { return nil }
    return (shard, part, (frame, words[4]))
  }

  /// The part that `<n>/<t>` names; `nil` when it names none.
  package static func part(_ text: String) -> (number: Int, count: Int)? {
    let words = text.split(separator: "/", omittingEmptySubsequences: false)
    guard words.count == 2, let number = decimal(String(words[0])),
      let count = decimal(String(words[1])), (1...partLimit).contains(count),
      (1...count).contains(number)
    else { return nil }
    return (number, count)
  }

  /// Reads ASCII digits and nothing else; negative numbers are excluded by the ranges.
  package static func decimal(_ text: String) -> Int? {
    text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
  }
}
