// The first line of `refs`:
//
//   redo-refs 1 <generation> <file bytes> <refs> <entry> <chain hex> <reflog bytes> <received bytes>

internal import RedoCrypto

/// What the first line of `refs` tells.
struct RefsHeader: Sendable {
  /// The name and version of the format.
  static let format: StaticString = "redo-refs 1 "
  /// More than the longest first line: six numbers of at most 19 digits, a digest, the words.
  static let maximumCount = 224

  /// How often the file has been written; the first time is 1.
  var generation: Int
  /// The size of the whole file in bytes.
  var fileBytes: Int
  /// The number of refs.
  var refCount: Int
  /// The number of the last reflog entry folded in, 0 at first.
  var entry: Int
  /// The chain of that entry, 32 zeros at first.
  var chain: Digest
  /// The bytes of `reflog` that count.
  var reflogBytes: Int
  /// The bytes of `received` that count.
  var receivedBytes: Int

  /// The header of a new store, without the size.
  static func first(reflogBytes: Int, receivedBytes: Int) -> RefsHeader {
    RefsHeader(
      generation: 1, fileBytes: 0, refCount: 0, entry: 0, chain: .zero,
      reflogBytes: reflogBytes, receivedBytes: receivedBytes)
  }

  /// The line with its line feed.
  var line: [UInt8] {
    let text =
      "\(Self.format)\(generation) \(fileBytes) \(refCount) \(entry) \(Hex.text(chain.bytes.span)) "
      + "\(reflogBytes) \(receivedBytes)\n"
    return Array(text.utf8)
  }

  /// Takes the line; `nil` when it is not one.
  static func take(from scanner: inout LineScanner) -> RefsHeader? {
    guard scanner.take(format), let generation = scanner.decimal(), generation > 0,
      scanner.take(" "), let fileBytes = scanner.decimal(),
      scanner.take(" "), let refCount = scanner.decimal(),
      scanner.take(" "), let entry = scanner.decimal(),
      scanner.take(" "), let chain = scanner.digest(),
      scanner.take(" "), let reflogBytes = scanner.decimal(),
      scanner.take(" "), let receivedBytes = scanner.decimal(), scanner.take("\n")
    else { return nil }
    return RefsHeader(
      generation: generation, fileBytes: fileBytes, refCount: refCount, entry: entry,
      chain: chain, reflogBytes: reflogBytes, receivedBytes: receivedBytes)
  }
}

extension Digest {
  /// 32 zeros: what a chain starts from.
  static let zero = Digest(bytes: InlineArray(repeating: 0))
}
