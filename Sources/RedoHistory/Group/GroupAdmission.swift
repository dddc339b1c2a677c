// Taking receipts and schemas into a history, group by group (receipts, section 1.7; schemas, section 1.4): are the parents there,
// are they of the same chain or name, what else may not follow them, and which heads does each group have afterwards? Pure: a
// closure looks up objects outside of the set.

package import RedoObject

/// What a group knows about one of its objects.
package struct GroupLink: Sendable {
  /// What the rules about parents look at.
  enum Content: Sendable {
    /// The author of a receipt.
    case receipt(did: String)
    /// A schema.
    case schema(Schema)
    /// An object of another kind, which nothing may follow.
    case other
    /// An object that is elsewhere, which anything may follow.
    case unknown
  }

  /// The objects that it follows.
  package let parents: [ObjectID]
  /// Its group; `nil` for an object of another kind.
  package let group: HistoryPlace.Group?
  /// Whether a head of the history reaches it, rather than its merely being in the store.
  package let isInHistory: Bool
  let content: Content

  /// What is known of an object.
  package init(_ object: GroupedObject, isInHistory: Bool) {
    let place = object.place
    parents = place.parents
    group = place.group
    self.isInHistory = isInHistory
    content =
      switch object {
      case .receipt(let receipt): .receipt(did: receipt.did.text)
      case .schema(let schema): .schema(schema)
      }
  }

  private init(_ content: Content) {
    parents = []
    group = nil
    isInHistory = true
    self.content = content
  }

  /// An object of another kind than the history's.
  package static let other = GroupLink(.other)
  /// An object that is elsewhere.
  package static let unknown = GroupLink(.unknown)

  /// The author of a receipt.
  package var did: String? { if case .receipt(let did) = content { did } else { nil } }

  /// Where a rule about a parent is broken.
  func pointer(_ place: Int) -> Finding.Place {
    switch content {
    case .receipt, .other, .unknown: .pointer("/parentCID")
    case .schema: .pointer("/parents/\(place)")
    }
  }
}

/// How the heads of one group change.
package struct GroupChange: Sendable {
  /// The group.
  package let group: HistoryPlace.Group
  /// The heads before the change, in order.
  package let before: [ObjectID]
  /// The heads after it, in order.
  package let after: [ObjectID]
}

