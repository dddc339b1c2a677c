// The bytes of a graph, wherever they are: in an array, or mapped from a file by the store.

/// Bytes that stay where they are and never change.
///
/// A class, because a mapping has one owner, and columns are read by many.
@safe
package final class GraphMemory: Sendable {
  /// The first byte; aligned to 8.
  @usableFromInline nonisolated(unsafe) let base: UnsafeRawPointer
  /// The number of bytes.
  package let count: Int
  /// Whether the bytes of a range are those that were written; called before they are trusted.
  private let verify: @Sendable (Range<Int>) -> Bool
  /// What keeps the bytes alive, and lets them go.
  private let release: @Sendable () -> Void

  /// Bytes with an owner.
  ///
  /// - Parameters:
  ///   - base: the first byte, aligned to 8.
  ///   - count: the number of bytes.
  ///   - verify: whether the bytes of a range are those that were written.
  ///   - release: called once, when the bytes are no longer read.
  @unsafe
  package init(
    base: UnsafeRawPointer, count: Int, verify: @escaping @Sendable (Range<Int>) -> Bool,
    release: @escaping @Sendable () -> Void
  ) {
    unsafe self.base = base
    self.count = count
    self.verify = verify
    self.release = release
  }

  /// A copy of some bytes.
  package convenience init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
    // SAFETY: as many bytes are copied as there are, into memory that has room for them and that
    // is given back once.
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe copy.copyMemory(from: start, byteCount: source.count)
      }
    }
    nonisolated(unsafe) let owned = unsafe copy
    unsafe self.init(
      base: UnsafeRawPointer(copy), count: bytes.count, verify: { _ in true },
      release: { unsafe owned.deallocate() })
  }

  deinit { release() }

  /// Whether a range lies within the bytes, and they are those that were written.
  package func check(_ range: Range<Int>) -> Bool {
    range.lowerBound >= 0 && range.upperBound <= count && (range.isEmpty || verify(range))
  }

  /// A number at a place that has been checked.
  @inlinable @inline(__always)
  func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ offset: Int, as type: Number.Type
  ) -> Number {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "BUG: out of a graph")
    // SAFETY: the place lies within the bytes, as was just checked.
    return Number(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// Numbers side by side at a place that has been checked, for loops over many of them.
  ///
  /// - Parameters:
  ///   - offset: where the number 0 is.
  ///   - range: which ones are asked for.
  ///   - type: their type.
  ///   - body: receives a function that tells a number of the range.
  /// - Returns: what `body` returns.
  @inline(__always)
  func withNumbers<Number: FixedWidthInteger & BitwiseCopyable, Value>(
    from offset: Int, _ range: Range<Int>, _ type: Number.Type,
    _ body: (_ number: (Int) -> Number) -> Value
  ) -> Value {
    let size = MemoryLayout<Number>.size
    precondition(
      offset >= 0 && range.lowerBound >= 0 && offset + size * range.upperBound <= count,
      "BUG: out of a graph")
    let first = unsafe base + offset
    return body { index in
      assert(range.contains(index), "BUG: a number that was not asked for")
      // SAFETY: the numbers of the range lie within the bytes, as was just checked.
      return Number(
        littleEndian: unsafe first.loadUnaligned(fromByteOffset: size &* index, as: type))
    }
  }

  /// Appends bytes of a range that has been checked.
  func append(_ range: Range<Int>, to output: inout [UInt8]) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "BUG: out of a graph")
    // SAFETY: the range lies within the bytes, as was just checked.
    unsafe output.append(
      contentsOf: UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  /// Bytes of a range that has been checked.
  @inlinable
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "BUG: out of a graph")
    // SAFETY: the range lies within the bytes, as was just checked.
    return unsafe Array(
      UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}
