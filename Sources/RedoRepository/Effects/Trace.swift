// Where the time of a command goes, one JSON object a line (REDO_TRACE; see redo-cli(7)):
//
//   {"argv":["redo","log","-n..."],"event":"start","pid":7,"time":"2025-03-01T08:00:00.000Z",...}
//   {"at":210,"depth":0,"event":"region","name":"open","pid":7,"us":180}
//   {"at":350,"count":10,"event":"request","name":"ids","pid":7,"status":200,"us":9100}
//   {"bytesRead":5120,...,"event":"counters","objectsRead":12,"pid":7}
//   {"event":"exit","pid":7,"status":0,"us":2310}
//
// It never contains anything of a node but its ID, any value of an option, or any setting.

internal import CanonicalJSON
internal import RedoObject
package import RedoStore
internal import Synchronization

/// Writes the events of one process.
///
/// A class, because every part of a command adds to the same trace.
package final class Trace: Sendable {
  /// Takes one line; returns 0, or an error number.
  package typealias Sink = @Sendable ([UInt8]) -> Int32

  private let sink: Sink?
  private let processID: Int32
  private let clock: @Sendable () -> Int64
  private let start: Int64
  /// Counts the objects of every store that is opened; `nil` without a trace.
  package let counters: StoreCounters?
  /// Why a requested trace is missing, for a warning.
  package let problem: String?
  private let state: Mutex<State>

  private struct State {
    /// The number of regions that are open.
    var depth = 0
    /// Whether a line could not be written: then no more are written.
    var hasFailed = false
  }

  /// No trace: measured work just runs.
  package static let off = Trace()

  /// Creates a trace that records nothing.
  ///
  /// - Parameter problem: why not, if a trace was requested.
  package init(problem: String? = nil) {
    sink = nil
    processID = 0
    clock = { 0 }
    start = 0
    counters = nil
    self.problem = problem
    state = Mutex(State())
  }

  /// Creates a trace.
  ///
  /// - Parameters:
  ///   - processID: recorded in every event, because several processes may share a file.
  ///   - clock: nanoseconds since some moment, never going back.
  ///   - sink: receives each line.
  package init(
    processID: Int32, clock: @escaping @Sendable () -> Int64, sink: @escaping Sink
  ) {
    self.sink = sink
    self.processID = processID
    self.clock = clock
    start = clock()
    counters = StoreCounters()
    problem = nil
    state = Mutex(State())
  }

  /// Measures a part of the work.
  ///
  /// Its event is written when it ends, so after those of the regions within it; `at` says when it started.
  @inline(__always)
  package func measure<Value: ~Copyable, Failure: Error>(
    _ name: StaticString, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard sink != nil else { return try body() }
    let began = enter()
    defer { leave(name, began) }
    return try body()
  }

  private func enter() -> Int64 {
    state.withLock { $0.depth += 1 }
    return clock()
  }

  private func leave(_ name: StaticString, _ began: Int64) {
    let ended = clock()
    let depth = state.withLock {
      $0.depth -= 1
      return $0.depth
    }
    var line = Array("{\"at\":\((began - start) / 1000),\"depth\":\(depth),".utf8)
    line += "\"event\":\"region\",\"name\":\"\(name)\",\"pid\":\(processID),".utf8
    // Both ends are truncated to microseconds, so that a region never outlasts the one around it.
    line += "\"us\":\((ended - start) / 1000 - (began - start) / 1000)}".utf8
    write(line)
  }

  /// Begins to measure a request.
  ///
  /// - Returns: when it began; for `endRequest`.
  package func beginRequest() -> Int64 { sink == nil ? 0 : clock() }

  /// Records a request to another machine.
  ///
  /// - Parameters:
  ///   - name: what was requested.
  ///   - began: the result of `beginRequest`.
  ///   - count: the number of things that were requested.
  ///   - status: the status of the answer; 0 when there was none.
  package func endRequest(_ name: StaticString, _ began: Int64, count: Int, status: Int) {
    guard sink != nil else { return }
    var line = Array("{\"at\":\((began - start) / 1000),\"count\":\(count),".utf8)
    line += "\"event\":\"request\",\"name\":\"\(name)\",\"pid\":\(processID),".utf8
    line += "\"status\":\(status),\"us\":\((clock() - began) / 1000)}".utf8
    write(line)
  }

  private func write(_ line: [UInt8]) {
    guard let sink, state.withLock({ !$0.hasFailed }) else { return }
    if sink(line + [UInt8(ascii: "\n")]) != 0 { state.withLock { $0.hasFailed = true } }
  }
}

extension Trace {
  /// Whether a line could not be written.
  package var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Writes the first event: which command, and when.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments, without anything that may be secret.
  ///   - version: the version of the program.
  ///   - milliseconds: the time of day, since 1970.
  package func begin(_ words: [String], version: String, _ milliseconds: () -> Int64) {
    guard sink != nil else { return }
    var line = Array("{\"argv\":[".utf8)
    for (index, word) in words.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      JSONWriter.appendString(word, to: &line)
    }
    line += "],\"event\":\"start\",\"pid\":\(processID),\"time\":\"".utf8
    WallTime(milliseconds: milliseconds()).append(to: &line)
    line += "\",\"version\":\"\(version)\"}".utf8
    write(line)
  }

  /// Writes the last two events: what was read and written, and how it ended.
  ///
  /// - Parameter status: the exit status as the shell sees it.
  package func end(status: Int32) {
    guard sink != nil, let totals = counters?.totals else { return }
    var line = Array("{\"bytesRead\":\(totals.bytesRead),".utf8)
    line += "\"bytesWritten\":\(totals.bytesWritten),\"event\":\"counters\",".utf8
    line += "\"objectsRead\":\(totals.objectsRead),".utf8
    line += "\"objectsWritten\":\(totals.objectsWritten),\"pid\":\(processID)}".utf8
    write(line)
    line = Array("{\"event\":\"exit\",\"pid\":\(processID),\"status\":\(status),".utf8)
    line += "\"us\":\((clock() - start) / 1000)}".utf8
    write(line)
  }
}
