// One DAG-CBOR value, read strictly: the bytes, and a table of what stands where. The table is filled in one pass over the
// bytes, without recursion; a value that is accepted has one encoding only, these bytes.

/// A value that has been read.
package struct CBORDocument: Sendable {
  /// What an item is.
  enum Kind: Sendable {
    /// An integer from 0 on.
    case unsigned
    /// An integer below 0: -1 less its number.
    case negative
    case bytes
    case text
    case array
    /// Its items are a key and a value in turn.
    case map
    /// A link; its content are the bytes of the CID.
    case link
    case bool
    case null
    /// A float; its number are the 64 bits.
    case float
  }

  /// A value, or the key of a member.
  struct Item: Sendable {
    let kind: Kind
    /// The integer, the bits of a float, 1 for true, the number of elements or members.
    let number: UInt64
    /// Where its head begins.
    let start: Int
    /// The bytes of a text, of bytes or of a CID.
    let content: Range<Int>
    /// The item after it and all that is in it.
    fileprivate(set) var next: Int
  }

  /// What the document and all views of it share.
  final class Storage: Sendable {
    let bytes: [UInt8]
    let items: [Item]

    init(_ bytes: [UInt8], _ items: [Item]) {
      self.bytes = bytes
      self.items = items
    }
  }

  private let storage: Storage

  /// The bytes.
  package var bytes: [UInt8] { storage.bytes }
  /// All items, each before what is in it.
  var items: [Item] { storage.items }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - bytes: the whole value, and nothing behind it.
  ///   - profile: how much is taken.
  /// - Throws: the first rule that is broken.
  /// - Complexity: O(*n*) in bytes; memory for each item.
  package init(_ bytes: [UInt8], _ profile: CBORProfile = .strict) throws(CBORError) {
    var reader = CBORReader(profile)
    try reader.read(bytes.span)
    storage = Storage(bytes, reader.items)
  }

  /// The value.
  package var root: CBORValue { CBORValue(storage, 0) }
}

/// Reads one value.
private struct CBORReader: ~Copyable {
  /// A map or array whose items are being read.
  private struct Open {
    let item: Int
    /// How many items are still to come; of a map two for each member.
    var left: UInt64
    let isMap: Bool
    /// The key before, in a map.
    var key: Range<Int>?
  }

  private let profile: CBORProfile
  private var open: [Open] = []
  var items: [CBORDocument.Item] = []
  private var offset = 0

  init(_ profile: CBORProfile) { self.profile = profile }

  mutating func read(_ bytes: Span<UInt8>) throws(CBORError) {
    repeat { try readItem(bytes) } while !open.isEmpty
    guard offset == bytes.count else { throw CBORError(.trailing, at: offset) }
  }

  private mutating func readItem(_ bytes: Span<UInt8>) throws(CBORError) {
    let start = offset
    let (major, low) = try head(bytes)
    let isKey = open.last.map { $0.isMap && $0.left % 2 == 0 } ?? false
    guard !isKey || major == 3 else { throw CBORError(.keyType, at: start) }
    if major == 7 {
      try readSimple(bytes, low, start)
      close()
      return
    }
    let number = try argument(bytes, low, start, hasLength: 2...5 ~= major)
    switch major {
    case 0, 1:
      guard profile.takesLargeIntegers || number <= UInt64(Int64.max) else {
        throw CBORError(.integer, at: start)
      }
      add(major == 0 ? .unsigned : .negative, number, start)
    case 2: add(.bytes, number, start, try content(bytes, number))
    case 3:
      let range = try content(bytes, number)
      guard (try? UTF8Span(validating: bytes.extracting(range))) != nil else {
        throw CBORError(.utf8, at: start)
      }
      if isKey { try checkKey(bytes, range, start) }
      add(.text, number, start, range)
    case 4, 5:
      guard open.count < profile.depthLimit else { throw CBORError(.depth, at: start) }
      let (count, isLarge) = number.multipliedReportingOverflow(by: major == 5 ? 2 : 1)
      // Each item has a byte at least: nothing is prepared for what cannot come.
      guard !isLarge, count <= UInt64(bytes.count - offset) else {
        throw CBORError(.syntax, at: bytes.count)
      }
      add(major == 4 ? .array : .map, number, start)
      if count > 0 {
        open.append(Open(item: items.count - 1, left: count, isMap: major == 5))
        return
      }
    default:
      guard number == 42 else { throw CBORError(.tag, at: start) }
      try readLink(bytes, start)
    }
    close()
  }

  // MARK: Heads

