// Undoes what writers may have done to the fields of a document, in every combination; each combination
// is one body to try.
//
//   shape    the place of the content: data.fields or data.payload with other members beside it (a
//            write that merged), fields or payload beside data, or data itself     at most 4
//   author   name, email, deviceName that are "" are absent                        at most 2
//   content  members that are null, then also those that are "", are absent        at most 3
//   times    maps of _seconds and _nanoseconds are times                           at most 2
//
// With `canonical` and the fields as they are that is at most 50 bodies.

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
    private typealias Shape = (data: FirestoreFields, repairs: Set<Repair>)

    private let frame: FirestoreFields
    private let shapes: [Shape]
    private let hasEmptyAuthor: Bool
    private var place = 0

    /// The number of combinations.
    private static let authors = 2
    private static let contents = 3
    private static let times = 2

    init(_ fields: FirestoreFields) {
      frame = Self.frame(fields)
      shapes = Self.shapes(fields)
      hasEmptyAuthor = Self.withoutEmptyTexts(frame) != frame
    }

    /// The next body, and what was done for it; combinations that change nothing are passed over.
    mutating func next() -> (FirestoreFields, Set<Repair>)? {
      while place < shapes.count * Self.authors * Self.contents * Self.times {
        var rest = place
        place += 1
        let isTimes = rest % Self.times == 1
        rest /= Self.times
        let content = rest % Self.contents
        rest /= Self.contents
        let isAuthor = rest % Self.authors == 1
        var (data, repairs) = shapes[rest / Self.authors]
        guard !isAuthor || hasEmptyAuthor else { continue }
        if content > 0 {
          let less = content == 1 ? Removal.nulls : .nullsAndEmptyTexts
          guard let changed = Self.remove(less, from: data) else { continue }
          // Without empty texts the second removal is the first one.
          if content == 2, Self.remove(.nulls, from: data) == changed { continue }
          data = changed
          repairs.insert(content == 1 ? .nulls : .emptyTexts)
        }
        if isTimes {
          guard let changed = Self.withTimes(data) else { continue }
          data = changed
          repairs.insert(.timeMaps)
        }
        if isAuthor { repairs.insert(.emptyAuthor) }
        var body = isAuthor ? Self.withoutEmptyTexts(frame) : frame
        body["data"] = .map(data)
        return (body, repairs)
      }
      return nil
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
