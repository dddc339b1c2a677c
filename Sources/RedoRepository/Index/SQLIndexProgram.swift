// The conversation with redo-index-sqlite(1): a line for each request, lines of answers, the last of which says how it ended.

internal import CanonicalJSON
internal import RedoStore

/// The running program that keeps an index.
///
/// A class, because the program is ended once, whoever holds it.
final class SQLIndexProgram {
  /// The program; it is looked for beside this one first.
  static let name = "redo-index-sqlite"
  /// How many bytes of requests are collected before a thread begins to write them.
  private static let sendBytes = 1 << 16
  /// How many may wait for the program, which is as many rows as are made together.
  private static let waitingBytes = 1 << 22
  /// How long it may take to end, in milliseconds.
  private static let graceMilliseconds = 10_000

  private let child: ChildProcess
  private let path: String
  private let effects: Effects
  private var pending: [UInt8] = []
  /// What is being written while the next rows are made.
  private var writing: Ahead<StreamError?>?
  private var received: [UInt8] = []
  private var start = 0
  /// What has been looked at for the end of a line.
  private var seen = 0

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - path: the index, for messages.
  ///   - effects: where programs are; receives what the program warns of.
  /// - Throws: `noProgram`; what starting it throws.
  init(_ path: String, _ effects: Effects) throws {
    guard
      let program = Programs.find(
        Self.name, isBeside: true, in: effects.surroundings.usual.programPath)
    else { throw SQLIndexFault.noProgram(Self.name) }
    effects.cancellation.hold()
    let cancellation = effects.cancellation
    child = try ChildProcess(
      program, [Self.name], TwoWayStream.Patience { cancellation.signal != 0 })
    self.path = path
    self.effects = effects
  }

  deinit {
    writing = nil
    _ = child.wait(graceMilliseconds: Self.graceMilliseconds)
  }

  // MARK: Requests

  /// Sends lines that have no answer; they are written while the caller goes on.
  func send(_ lines: [UInt8]) throws {
    pending += lines
    guard pending.count >= Self.sendBytes else { return }
    guard writing?.isMade ?? true || pending.count >= Self.waitingBytes else { return }
    try beginWriting()
  }

  /// Sends lines that have no answer, and what waits before them, without waiting for more.
  func sendNow(_ lines: [UInt8]) throws {
    pending += lines
    try beginWriting()
  }

  private func beginWriting() throws {
    try effects.checkInterrupt()
    try finishWriting()
    let (stream, lines) = (child.stream, pending)
    writing = Ahead {
      do throws(StreamError) {
        try stream.write(lines)
        return nil
      } catch {
        return error
      }
    }
    pending = []
  }

  /// Waits until the program has taken what a thread writes.
  private func finishWriting() throws {
    if let error = writing.take()?.value() { throw try fault(error) }
  }

  private func flush() throws {
    try finishWriting()
    do throws(StreamError) {
      try child.stream.write(pending)
      pending.removeAll(keepingCapacity: true)
    } catch {
      throw try fault(error)
    }
  }

  /// Sends a request and reads its answer.
  ///
  /// - Parameters:
  ///   - request: writes the members of the request.
  ///   - visit: receives the lines of the answer before its end.
  /// - Returns: the last line, an object with `done`.
  /// - Throws: what the program answers; what `visit` throws, and nothing more can be asked then.
  @discardableResult
  func ask(
    _ request: (inout JSONWriter) -> Void, _ visit: ([UInt8]) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    JSONWriter.append(to: &pending) { json in json.object { json in request(&json) } }
    pending.append(UInt8(ascii: "\n"))
    try flush()
    while true {
      let line = try line()
      let document: JSONDocument
      do { document = try JSONDocument(line, integers: .any) } catch { throw try gone() }
      if document.root["done"] != nil { return line }
      if let error = document.root["error"] {
        throw Self.fault(
          error["code"]?.string ?? "", error["detail"]?.string ?? "", path: path)
      }
      if let warning = document.root["warning"]?.string {
        effects.report(.index(.warning(warning, path: path)))
        continue
      }
      try visit(line)
    }
  }

  private static func fault(_ code: String, _ detail: String, path: String) -> SQLIndexFault {
    if code == "db-busy" { return .busy(path: path) }
    if SQLIndexFault.questions.contains(code) { return .question(code: code, detail: detail) }
    return .failed(code: code, detail: detail, path: path)
  }

  /// The next line, without its end.
  private func line() throws -> [UInt8] {
    while true {
      if let end = received[seen...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[start..<end])
        start = end + 1
        seen = start
        return line
      }
      received.removeFirst(start)
      start = 0
      seen = received.count
      let more: [UInt8]
      do throws(StreamError) { more = try child.stream.read(atMost: 1 << 16) } catch {
        throw try fault(error)
      }
      guard !more.isEmpty else { throw try gone() }
      received += more
    }
  }

  private func fault(_ error: StreamError) throws -> any Error {
    if error == .interrupted { try effects.checkInterrupt() }
    return error == .closed ? try gone() : error
  }

  private func gone() throws -> any Error {
    try effects.checkInterrupt()
    return SQLIndexFault.gone(
      program: Self.name, child.wait(graceMilliseconds: Self.graceMilliseconds))
  }
}
