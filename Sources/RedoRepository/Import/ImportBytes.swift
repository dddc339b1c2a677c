// The bytes of an input, decompressed if they are gzip.

internal import RedoStore

/// Reads a descriptor, whose first bytes show whether it is compressed.
package struct ImportBytes: ~Copyable {
  private let descriptor: Int32
  private let name: String
  private var gzip: GzipReader?
  private var hasStarted = false
  private var isAtEnd = false
  /// Bytes of the file that have not been handed on.
  private var raw: [UInt8] = []
  private var place = 0

  private static let stepBytes = 1 << 16

  /// - Parameters:
  ///   - descriptor: where to read.
  ///   - name: its name in messages.
  package init(_ descriptor: Int32, _ name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Whether the file is compressed, once something has been read.
  package var isCompressed: Bool { gzip != nil }

  /// Whether the next bytes can be had without waiting for whoever writes them.
  var isReady: Bool { place < raw.count || InterruptibleRead.isReady(descriptor) }

  /// Appends bytes.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - bytes: receives them.
  /// - Returns: how many; 0 at the end.
  /// - Throws: `InputError` when the file cannot be read, `ImportFault.gzip` when it cannot be decompressed;
  ///   `Interruption`.
  package mutating func append(atMost limit: Int, to bytes: inout [UInt8]) throws -> Int {
    if !hasStarted { try start() }
    guard isCompressed else {
      guard place < raw.count else {
        return try InterruptibleRead.append(descriptor, atMost: limit, to: &bytes, name: name)
      }
      let count = min(limit, raw.count - place)
      bytes += raw[place..<place + count]
      place += count
      return count
    }
    while true {
      let count = try inflate(&bytes, limit)
      if count > 0 { return count }
      if isAtEnd {
        do throws(GzipError) { try gzip?.finish() } catch { throw failure(error) }
        return 0
      }
      raw = []
      place = 0
      isAtEnd = try !fill()
    }
  }

  /// Reads everything that is left.
  ///
  /// - Throws: also `InputError.tooLarge` when there is more than the limit.
  package mutating func readAll(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than the limit shows that there is more.
    while bytes.count <= limit {
      let step = min(limit + 1 - bytes.count, max(bytes.count, Self.stepBytes))
      if try append(atMost: step, to: &bytes) == 0 { return bytes }
    }
    throw InputError.tooLarge(name)
  }

  private mutating func start() throws {
    hasStarted = true
    while raw.count < GzipReader.magic.count {
      if try !fill() { break }
    }
    if raw.starts(with: GzipReader.magic) { gzip = GzipReader() }
  }

  /// Reads more of the file itself; returns whether there was any.
  private mutating func fill() throws -> Bool {
    try InterruptibleRead.append(descriptor, atMost: Self.stepBytes, to: &raw, name: name) > 0
  }

  private mutating func inflate(_ bytes: inout [UInt8], _ limit: Int) throws -> Int {
    do throws(GzipError) {
      return try gzip?.read(raw, from: &place, into: &bytes, atMost: limit) ?? 0
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: GzipError) -> ImportFault { .gzip(error, name: name) }
}
