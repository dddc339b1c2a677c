// A connection that says how much has gone through it, as long as somebody looks.

internal import RedoRemote

/// A connection with a line on the terminal.
///
/// A class, because streams are.
final class MeteredStream: ByteStream {
  private let stream: any ByteStream
  private let title: String
  private let isShown: Bool
  private let clock: @Sendable () -> Int64
  /// Messages come from elsewhere: a line of its own that is ended before anything else is said.
  private var output = Output.descriptor(StandardStream.errors.rawValue)
  private var nextTime: Int64
  private var hasLine = false
  private var sent = 0
  private var received = 0

  /// A connection with a line on the terminal.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - title: what is talked to.
  ///   - wanted: `--progress` (true), `--no-progress` or `-q` (false), or neither.
  ///   - context: where.
  init(
    _ stream: any ByteStream, title: String, wanted: Bool?, _ context: borrowing Context
  ) {
    self.stream = stream
    self.title = Escape.text(title)
    clock = context.clock
    isShown = wanted ?? context.isTerminal(.errors)
    nextTime = isShown ? context.clock() + Progress.delayMilliseconds : 0
  }

  func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    let bytes = try stream.read(atMost: limit)
    received += bytes.count
    update()
    return bytes
  }

  func write(_ bytes: [UInt8]) throws(RemoteError) {
    try stream.write(bytes)
    sent += bytes.count
    update()
  }

  /// Ends the line, if there is one; again is no change.
  func finish() {
    guard hasLine else { return }
    hasLine = false
    show(line + ", done\n")
  }

  private func update() {
    guard isShown else { return }
    let now = clock()
    guard now >= nextTime else { return }
    nextTime = now + Progress.intervalMilliseconds
    hasLine = true
    show(line + "\r")
  }

  private var line: String {
    "\(title): \(Self.size(received)) received, \(Self.size(sent)) sent"
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 10_240 ? "\(bytes) bytes" : "\(bytes >> 10) KiB"
  }

  private func show(_ text: String) {
    try? output.write(text)
    output.flushOrDrop()
  }
}
