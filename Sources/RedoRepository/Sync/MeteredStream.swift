// A connection that reports how much has gone through it.

package import RedoRemote

/// A connection whose bytes are counted and reported.
///
/// A class, because streams are.
package final class MeteredStream: ByteStream {
  private let stream: any ByteStream
  private let work: WorkProgress.Work
  private let reporter: any Reporter
  private var sent = 0
  private var received = 0
  private var hasEnded = false

  /// Creates a connection whose bytes are counted and reported.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - title: the name of the other side.
  ///   - effects: receives the reports.
  package init(_ stream: any ByteStream, title: String, _ effects: Effects) {
    self.stream = stream
    work = .talking(remote: title)
    reporter = effects.reporter
    tell(.begun)
  }

  package func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    let bytes = try stream.read(atMost: limit)
    received += bytes.count
    tell(.moved(received: received, sent: sent))
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws(RemoteError) {
    try stream.write(bytes)
    sent += bytes.count
    tell(.moved(received: received, sent: sent))
  }

  /// Reports that nothing more will come; calling it again has no effect.
  package func finish() {
    guard !hasEnded else { return }
    hasEnded = true
    tell(.ended)
  }

  private func tell(_ step: WorkProgress.Step) {
    if case .moved = step, hasEnded { return }
    reporter.report(.progress(WorkProgress(work: work, total: nil, step: step)))
  }
}