  private mutating func head(_ bytes: Span<UInt8>) throws(CBORError) -> (major: Int, low: UInt8) {
    guard offset < bytes.count else { throw CBORError(.syntax, at: bytes.count) }
    let byte = bytes[offset]
    offset += 1
    return (Int(byte >> 5), byte & 31)
  }

  /// The number of a head, in the fewest bytes.
  private mutating func argument(
    _ bytes: Span<UInt8>, _ low: UInt8, _ start: Int, hasLength: Bool
  ) throws(CBORError) -> UInt64 {
    switch low {
    case ..<24: return UInt64(low)
    case 24...27:
      let count = 1 << Int(low - 24)
      let number = try integer(bytes, count)
      let least: UInt64 = count == 1 ? 24 : 1 << UInt64(4 * count)
      guard number >= least else { throw CBORError(.length, at: start) }
      return number
    case 31 where hasLength: throw CBORError(.indefinite, at: start)
    default: throw CBORError(.syntax, at: start)
    }
  }

  /// An integer of some bytes, the first of which counts most.
  private mutating func integer(
    _ bytes: Span<UInt8>, _ count: Int
  ) throws(CBORError) -> UInt64 {
    guard count <= bytes.count - offset else { throw CBORError(.syntax, at: bytes.count) }
    var number: UInt64 = 0
    for index in offset..<offset + count { number = number << 8 | UInt64(bytes[index]) }
    offset += count
    return number
  }

  // MARK: Values

  private mutating func readSimple(
    _ bytes: Span<UInt8>, _ low: UInt8, _ start: Int
  ) throws(CBORError) {
    switch low {
    case 20, 21: add(.bool, low == 21 ? 1 : 0, start)
    case 22: add(.null, 0, start)
    case 25, 26: throw CBORError(.float, at: start)
    case 27:
      let bits = try integer(bytes, 8)
      let value = Double(bitPattern: bits)
      guard value.isFinite, profile.takesNegativeZero || bits != 1 << 63 else {
        throw CBORError(.float, at: start)
      }
      add(.float, bits, start)
    case 28...31: throw CBORError(.syntax, at: start)
    default: throw CBORError(.simple, at: start)
    }
  }

  private mutating func content(
    _ bytes: Span<UInt8>, _ count: UInt64
  ) throws(CBORError) -> Range<Int> {
    guard count <= UInt64(bytes.count - offset) else { throw CBORError(.syntax, at: bytes.count) }
    let range = offset..<offset + Int(count)
    offset = range.upperBound
    return range
  }

  /// What tag 42 marks: a zero, and the bytes of a CID.
  private mutating func readLink(_ bytes: Span<UInt8>, _ start: Int) throws(CBORError) {
    let inner = offset
    let (major, low) = try head(bytes)
    guard major == 2 else { throw CBORError(.tag, at: start) }
    let range = try content(bytes, try argument(bytes, low, inner, hasLength: true))
    guard let first = range.first, bytes[first] == 0 else { throw CBORError(.tag, at: start) }
    let cid = bytes.extracting(range.dropFirst())
    guard profile.takesOtherLinks ? CID.isAny(cid) : CID(bytes: cid) != nil else {
      throw CBORError(.tag, at: start)
    }
    add(.link, 0, start, range.dropFirst())
  }

  /// Compares a key with the one before it: by length, then by bytes.
  private mutating func checkKey(
    _ bytes: Span<UInt8>, _ key: Range<Int>, _ start: Int
  ) throws(CBORError) {
    let last = open.count - 1
    defer { open[last].key = key }
    guard let before = open[last].key else { return }
    if before.count < key.count { return }
    guard before.count == key.count else { throw CBORError(.keyOrder, at: start) }
    for (one, other) in zip(before, key) where bytes[one] != bytes[other] {
      guard bytes[one] < bytes[other] else { throw CBORError(.keyOrder, at: start) }
      return
    }
    throw CBORError(.duplicateKey, at: start)
  }

  private mutating func add(
    _ kind: CBORDocument.Kind, _ number: UInt64, _ start: Int, _ content: Range<Int>? = nil
  ) {
    items.append(
      CBORDocument.Item(
        kind: kind, number: number, start: start, content: content ?? offset..<offset,
        next: items.count + 1))
  }

  /// Ends an item, and whatever ends with it.
  private mutating func close() {
    while let last = open.indices.last {
      open[last].left -= 1
      guard open[last].left == 0 else { return }
      items[open[last].item].next = items.count
      open.removeLast()
    }
  }
}
