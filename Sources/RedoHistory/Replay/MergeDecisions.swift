// What a MERGE with `payload` decides (protocol, section 4): by its ancestors alone, so that it is the same in
// whichever set of nodes they all are. What the merges among them decide is known by then, because they
// come earlier in the total order: nothing recurses.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// Decides what a MERGE with `payload` sets, and keeps it; nothing for any other node.
  mutating func decide(_ position: Int) {
    guard decided[position] == nil else { return }
    reader.read(position, of: log)
    guard reader.isPayload else { return }
    let request = MergeRequest(reader.content)
    guard !request.isEmpty else {
      decided[position] = []
      return
    }
    var sides = MergeSides(parents: log.parentIDs(at: position))
    log.forEachParent(at: position) { parent in
      sides.positions.append(parent >= 0 && cut.contains(parent) ? parent : -1)
    }
    let task = log.task(at: position)
    sides.anchor = anchor
    settleAnchor(&sides, task)

    var entries = request.entries
    let named = Set(entries.map(\.target))
    switch request.defaultStrategy {
    case .ours, .theirs, .union, .max, .min:
      for target in writtenBySeveral(since: request.base, &sides, task)
      where !named.contains(target) {
        entries.append(
          MergeRequest.Entry(
            target: target, strategy: request.defaultStrategy, chosenParent: nil, value: nil))
      }
    case .lww, .manual, nil: break
    }
    var wanted: [Int: [MergeTarget]] = [:]
    for entry in entries {
      for side in sides.asked(by: entry.strategy, chosenParent: entry.chosenParent) {
        wanted[side, default: []].append(entry.target)
      }
    }
    read(wanted, &sides, task)
    decided[position] = entries.compactMap { entry in
      choose(
        entry.target, entry.strategy, chosenParent: entry.chosenParent, value: entry.value, sides
      ).map { MergeDecision(target: entry.target, value: $0) }
    }
  }

  /// Reads values at the parents, one state after the other: 64 of them may be far larger than all nodes.
  ///
  /// - Parameters:
  ///   - wanted: by parent, which members.
  ///   - sides: the parents; receives the values.
  ///   - task: their task.
  mutating func read(
    _ wanted: [Int: [MergeTarget]], _ sides: inout MergeSides, _ task: Int
  ) {
    for (side, targets) in wanted {
      let state = state(of: side, &sides, task)
      for target in targets { sides.values[side, default: [:]][target] = target.value(in: state) }
    }
  }

  /// The value that a strategy decides for; `nil` when it decides nothing.
  ///
  /// - Parameters:
  ///   - target: the member.
  ///   - strategy: the strategy.
  ///   - chosenParent: the parent that is chosen; the first one when `nil`.
  ///   - value: the value that a person decided for.
  ///   - sides: the parents; the values at those that the strategy asks have been read.
  /// - Returns: RFC 8785.
  mutating func choose(
    _ target: MergeTarget, _ strategy: MergeStrategy?, chosenParent: ObjectID?,
    value: [UInt8]?, _ sides: MergeSides
  ) -> [UInt8]? {
    let values = sides.asked(by: strategy, chosenParent: chosenParent).compactMap {
      sides.values[$0]?[target]
    }
    switch strategy {
    case .lww, nil: return nil
    case .manual:
      guard let value, target.key.allows(value, isOfTodo: target.todo != nil) else { return nil }
      return value
    case .ours, .theirs: return values.first
    case .union, .max, .min:
      guard !values.isEmpty else { return nil }
      if strategy == .union { return union(values) }
      return Extreme(target.key).of(values, greatest: strategy == .max)
    }
  }

  /// The distinct elements of arrays, sorted by their RFC 8785 bytes.
  private mutating func union(_ arrays: [[UInt8]]) -> [UInt8]? {
    var elements: Set<[UInt8]> = []
    for array in arrays {
      reader.read(array)
      guard reader.root.isArray else { return nil }
      var values = reader.root.elements
      while let value = values.next() { elements.insert(value.bytes) }
    }
    var output = [UInt8(ascii: "[")]
    for element in elements.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if output.count > 1 { output.append(UInt8(ascii: ",")) }
      output += element
    }
    output.append(UInt8(ascii: "]"))
    return output
  }

  /// The nodes of the task among a parent and its ancestors, from the anchor on if there is one.
  private mutating func nodes(of side: Int, _ sides: inout MergeSides, _ task: Int) -> [Int32] {
    if let known = sides.nodes[side] { return known }
    let position = sides.positions[side]
    let found = position < 0 ? [] : closure(of: position, sides.anchor, task)
    sides.nodes[side] = found
    return found
  }

  /// The nodes of the task among a node and its ancestors, from the anchor on if there is one.
  private mutating func closure(of position: Int, _ anchor: Anchor?, _ task: Int) -> [Int32] {
    let floor = cut.place(of: anchor?.position ?? firstNode(of: task))
    return ancestry.closure(of: [position], task: task, notBefore: floor)
  }

  /// Keeps the anchor only if all parents descend from it: then all that is before it is at each.
  private mutating func settleAnchor(_ sides: inout MergeSides, _ task: Int) {
    guard let anchor = sides.anchor else { return }
    for side in sides.parents.indices
    where nodes(of: side, &sides, task).first != Int32(anchor.position) {
      sides.dropAnchor()
      return
    }
  }

  /// The state at a parent: the replay of it and its ancestors.
  private mutating func state(
    of side: Int, _ sides: inout MergeSides, _ task: Int
  ) -> TaskState? {
    let nodes = nodes(of: side, &sides, task)
    return sides.anchor.map { state($0.state, after: nodes.dropFirst()) }
      ?? state(nil, after: nodes)
  }

  /// The members that more than one side wrote since the base.
  private mutating func writtenBySeveral(
    since base: ObjectID?, _ sides: inout MergeSides, _ task: Int
  ) -> Set<MergeTarget> {
    Set(written(since: base, &sides, task).filter { $0.value.count > 1 }.keys)
  }

  /// The members that were written since the base, and by which sides.
  mutating func written(
    since base: ObjectID?, _ sides: inout MergeSides, _ task: Int
  ) -> [MergeTarget: [Int]] {
    var counts: [Int32: Int] = [:]
    for side in sides.parents.indices {
      for node in nodes(of: side, &sides, task) { counts[node, default: 0] += 1 }
    }
    var start: Int?
    if let base {
      start = log.position(of: base).flatMap { cut.contains($0) ? $0 : nil }
      if start == nil { isOpen = true }
    } else {
      let common = counts.filter { $0.value == sides.parents.count }.keys
      start = common.max { cut.places[Int($0)] < cut.places[Int($1)] }.map(Int.init)
    }
    let before = start.map { closure(of: $0, sides.anchor, task) } ?? []
    if let anchor = sides.anchor, before.first != Int32(anchor.position) {
      // Something before the anchor counts as written since the base.
      sides.dropAnchor()
      return written(since: base, &sides, task)
    }
    sides.base = start
    let known = Set(before)
    var written: [MergeTarget: [Int]] = [:]
    for side in sides.parents.indices {
      var own: Set<MergeTarget> = []
      for node in nodes(of: side, &sides, task) where !known.contains(node) {
        targets(of: Int(node), into: &own)
      }
      for target in own { written[target, default: []].append(side) }
    }
    return written.filter { $0.key.todo != nil || !$0.key.key.isNoContent }
  }

  /// The members that a node writes, by its form.
  mutating func targets(of position: Int, into targets: inout Set<MergeTarget>) {
    guard let action = log.action(at: position), !log.isBroken(at: position) else { return }
    if let decisions = decided[position] {
      for decision in decisions { targets.insert(decision.target) }
      return
    }
    reader.read(position, of: log)
    let content = reader.content
    switch action {
    case .create, .update:
      var members = content.members
      while let member = members.next() {
        let name = member.name.content
        if action == .create, name.elementsEqual("todos") {
          targetsOfTodos(member.value, at: position, into: &targets)
        } else {
          targets.insert(MergeTarget(todo: nil, key: FieldKey(ofTask: name)))
        }
      }
    case .createTodo, .addTodo:
      let id = todoID()
      var members = content.members
      while let member = members.next() {
        if let key = FieldKey(ofAddedTodo: member.name.content) {
          targets.insert(MergeTarget(todo: id, key: key))
        }
      }
    case .completeTodo, .snooze:
      let id = todoID()
      let key: FieldKey = action == .snooze ? .deadline : .completed
      targets.insert(MergeTarget(todo: id, key: key))
      if let notes = content["notes"], !notes.contentPlace.isEmpty {
        targets.insert(MergeTarget(todo: id, key: .notes))
      }
    case .complete: targets.insert(MergeTarget(todo: nil, key: .completedAt))
    case .merge:
      guard !reader.isAutomatic else { return }
      var members = content.members
      while let member = members.next() {
        if let key = FieldKey(ofMerged: member.name.content) {
          targets.insert(MergeTarget(todo: nil, key: key))
        }
      }
    case .archive, .unarchive, .delete: break
    }
  }

  private func targetsOfTodos(
    _ todos: JSONValue, at position: Int, into targets: inout Set<MergeTarget>
  ) {
    var index = 0
    var elements = todos.elements
    while let element = elements.next() {
      let named = element["todoTaskId"]?.taskID
      let id = named ?? TaskID(ofTodo: index, in: log.id(at: position))
      index += 1
      var members = element.members
      while let member = members.next() {
        if let key = FieldKey(ofTodo: member.name.content) {
          targets.insert(MergeTarget(todo: id, key: key))
        }
      }
    }
  }
}

