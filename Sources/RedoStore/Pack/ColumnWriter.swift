// The values of one column while a frame is made.

internal import RedoObject

/// Collects the values of a column.
struct ColumnWriter {
  private let kind: LeafKind
  /// Texts one after another, numbers, references, or the lengths of differences.
  private var first: [UInt8] = []
  /// What was seen before: each once.
  private var entries: [UInt8] = []
  private var index: [UInt8] = []
  private var places: [[UInt8]: Int] = [:]
  private var count = 0
  /// The bytes of differences: the lowest of all, the next of all, and so on.
  private var planes: [[UInt8]]

  init(_ kind: LeafKind) {
    self.kind = kind
    planes = kind == .time ? Array(repeating: [], count: LeafKind.planeCount) : []
  }

  /// Adds a text.
  mutating func add(_ text: Span<UInt8>) {
    first.append(text)
    first.append(0x0A)
    guard kind == .text else { return }
    var entry: [UInt8] = []
    entry.append(text)
    entry.append(0x0A)
    add(entry: entry)
  }

  /// Adds a value that may have been there before.
  mutating func add(entry: [UInt8]) {
    let place = places[entry] ?? places.count
    if place == places.count {
      places[entry] = place
      entries += entry
    }
    index.append(varint: UInt64(place))
    count += 1
  }

  /// Adds a number.
  mutating func add(_ value: Int64) { first.append(varint: Zigzag.encode(value)) }

  /// Adds a reference: how far back, 0 for a value that is new.
  mutating func add(reference: Int) { first.append(varint: UInt64(reference)) }

  /// Adds a difference of times.
  mutating func add(difference: Int64) {
    var rest = Zigzag.encode(difference)
    var length = 0
    while rest > 0 {
      planes[length].append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
      length += 1
    }
    first.append(UInt8(length))
  }

  /// The streams of the column.
  var streams: [[UInt8]] {
    switch kind {
    // Texts that come twice or more often on the average are named by number.
    case .text: places.count * 2 <= count ? [index, entries] : [[], first]
    case .hex16, .hex32: [index, entries]
    case .number, .integer, .id, .uuid: [first]
    case .time: [first] + planes
    case .half: []
    }
  }
}
