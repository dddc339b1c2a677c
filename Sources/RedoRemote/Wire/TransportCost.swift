// What an exchange has cost on the way behind a helper, which the bytes at the pipe do not show; the helper's last
// frame.

internal import RedoObject

/// What a transport has done for an exchange.
package struct TransportCost: Equatable, Sendable {
  /// Requests that were answered, or should have been.
  package var roundTrips: Int
  /// Bytes of the bodies of requests, without those for tokens.
  package var bytesSent: Int
  /// Bytes of the bodies of answers, without those with tokens.
  package var bytesReceived: Int
  /// Reads of documents, as the service charges for them.
  package var reads: Int
  /// Writes of documents, as the service charges for them.
  package var writes: Int
  /// How many nodes are still not there that were there.
  package var lost: Int

  /// The word of a side that tells, or wants to know, what an exchange costs.
  package static let word = "tells-cost"
  /// The beginning of the word of a server whose place lacks nodes that it had; then how many.
  package static let lostWord = "lacks-"
  /// The beginning of the word of a server that has not listed its place in this run, but only compared numbers; then when
  /// it did so last, in milliseconds since 1970, or 0.
  package static let sinceWord = "known-since-"

  /// What a transport has done.
  ///
  /// - Parameters:
  ///   - roundTrips: requests.
  ///   - bytesSent: bytes of the bodies of requests.
  ///   - bytesReceived: bytes of the bodies of answers.
  ///   - reads: reads that are charged for.
  ///   - writes: writes that are charged for.
  ///   - lost: nodes that are still not there.
  package init(
    roundTrips: Int = 0, bytesSent: Int = 0, bytesReceived: Int = 0, reads: Int = 0,
    writes: Int = 0, lost: Int = 0
  ) {
    self.roundTrips = roundTrips
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
    self.reads = reads
    self.writes = writes
    self.lost = lost
  }

  /// How many nodes a server's place lacks that it had.
  ///
  /// - Parameter capabilities: the words of its greeting.
  /// - Returns: 0 when it does not say so.
  package static func lost(_ capabilities: WireCapabilities) -> Int {
    capabilities.words.lazy.filter { $0.hasPrefix(lostWord) }
      .compactMap { Int($0.dropFirst(lostWord.utf8.count)) }.first { $0 > 0 } ?? 0
  }

  /// When a server's place was listed last, in milliseconds since 1970, or 0 if that is not known.
  ///
  /// - Parameter capabilities: the words of its greeting.
  /// - Returns: `nil` when it is listed, or can be relied on without that.
  package static func knownSince(_ capabilities: WireCapabilities) -> Int64? {
    capabilities.words.lazy.filter { $0.hasPrefix(sinceWord) }
      .map { Int64($0.dropFirst(sinceWord.utf8.count)) ?? 0 }
      .map { 0...WallTime.latest.milliseconds ~= $0 ? $0 : 0 }.first
  }

  /// The payload of the frame.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for number in [roundTrips, bytesSent, bytesReceived, reads, writes, lost] {
      bytes.append(varint: UInt64(max(0, number)))
    }
    return bytes
  }

  /// Reads a payload.
  ///
  /// - Parameter payload: the payload of a frame.
  /// - Throws: `malformed`.
  package init(decoding payload: [UInt8]) throws(RemoteError) {
    var reader = WireReader(payload)
    var numbers: [Int] = []
    while numbers.count < 6 { numbers.append(Int(clamping: try reader.varint())) }
    try reader.end()
    self.init(
      roundTrips: numbers[0], bytesSent: numbers[1], bytesReceived: numbers[2], reads: numbers[3],
      writes: numbers[4], lost: numbers[5])
  }
}
