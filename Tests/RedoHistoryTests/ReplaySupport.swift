// What the tests of replay share: cases of Tests/Oracle/make_history.py, and states as text.

import CanonicalJSON
import RedoHistory
import RedoObject
import TestSupport

/// A scanned JSON text whose parts are looked up by name.
final class Scanned {
  private let document: JSONDocument

  init(_ text: [UInt8]) throws { document = try JSONDocument(text) }

  /// The requirements on the value of an index.
  private func ask<Answer>(_ index: Int, _ body: (JSONValue) -> Answer) -> Answer {
    func answer(_ document: borrowing JSONDocument) -> Answer {
      body(document.root.value(at: index))
    }
    return answer(document)
  }

  /// The index of a member of an object.
  func member(_ name: String, of object: Int = 0) -> Int? {
    members(of: object).first { $0.0 == name }?.1
  }

  func elements(_ array: Int?) -> [Int] {
    array.map { ask($0) { $0.elementIndices } } ?? []
  }

  /// The names and indices of the members of an object.
  func members(of object: Int) -> [(String, Int)] {
    ask(object) { object in
      object.nameIndices.map { (object.value(at: $0).contentText, $0 + 1) }
    }
  }

  /// A value as it is.
  func raw(_ index: Int) -> [UInt8] { ask(index) { $0.bytes } }

  /// A string, unescaped; a number as it is.
  func string(_ index: Int) -> String { ask(index) { $0.string ?? $0.contentText } }
}

/// A random history, and the questions about it.
struct ReplayCase {
  struct Query {
    let asOf: String?
    let policy: PointPolicy
  }

  let seed: String
  var nodes: [HistoryNode]
  let received: [ObjectID: Int64]
  let queries: [Query]

  init(_ line: [UInt8]) throws {
    let json = try Scanned(line)
    seed = json.member("seed").map { json.string($0) } ?? ""
    let broken = Set(
      json.elements(json.member("broken")).compactMap { ObjectID(text: json.string($0)) })
    var decoder = NodeDecoder()
    nodes = json.elements(json.member("nodes")).map { token in
      guard let node = decoder.decode(json.raw(token).span) else {
        preconditionFailure(
          "not a node: \(String(decoding: json.raw(token), as: UTF8.self)) \(decoder.findings)")
      }
      return broken.contains(node.id) ? HistoryNode(BrokenNode(node)) : HistoryNode(node)
    }
    var received: [ObjectID: Int64] = [:]
    for (name, token) in json.member("received").map({ json.members(of: $0) }) ?? [] {
      if let id = ObjectID(text: name) { received[id] = Int64(json.string(token)) }
    }
    self.received = received
    queries = json.elements(json.member("queries")).map { query in
      Query(
        asOf: json.member("asOf", of: query).map { json.string($0) },
        policy: json.member("policy", of: query).flatMap { PointPolicy(rawValue: json.string($0)) }
          ?? .closed)
    }
  }

  /// The history in memory.
  var log: NodeHistory { NodeHistory(nodes, received: received) }
}

extension ReplayCase.Query {
  /// The nodes that count; the whole log by default.
  func cut(of log: NodeHistory) -> Cut {
    guard let asOf else { return Cut(whole: log) }
    let point: PointInTime
    if asOf.hasPrefix("lamport:") {
      point = .lamport(UInt64(asOf.dropFirst(8)) ?? 0)
    } else if let id = ObjectID(text: asOf) {
      point = .node(log.position(of: id) ?? 0)
    } else {
      let text = asOf.count == 10 ? asOf + "T23:59:59.999Z" : asOf
      guard let time = WallTime.parse(Array(text.utf8).span)?.time else {
        preconditionFailure("not a time: \(text)")
      }
      point = .instant(time, policy)
    }
    return Cut(of: log, members: point.members(of: log))
  }
}

/// What replay says about a set of nodes.
struct Replayed {
  /// The lines of the state.
  var state: [UInt8] = []
  /// `<id> <reason> <todo or ->` of what has no effect, in total order.
  var skips: [String] = []

  init(_ log: some HistoryLog, _ cut: Cut? = nil) {
    let cut = cut ?? Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    var replay = Replay(log, cut, nodes)
    for task in nodes.tasks {
      guard let state = replay.state(of: task) else { continue }
      state.appendJSON(to: &self.state)
      self.state.append(UInt8(ascii: "\n"))
    }
    let all = replay.skipsWithoutTask() + replay.takeSkips()
    let places = all.enumerated().sorted {
      (cut.place(of: $0.element.position), $0.offset)
        < (cut.place(of: $1.element.position), $1.offset)
    }
    skips = places.map { _, skip in
      "\(log.id(at: skip.position).text) \(skip.reason.rawValue) \(skip.todo?.text ?? "-")"
    }
  }

  var text: String { String(decoding: state, as: UTF8.self) }
}
