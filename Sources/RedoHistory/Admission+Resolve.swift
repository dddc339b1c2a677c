// What is wrong with the nodes of a set: parents that are missing, clocks that do not fit
// (protocol, sections 1.3 and 2).

package import RedoObject

extension Admission {
  /// Finds every parent and judges the clocks.
  ///
  /// Parents that are in the store but outside of its history join the set, with their own parents, so that the
  /// history stays closed.
  ///
  /// - Parameter lookUp: what is known of a node outside of the set; `nil` if it does not exist.
  /// - Returns: every broken rule, in the order of the nodes, warnings included.
  /// - Throws: what `lookUp` throws.
  package mutating func resolve<Failure: Error>(
    _ lookUp: (ObjectID) throws(Failure) -> KnownNode?
  ) throws(Failure) -> [Problem] {
    var problems: [Problem] = []
    var outside: [ObjectID: Lamport?] = [:]
    var position = 0
    while position < ids.count {
      var greatest: Lamport?
      var isComplete = true
      for (place, parent) in Array(parents(at: position)).enumerated() {
        let lamport: Lamport?
        if let known = index[parent] {
          lamport = lamports[Int(known)]
        } else if let remembered = outside[parent] {
          lamport = remembered
        } else {
          var found = try lookUp(parent)
          // Whatever was taken out of the set is refused, though it may still be somewhere.
          if found?.isInHistory != true, excluded.contains(parent) { found = nil }
          lamport = found?.lamport
          if let found, !found.isInHistory {
            _ = add(parent, found, record: -1)
          } else {
            outside.updateValue(lamport, forKey: parent)
          }
        }
        guard let lamport else {
          isComplete = false
          let rule: Rule = excluded.contains(parent) ? .parentRefused : .parentMissing
          problems.append(lostParent(position, place, rule))
          continue
        }
        greatest = max(greatest ?? lamport, lamport)
      }
      if isComplete { judgeClock(position, greatest, &problems) }
      position += 1
    }
    judgeCreates(&problems)
    return problems
  }

  /// The nodes of the set that cannot be taken when others are not, because they descend from them.
  ///
  /// - Parameter others: nodes that are refused.
  /// - Returns: one `parent-refused` for each descendant that is not one of them itself, parents
  ///   before children.
  /// - Complexity: O(*n*) in the nodes and parents of the set.
  package func descendants(of others: Set<ObjectID>) -> [Problem] {
    var gone = others
    var problems: [Problem] = []
    for position in topologicalOrder().map(Int.init) where !others.contains(ids[position]) {
      guard let place = parents(at: position).firstIndex(where: { gone.contains($0) }) else {
        continue
      }
      gone.insert(ids[position])
      problems.append(
        lostParent(position, place - parents(at: position).startIndex, .parentRefused))
    }
    return problems
  }

  /// The nodes of the set that are neither some nodes nor ancestors of one of them.
  ///
  /// - Parameter wanted: nodes, of the set or not.
  /// - Returns: the others; none of those that are left descends from one of them.
  package func others(than wanted: Set<ObjectID>) -> Set<ObjectID> {
    var wanted = wanted
    var others: Set<ObjectID> = []
    for position in topologicalOrder().reversed().map(Int.init) {
      if wanted.contains(ids[position]) {
        wanted.formUnion(parents(at: position))
      } else {
        others.insert(ids[position])
      }
    }
    return others
  }

  /// The CREATE nodes of the set, each as the problem that it is if its task has one already; kept
  /// under `genesis` only.
  package var createProblems: [Problem] {
    creates.keys.sorted().map { position in
      problem(Int(position), Finding(.genesisCreateDuplicate, at: .pointer("/action")))
    }
  }

  /// The task of the node that a problem concerns.
  package func task(of problem: Problem) -> TaskID? {
    position(of: problem.id).flatMap { taskIDs[task(at: $0)] }
  }

  private func lostParent(_ position: Int, _ place: Int, _ rule: Rule) -> Problem {
    let own = parents(at: position)
    let parent = own[own.startIndex + place]
    return problem(position, Finding(rule, at: .pointer("/parents/\(place)"), detail: parent.text))
  }

  private func problem(_ position: Int, _ finding: Finding) -> Problem {
    let record = records[position]
    return Problem(id: ids[position], record: record < 0 ? nil : Int(record), finding: finding)
  }

  private func judgeClock(
    _ position: Int, _ greatest: Lamport?, _ problems: inout [Problem]
  ) {
    let own = lamports[position].value
    let base = greatest?.value ?? 0
    func report(_ rule: Rule, at pointer: String = "/timestamp/lamport") {
      problems.append(
        problem(
          position,
          Finding(
            rule, at: .pointer(pointer),
            detail: "\(own), the greatest of the parents is \(base)")))
    }
    // One finding for one clock: a lamport that does not increase, or jumps, is not also reported as off by more than one.
    let isCreate = creates[Int32(position)] != nil
    if isCreate, greatest != nil {
      report(.genesisCreate, at: "/parents")
    }
    if own <= base {
      report(.lamportNotIncreasing)
    } else if profile.checksParents, own - base > Lamport.jumpLimit {
      report(.lamportJump)
    } else if isCreate, greatest == nil, own != 1 {
      report(.genesisCreate)
    } else if profile.isGenesis, !isCreate, own != base + 1 {
      report(.genesisLamport)
    }
  }

  /// If a task has several CREATEs, the first in total order counts, in whatever order they came.
  private func judgeCreates(_ problems: inout [Problem]) {
    var seen: Set<Int> = []
    for (position, _) in creates.sorted(by: { $0.value < $1.value })
    where !seen.insert(task(at: Int(position))).inserted {
      problems.append(
        problem(Int(position), Finding(.genesisCreateDuplicate, at: .pointer("/action"))))
    }
  }
}
