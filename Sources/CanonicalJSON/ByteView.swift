// The bytes of a text while it is scanned.

/// An unchecked view of bytes for the scanning loops.
///
/// SAFETY: made only inside `withBytes(of:)`, so the memory outlives the view; every index is
/// compared with `count` by the scanner before it is used, which debug builds assert. Code other than the
/// scanner uses `checked(_:)`.
@safe
struct ByteView {
  private let base: UnsafePointer<UInt8>
  let count: Int

  init(_ base: UnsafePointer<UInt8>, count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count, "BUG: byte index outside of the text")
    return unsafe base[index]
  }

  /// A byte at an index that has not been compared with `count` yet.
  @inline(__always)
  func checked(_ index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "BUG: byte index outside of the text")
    return unsafe base[index]
  }

  /// Eight bytes from `index` on, the first in the lowest bits.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 8 <= count, "BUG: word outside of the text")
    let raw = unsafe UnsafeRawPointer(base)
    return UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Appends a range of the bytes.
  @inline(__always)
  func append(_ range: Range<Int>, to output: inout [UInt8]) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "BUG: range outside of the text")
    // SAFETY: the range is inside the view.
    unsafe output.append(
      contentsOf: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}

/// Gives the bytes of a span to a closure as an unchecked view; an empty span gives one of count 0.
@inline(__always)
func withBytes<Result, Failure: Error>(
  of text: Span<UInt8>, _ body: (ByteView) throws(Failure) -> Result
) throws(Failure) -> Result {
  // SAFETY: the view is used only during the closure.
  try unsafe text.withUnsafeBufferPointer { buffer throws(Failure) in
    guard let base = buffer.baseAddress else {
      var none: UInt8 = 0
      return try unsafe withUnsafePointer(to: &none) { pointer throws(Failure) in
        try unsafe body(ByteView(pointer, count: 0))
      }
    }
    return try unsafe body(ByteView(base, count: buffer.count))
  }
}