/// The parents of a MERGE, and what has been found out about them.
struct MergeSides {
  /// Their ids.
  let parents: [ObjectID]
  /// Their positions, -1 for one that is not in the set at hand.
  var positions: [Int] = []
  /// The nodes of the task at and above them.
  var nodes: [Int: [Int32]] = [:]
  /// The base, once it is found.
  var base: Int?
  /// The values at them that have been read.
  var values: [Int: [MergeTarget: [UInt8]]] = [:]
  /// A node that all of them descend from, and that descends from all of the task before it.
  var anchor: Anchor?

  init(parents: [ObjectID]) { self.parents = parents }

  /// Starts over without an anchor.
  mutating func dropAnchor() {
    anchor = nil
    nodes.removeAll()
  }

  /// The parents whose values a strategy asks for, in their order.
  func asked(by strategy: MergeStrategy?, chosenParent: ObjectID?) -> [Int] {
    switch strategy {
    case .lww, .manual, nil: return []
    case .ours, .theirs:
      guard let own = chosenParent.map({ parents.firstIndex(of: $0) }) ?? 0, own < parents.count
      else { return [] }
      if strategy == .ours { return [own] }
      return parents.count == 2 ? [1 - own] : []
    case .union, .max, .min: return Array(parents.indices)
    }
  }
}

