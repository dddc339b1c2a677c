// Writes a sealed file, chunk by chunk. It makes bytes and does nothing with them.

internal import RedoCrypto

/// Makes the bytes of a sealed file; memory is needed for a chunk and what is added at a time.
///
/// No two files are the same, though what is in them may be: each has random keys.
package struct SealedWriter: ~Copyable {
  private var stream: SecretStreamSealer
  private var output: [UInt8]
  /// What does not fill a chunk yet, or is the last one.
  private var waiting: [UInt8] = []

  /// A file of nothing yet.
  ///
  /// - Parameter lock: what is to open it.
  package init(_ lock: borrowing SealedLock) {
    var key = SecretBytes(count: SecretStream.keyCount)
    output = lock.header(&key)
    stream = SecretStreamSealer(key: key)
    output += stream.header
  }

  /// Adds bytes.
  ///
  /// - Parameter bytes: what is to be sealed, of any count.
  package mutating func add(_ bytes: [UInt8]) {
    var all = waiting
    waiting = []
    all += bytes
    var place = 0
    // A full chunk waits until it is known whether it is the last.
    while all.count - place > SealedFile.chunkBytes {
      let next = place + SealedFile.chunkBytes
      output += stream.seal(all.span.extracting(place..<next), .middle)
      place = next
    }
    if place > 0 { all.removeFirst(place) }
    waiting = all
  }

  /// The bytes that were made since they were taken last.
  package mutating func take() -> [UInt8] {
    let bytes = output
    output = []
    return bytes
  }

  /// Makes the last chunk, which `take` gives.
  ///
  /// Something must have been added.
  package mutating func finish() {
    precondition(!waiting.isEmpty, "BUG: a sealed file of nothing")
    let last = waiting
    waiting = []
    output += stream.seal(last.span, .last)
  }
}
