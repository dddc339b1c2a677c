// A view of one value of a document.

/// A value.
package struct CBORValue: Sendable {
  /// The values that are no containers, and how many a container has.
  package enum Form: Equatable, Sendable {
    case integer(Int64)
    /// An integer that 64 bits with a sign do not hold: the number, and whether it is -1 less that.
    case largeInteger(UInt64, isNegative: Bool)
    case bytes
    case text
    case array(count: Int)
    case map(count: Int)
    case link
    case bool(Bool)
    case null
    case float(Double)
  }

  fileprivate let document: CBORDocument.Storage
  fileprivate let index: Int

  init(_ document: CBORDocument.Storage, _ index: Int) {
    self.document = document
    self.index = index
  }

  fileprivate var item: CBORDocument.Item { document.items[index] }

  /// Where it begins in the bytes of the document.
  package var offset: Int { item.start }

  /// What it is.
  package var form: Form {
    switch item.kind {
    case .unsigned:
      Int64(exactly: item.number).map(Form.integer)
        ?? .largeInteger(item.number, isNegative: false)
    case .negative:
      Int64(exactly: item.number).map { .integer(-1 - $0) }
        ?? .largeInteger(item.number, isNegative: true)
    case .bytes: .bytes
    case .text: .text
    case .array: .array(count: Int(item.number))
    case .map: .map(count: Int(item.number))
    case .link: .link
    case .bool: .bool(item.number == 1)
    case .null: .null
    case .float: .float(Double(bitPattern: item.number))
    }
  }

  /// Whether it is an array or a map.
  package var isContainer: Bool { item.kind == .array || item.kind == .map }

  /// The bytes of bytes, of a text, or of the CID of a link; empty for all others.
  package var content: ArraySlice<UInt8> { document.bytes[item.content] }

  /// The text; `nil` when it is none.
  package var text: String? {
    item.kind == .text ? String(decoding: content, as: UTF8.self) : nil
  }

  /// What it links to; `nil` when it is no link, or one to other content than raw bytes and DAG-CBOR.
  package var link: CID? {
    item.kind == .link ? CID(bytes: content.span) : nil
  }

  /// The elements of an array, in their order; none for all others.
  package var elements: [CBORValue] {
    guard item.kind == .array else { return [] }
    return children
  }

  /// The members of a map, in their order; none for all others.
  package var members: Members { Members(self) }

  /// The member of a map with a key; `nil` when there is none.
  package func member(_ key: StaticString) -> CBORValue? {
    members.first { $0.key.isText(key) }?.value
  }

  /// Whether it is this text, compared by bytes.
  package func isText(_ text: StaticString) -> Bool {
    let item = item
    guard item.kind == .text, item.content.count == text.utf8CodeUnitCount else { return false }
    // SAFETY: a literal's bytes are there for ever.
    let wanted = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    for place in 0..<wanted.count {
      guard unsafe document.bytes[item.content.lowerBound + place] == wanted[place] else {
        return false
      }
    }
    return true
  }

  private var children: [CBORValue] {
    var found: [CBORValue] = []
    var place = index + 1
    while place < item.next {
      found.append(CBORValue(document, place))
      place = document.items[place].next
    }
    return found
  }

  /// The members of a map.
  package struct Members: Sequence {
    private let map: CBORValue

    fileprivate init(_ map: CBORValue) { self.map = map }

    /// Goes from member to member.
    package func makeIterator() -> Iterator { Iterator(map) }

    /// Goes from member to member.
    package struct Iterator: IteratorProtocol {
      private let document: CBORDocument.Storage
      private let end: Int
      private var place: Int

      fileprivate init(_ map: CBORValue) {
        let item = map.item
        document = map.document
        place = map.index + 1
        end = item.kind == .map ? item.next : place
      }

      /// The next one; `nil` after the last.
      package mutating func next() -> (key: CBORValue, value: CBORValue)? {
        guard place < end else { return nil }
        let key = CBORValue(document, place)
        let value = CBORValue(document, document.items[place].next)
        place = document.items[value.index].next
        return (key, value)
      }
    }
  }
}