/// The greatest or least of values of one type: numbers, truths, texts by their RFC 8785 bytes, or, where the
/// member's values are times, instants.
private struct Extreme {
  private let isTime: Bool

  init(_ key: FieldKey) { isTime = key.isTime }

  func of(_ values: [[UInt8]], greatest: Bool) -> [UInt8]? {
    guard let kind = Kind(values[0]), values.allSatisfy({ Kind($0) == kind }) else { return nil }
    let precedes: ([UInt8], [UInt8]) -> Bool = { left, right in
      switch kind {
      case .number: FieldText.number(left) < FieldText.number(right)
      // By their first letters: false comes before true.
      case .truth: left[0] < right[0]
      case .text: isTime ? timePrecedes(left, right) : left.lexicographicallyPrecedes(right)
      }
    }
    return greatest ? values.max(by: precedes) : values.min(by: precedes)
  }

  private func timePrecedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard let one = FieldText.time(left), let other = FieldText.time(right), one != other else {
      return left.lexicographicallyPrecedes(right)
    }
    return one < other
  }

  private enum Kind {
    case number, truth, text

    init?(_ value: [UInt8]) {
      switch value[0] {
      case UInt8(ascii: "\""): self = .text
      case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .truth
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "n"): return nil
      default: self = .number
      }
    }
  }
}
