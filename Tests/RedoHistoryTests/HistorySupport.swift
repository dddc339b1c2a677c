// What the tests of histories share: nodes made to order, and heads by their definition.

import RedoCrypto
import RedoObject
import RedoHistory
import TestSupport

/// Makes valid nodes, one after another.
struct NodeMaker {
  private var number = 0

  /// A node of task 1 to 9, or of none (0), numbered so that no two are the same.
  mutating func node(
    task: Int, parents: [ObjectID] = [], lamport: UInt64 = 1, milliseconds: Int64 = 0,
    action: String = "UPDATE", profile: Profile = .v1
  ) -> Node {
    number += 1
    let taskID = task == 0 ? "" : #""taskId":"7a000000-0000-4000-8000-00000000000\#(task)","#
    let content = action == "DELETE" ? "{}" : #"{"title":"\#(number)"}"#
    let key = String(repeating: "5a", count: 32)
    let text = """
      {"action":"\(action)",\
      "author":{"deviceId":"d","publicKey":"\(key)","userId":"\(key.prefix(32))"},\
      "data":{"fields":\(content)},\
      "parents":[\(parents.map { #""\#($0.text)""# }.joined(separator: ","))],\(taskID)\
      "timestamp":{"lamport":\(lamport),"wall":"\(WallTime(milliseconds: milliseconds).text)"},\
      "version":1}
      """
    var decoder = NodeDecoder(profile: profile)
    guard let node = decoder.decode(Array(text.utf8).span) else {
      preconditionFailure("not a node: \(text) \(decoder.findings)")
    }
    return node
  }
}

/// A history by its definitions, slowly.
struct Model {
  var nodes: [ObjectID: Node] = [:]
  private var ancestors: [ObjectID: Set<ObjectID>] = [:]

  init(_ nodes: some Sequence<Node> = []) { for node in nodes { add(node) } }

  /// Adds a node whose parents have been added.
  mutating func add(_ node: Node) {
    nodes[node.id] = node
    ancestors[node.id] = node.parents.reduce(into: Set(node.parents)) { all, parent in
      all.formUnion(ancestors[parent] ?? [])
    }
  }

  /// The nodes of each task that are not ancestors of another node of it, by whatever path.
  var heads: [TaskID?: Set<ObjectID>] {
    var heads: [TaskID?: Set<ObjectID>] = [:]
    for node in nodes.values { heads[node.taskID, default: []].insert(node.id) }
    for node in nodes.values { heads[node.taskID]?.subtract(ancestors[node.id] ?? []) }
    return heads
  }

  /// What a store with these nodes knows.
  func lookUp(_ id: ObjectID) -> KnownNode? {
    nodes[id].map { KnownNode($0, isInHistory: true) }
  }
}

/// The heads after changes; a change that removes what was no head, or adds what was one, is wrong.
func apply(
  _ changes: [HeadsChange], to heads: [TaskID?: Set<ObjectID>]
) -> [TaskID?: Set<ObjectID>] {
  var heads = heads
  for change in changes {
    var own = heads[change.task] ?? []
    precondition(own.isSuperset(of: change.removed), "removes what is no head")
    own.subtract(change.removed)
    precondition(own.isDisjoint(with: change.added), "adds what is a head")
    own.formUnion(change.added)
    precondition(change.added == change.added.sorted() && change.removed == change.removed.sorted())
    heads[change.task] = own
  }
  return heads
}
