// Support for the tests of the library: lines of the demo's log, and lists of events.

import Foundation
import RedoRepository
import Synchronization
import Testing

/// Events, in the order in which they were reported.
final class EventList: Sendable {
  private let kept = Mutex<[RepositoryEvent]>([])

  func append(_ event: RepositoryEvent) { kept.withLock { $0.append(event) } }

  var refusals: [Refusal] {
    kept.withLock { $0 }.compactMap {
      if case .nodeRefused(let refusal) = $0 { refusal } else { nil }
    }
  }

  /// How far work had come.
  var progress: [RepositoryEvent.Progress] {
    kept.withLock { $0 }.compactMap {
      if case .progress(let progress) = $0 { progress } else { nil }
    }
  }

  /// The nodes whose parents are missing.
  var missing: [NodeID?] {
    kept.withLock { $0 }.compactMap {
      if case .parentMissing(let node, _) = $0 { node } else { nil }
    }
  }
}

/// Something that happens once.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .acquiring) }

  func set() { state.store(true, ordering: .releasing) }
}

/// The log of the demo: 10,012 nodes, one per line, parents before their children; the first 1,000 are all signed.
enum Log {
  private static let lines = Result { try read() }

  private static func read() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", root.appending(path: "Demo/log.ndjson.gz").path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The first lines.
  static func first(_ count: Int) throws -> [String] { Array(try lines.get().prefix(count)) }

  /// Lines as the bytes of a file.
  static func bytes(_ lines: [String]) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The ID that a line states.
  static func id(_ line: String) -> NodeID? {
    value(line, "id").flatMap { NodeID(String(line[$0])) }
  }

  /// The parents that a line names.
  static func parents(_ line: String) -> [NodeID] {
    guard let start = line.range(of: #""parents":["#),
      let end = line[start.upperBound...].firstIndex(of: "]")
    else {
      return []
    }
    return line[start.upperBound..<end].split(separator: ",").compactMap {
      NodeID(String($0.dropFirst().dropLast()))
    }
  }

  /// A line with the text of one member changed.
  static func changing(_ line: String, _ member: String, _ change: (String) -> String) -> String {
    guard let range = value(line, member) else { return line }
    return line.replacingCharacters(in: range, with: change(String(line[range])))
  }

  /// A line without one of its members.
  static func removing(_ line: String, _ member: String) -> String {
    guard let range = value(line, member) else { return line }
    return line.replacingOccurrences(of: "\"\(member)\":\"\(line[range])\",", with: "")
  }

  /// The range of the text of a member; no text of the log contains a quote.
  private static func value(_ line: String, _ member: String) -> Range<String.Index>? {
    guard let start = line.range(of: "\"\(member)\":\""),
      let end = line[start.upperBound...].firstIndex(of: "\"")
    else { return nil }
    return start.upperBound..<end
  }
}