/// Objects of one kind that are to enter a history together, in whatever order they come.
package struct GroupAdmission: Sendable {
  /// A broken rule of one of the objects.
  package struct Problem: Sendable {
    /// The object.
    package let id: ObjectID
    /// What is wrong.
    package let finding: Finding

    init(_ id: ObjectID, _ finding: Finding) {
      self.id = id
      self.finding = finding
    }

    /// Whether the object is refused under a profile.
    package func isError(_ profile: Profile) -> Bool {
      profile.severity(of: finding) == .error
    }
  }

  /// The objects, in the order in which they came.
  package private(set) var ids: [ObjectID] = []
  private(set) var links: [ObjectID: GroupLink] = [:]

  /// A set without objects.
  package init() {}

  /// Adds an object; one that is there already is skipped.
  ///
  /// - Returns: whether it was not there.
  @discardableResult
  package mutating func add(_ object: GroupedObject) -> Bool {
    add(object.id, GroupLink(object, isInHistory: false))
  }

  private mutating func add(_ id: ObjectID, _ link: GroupLink) -> Bool {
    guard links.updateValue(link, forKey: id) == nil else { return false }
    ids.append(id)
    return true
  }

  /// The group of an object of the set.
  package func group(of id: ObjectID) -> HistoryPlace.Group? { links[id]?.group }

  /// Finds every parent and judges whether it is one.
  ///
  /// Parents that are in the store but outside of its history join the set, with their own parents, so that the history stays
  /// closed.
  ///
  /// - Parameter lookUp: what is known of an object outside of the set; `nil` if it does not exist.
  /// - Returns: every broken rule, in the order of the objects, warnings included; an object whose parent is refused for its
  ///   own parents is named too.
  /// - Throws: what `lookUp` throws.
  /// - Complexity: O(*n*) in the objects and those that join them.
  package mutating func resolve<Failure: Error>(
    _ lookUp: (ObjectID) throws(Failure) -> GroupLink?
  ) throws(Failure) -> [Problem] {
    var problems: [Problem] = []
    var children: [ObjectID: [(id: ObjectID, place: Int)]] = [:]
    var lost: [ObjectID] = []
    var outside: [ObjectID: GroupLink] = [:]
    var next = 0
    while next < ids.count {
      let id = ids[next]
      next += 1
      guard let link = links[id] else { continue }
      var parents: [GroupLink] = []
      for (place, parent) in link.parents.enumerated() {
        let found: GroupLink?
        if let known = links[parent] ?? outside[parent] {
          found = known
        } else {
          found = try lookUp(parent)
          outside[parent] = found
        }
        guard let found, link.mayFollow(found) else {
          problems.append(
            Problem(id, Finding(.parentMissing, at: link.pointer(place), detail: parent.text)))
          continue
        }
        if !found.isInHistory { _ = add(parent, found) }
        children[parent, default: []].append((id, place))
        parents.append(found)
      }
      var isLost = parents.count < link.parents.count
      // Beside some of its parents, what it has from the others would look forged.
      for finding in isLost ? [] : link.findings(after: parents) {
        problems.append(Problem(id, finding))
        isLost = isLost || Profile.v1.severity(of: finding) == .error
      }
      if isLost { lost.append(id) }
    }
    return problems + descendants(of: lost, children)
  }

  private func descendants(
    of lost: [ObjectID], _ children: [ObjectID: [(id: ObjectID, place: Int)]]
  ) -> [Problem] {
    var problems: [Problem] = []
    var gone = Set(lost)
    var pending = lost
    while let parent = pending.popLast() {
      for child in children[parent] ?? [] where gone.insert(child.id).inserted {
        pending.append(child.id)
        guard let pointer = links[child.id]?.pointer(child.place) else { continue }
        problems.append(
          Problem(child.id, Finding(.parentRefused, at: pointer, detail: parent.text)))
      }
    }
    return problems
  }

  /// The groups whose heads change: a head is an object without one that follows it.
  ///
  /// Nothing that is in the history follows an object of the set: it would be there with its parents.
  ///
  /// - Parameter heads: the present heads of a group.
  /// - Returns: the changes, by group.
  /// - Throws: what the closure throws.
  package func changes<Failure: Error>(
    heads: (HistoryPlace.Group) throws(Failure) -> [ObjectID]
  ) throws(Failure) -> [GroupChange] {
    var groups: [HistoryPlace.Group: [ObjectID]] = [:]
    for id in ids { if let group = links[id]?.group { groups[group, default: []].append(id) } }
    var changes: [GroupChange] = []
    for (group, members) in groups {
      let before = try heads(group)
      var after = Set(before).union(members)
      for id in members { for parent in links[id]?.parents ?? [] { after.remove(parent) } }
      let sorted = after.sorted()
      if sorted != before.sorted() {
        changes.append(GroupChange(group: group, before: before.sorted(), after: sorted))
      }
    }
    return changes.sorted { $0.group < $1.group }
  }

  /// The same set without some of its objects.
  package func excluding(_ others: Set<ObjectID>) -> GroupAdmission {
    var kept = GroupAdmission()
    for id in ids where !others.contains(id) { if let link = links[id] { _ = kept.add(id, link) } }
    return kept
  }
}

extension GroupLink {
  /// Whether anything of the kind of an object may be looked at as its parent.
  fileprivate func mayFollow(_ parent: GroupLink) -> Bool {
    switch (content, parent.content) {
    case (.receipt, .receipt), (.schema, _), (_, .unknown): true
    case (.receipt, _), (.other, _), (.unknown, _): false
    }
  }

  /// Why it is refused after its parents under a profile; `nil` when it is not.
  package func refusal(after parents: [GroupLink], _ profile: Profile) -> Finding? {
    findings(after: parents).first { profile.severity(of: $0) == .error }
  }

  /// What is wrong with it after its parents, which are all there.
  ///
  /// - Parameters:
  ///   - parents: all of them.
  ///   - received: when it was first received, in milliseconds since 1970, if that is to be judged.
  /// - Returns: the broken rules, warnings included.
  package func findings(after parents: [GroupLink], received: Int64? = nil) -> [Finding] {
    switch content {
    case .receipt(let did):
      guard let parent = parents.first, case .receipt(let other) = parent.content else { return [] }
      var findings: [Finding] = []
      if parent.group != group, case .chain(let root) = parent.group {
        findings.append(Finding(.receiptRootMismatch, at: .pointer("/rootCID"), detail: root.text))
      }
      if other != did {
        findings.append(Finding(.receiptAuthorChange, at: .pointer("/did"), detail: other))
      }
      return findings
    case .schema(let schema):
      // What is elsewhere may have whatever it has.
      guard !parents.contains(where: { if case .unknown = $0.content { true } else { false } })
      else { return [] }
      return schema.findings(
        parents: parents.map { if case .schema(let parent) = $0.content { parent } else { nil } },
        received: received)
    case .other, .unknown: return []
    }
  }
}
