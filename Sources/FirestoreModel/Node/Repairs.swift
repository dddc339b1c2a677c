// Undoes what writers may have done to the fields of a document, in every combination; each combination
// is one body to try.
//
//   shape    the place of the content: data.fields or data.payload with other members beside it (a
//            write that merged), fields or payload beside data, or data itself     at most 4
//   author   name, email, deviceName that are "" are absent                        at most 2
//   content  members that are null, then also those that are "", are absent        at most 3
//   times    maps of _seconds and _nanoseconds are times                           at most 2
//
// Then, for a document of at most 64 KiB, with more of them:
//
//   author   some of the texts that are "" are absent                              at most 8
//   content  some of at most 5 members that are null or "" are absent              at most 32
//
// With `canonical` and the fields as they are that is at most 200 bodies.

extension NodeDocument {
  /// How the body of a document was found.
  package enum Form: Sendable, Equatable {
    /// It is in `canonical`.
    case canonical
    /// It is the fields as they are.
    case plain
    /// It is what some repairs made of the fields.
    case repaired(Set<Repair>)

    /// One line for people, such as `repaired (flat data, empty strings)`.
    package var text: String {
      switch self {
      case .canonical: "canonical"
      case .plain: "plain"
      case .repaired(let repairs):
        repairs.isEmpty
          ? "repaired"
          : "repaired (\(repairs.map(\.rawValue).sorted().joined(separator: ", ")))"
      }
    }
  }

  /// What was undone.
  package enum Repair: String, Sendable, CaseIterable {
    /// The content was in `data` itself; it is now `data.fields`, or `data.payload`.
    case flatFields = "flat data as fields"
    case flatPayload = "flat data as payload"
    /// The content was beside `data`.
    case outside = "content outside of data"
    /// Other members were beside the content.
    case besides = "members beside the content"
    /// Texts of the author were empty.
    case emptyAuthor = "empty texts of the author"
    /// Members of the content were null.
    case nulls = "nulls in the content"
    /// Members of the content were empty texts.
    case emptyTexts = "empty texts in the content"
    /// Times of the content were maps.
    case timeMaps = "times as maps"
  }

  /// The bodies that the fields may represent, one after the other.
  struct Repairs {
    typealias Shape = (data: FirestoreFields, repairs: Set<Repair>)

    /// A combination, by the places of its parts.
    private struct Choice {
      var shape = 0
      var frame = 0
      var content = 0
      var times = 0
    }

    /// The members around the content; the first two are the likeliest.
    private let frames: [Shape?]
    private let shapes: [Shape]
    /// How many contents each shape has, the first three being the likeliest.
    private let contents: [Int]
    private let isSmall: Bool
    private var choice = Choice()
    private var isSecond = false
    private var count = 0

    /// How many of the frames and contents are tried first.
    private static let firstFrames = 2
    private static let firstContents = 3
    private static let times = 2
    /// The largest document for which more is tried.
    private static let sizeLimitBytes = 65_536

    init(_ fields: FirestoreFields) {
      frames = Self.frames(Self.frame(fields))
      shapes = Self.shapes(fields)
      isSmall = fields.sizeBytes <= Self.sizeLimitBytes
      contents = shapes.map { Self.firstContents + Self.choiceCount($0.data) }
    }

    /// The next body, and what was done for it; combinations that change nothing are passed over.
    mutating func next() -> (FirestoreFields, Set<Repair>)? {
      // Two bodies are tried before these.
      while count < NodeDocument.tryLimit - 2, let choice = nextChoice() {
        guard let made = body(choice) else { continue }
        count += 1
        return made
      }
      return nil
    }

    /// The next combination, the times varying fastest: first all of the likeliest, then the others.
    private mutating func nextChoice() -> Choice? {
      while choice.shape < shapes.count {
        let now = choice
        choice.times += 1
        if choice.times == Self.times { (choice.times, choice.content) = (0, now.content + 1) }
        if choice.content == (isSecond ? contents[now.shape] : Self.firstContents) {
          (choice.content, choice.frame) = (0, now.frame + 1)
        }
        if choice.frame == (isSecond ? frames.count : Self.firstFrames) {
          (choice.frame, choice.shape) = (0, now.shape + 1)
        }
        let isFirst = now.frame < Self.firstFrames && now.content < Self.firstContents
        if choice.shape == shapes.count, !isSecond, isSmall {
          isSecond = true
          choice = Choice()
          return now
        }
        if isSecond, isFirst { continue }
        return now
      }
      return nil
    }

    /// The body of a combination; `nil` when it is that of another one.
    private func body(_ choice: Choice) -> (FirestoreFields, Set<Repair>)? {
      guard let frame = frames[choice.frame] else { return nil }
      var (data, repairs) = shapes[choice.shape]
      repairs.formUnion(frame.repairs)
      switch choice.content {
      case 0: break
      case 1, 2:
        let less = choice.content == 1 ? Removal.nulls : .nullsAndEmptyTexts
        guard let changed = Self.remove(less, from: data) else { return nil }
        // Without empty texts the second removal is the first one.
        if choice.content == 2, Self.remove(.nulls, from: data) == changed { return nil }
        data = changed
        repairs.insert(choice.content == 1 ? .nulls : .emptyTexts)
      default:
        let some = choice.content - Self.firstContents + 1
        guard let changed = Self.remove(some: some, from: data) else { return nil }
        data = changed
        repairs.insert(.emptyTexts)
      }
      if choice.times == 1 {
        guard let changed = Self.withTimes(data) else { return nil }
        data = changed
        repairs.insert(.timeMaps)
      }
      var body = frame.data
      body["data"] = .map(data)
      return (body, repairs)
    }
  }
}

extension NodeDocument {
  /// How many bodies are tried before fields count as unrecoverable.
  ///
  /// - Parameter fields: the fields of a document.
  /// - Returns: at most `tryLimit`.
  package static func tries(_ fields: FirestoreFields) -> Int {
    var count = 1
    if case .bytes = fields[canonicalField] { count += 1 }
    var repairs = Repairs(fields)
    while repairs.next() != nil { count += 1 }
    return count
  }
}
