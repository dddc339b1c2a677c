// What the trust file keeps out of a history: objects by signers whom it does not let sign, and whatever follows them, for a history
// has no object without its parents. Pure.

package import RedoObject

/// An object that is kept out, or is taken with a warning.
package struct UntrustedObject: Equatable, Sendable {
  /// The object.
  package let id: ObjectID
  /// What the trust file says about it, or about the one that it follows.
  package let answer: TrustSuspects.Answer
  /// The object that it follows, if nothing is held against itself.
  package let ancestor: ObjectID?

  /// An object of these parts.
  package init(_ id: ObjectID, _ answer: TrustSuspects.Answer, following ancestor: ObjectID? = nil)
  {
    self.id = id
    self.answer = answer
    self.ancestor = ancestor
  }
}

extension Admission {
  /// The nodes of the set that cannot be taken where the trust file keeps some of them out.
  ///
  /// - Parameter answers: what the file says about nodes, of the set or not.
  /// - Returns: those of the set in its order, then what follows them, parents before children.
  /// - Complexity: O(*n*) in the nodes and parents of the set, if there are any.
  package func untrusted(_ answers: [ObjectID: TrustSuspects.Answer]) -> [UntrustedObject] {
    var causes: [ObjectID: UntrustedObject] = [:]
    var rows: [UntrustedObject] = []
    guard !answers.isEmpty else { return rows }
    for id in ids {
      guard let answer = answers[id] else { continue }
      rows.append(UntrustedObject(id, answer))
      causes[id] = rows.last
    }
    guard !rows.isEmpty else { return rows }
    for problem in descendants(of: Set(causes.keys)) {
      guard let parent = ObjectID(text: problem.finding.detail), let cause = causes[parent] else {
        continue
      }
      rows.append(
        UntrustedObject(problem.id, cause.answer, following: cause.ancestor ?? cause.id))
      causes[problem.id] = rows.last
    }
    return rows
  }

  /// Some nodes, as far as they are in the set, and what they reach in it: what is in the history already has no parent in it.
  package func reached(from anchors: [ObjectID]) -> Set<ObjectID> {
    ancestors(of: anchors) { parents(of: $0) }
  }

  /// The parents of a node of the set; `nil` when it is not in the set.
  package func parents(of id: ObjectID) -> [ObjectID]? {
    position(of: id).map { Array(parents(at: $0)) }
  }
}

extension GroupAdmission {
  /// The objects of the set that cannot be taken where the trust file keeps some of them out.
  ///
  /// - Parameter answers: what the file says about objects, of the set or not.
  /// - Returns: those of the set in its order, then what follows them.
  package func untrusted(_ answers: [ObjectID: TrustSuspects.Answer]) -> [UntrustedObject] {
    guard !answers.isEmpty else { return [] }
    var rows = ids.compactMap { id in answers[id].map { UntrustedObject(id, $0) } }
    guard !rows.isEmpty else { return rows }
    var children: [ObjectID: [ObjectID]] = [:]
    for id in ids {
      for parent in parents(of: id) ?? [] { children[parent, default: []].append(id) }
    }
    var seen = Set(rows.map(\.id))
    var next = 0
    while next < rows.count {
      let cause = rows[next]
      next += 1
      for child in children[cause.id] ?? [] where seen.insert(child).inserted {
        rows.append(UntrustedObject(child, cause.answer, following: cause.ancestor ?? cause.id))
      }
    }
    return rows
  }

  /// Some objects, as far as they are in the set, and what they reach in it.
  package func reached(from anchors: [ObjectID]) -> Set<ObjectID> {
    ancestors(of: anchors) { parents(of: $0) }
  }

  /// The objects that an object of the set follows; `nil` when it is not in the set.
  package func parents(of id: ObjectID) -> [ObjectID]? { links[id]?.parents }
}

/// Some objects of a set, and what they follow in it.
private func ancestors(
  of anchors: [ObjectID], _ parents: (ObjectID) -> [ObjectID]?
) -> Set<ObjectID> {
  var pending = anchors.filter { parents($0) != nil }
  var seen = Set(pending)
  while let id = pending.popLast() {
    for parent in parents(id) ?? [] where seen.insert(parent).inserted { pending.append(parent) }
  }
  return seen
}

/// How many objects the trust file speaks against, and why.
package struct UntrustedCount: Equatable, Sendable {
  /// By the letters U, X and R those that have it themselves.
  package private(set) var letters: [Unicode.Scalar: Int] = [:]
  /// How many follow one of them.
  package private(set) var following = 0
  /// The keys that are not in the file, in the order in which they came, each once.
  package private(set) var unknown: [Signer] = []

  /// The letters in the order in which they are said.
  package static let order: [Unicode.Scalar] = ["U", "X", "R"]

  /// Counts objects.
  package init(_ rows: some Sequence<UntrustedObject>) {
    var seen: Set<Signer> = []
    for row in rows {
      guard row.ancestor == nil else {
        following += 1
        continue
      }
      letters[row.answer.standing.letter, default: 0] += 1
      if row.answer.standing.reason == .untrusted, seen.insert(row.answer.signer).inserted {
        unknown.append(row.answer.signer)
      }
    }
  }

  /// How many there are in all.
  package var total: Int { letters.values.reduce(following, +) }
}
