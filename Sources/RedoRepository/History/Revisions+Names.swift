// What a plain name resolves to: a ref by its whole name, a ref by a short form, a prefix of a task's ID, a prefix of
// an object's ID. More than one of these is ambiguous, never a guess.

internal import RedoCrypto
package import RedoObject
package import RedoStore

extension Revisions {
  /// Prefixes that a short name may omit, as in git's list of refs/tags/, refs/heads/, refs/remotes/.
  private static let shortPrefixes = ["tags/", "heads/", "remotes/"]
  /// How many candidates of an ambiguous name are looked for.
  private static let candidateLimit = RefCandidates.limit + 1

  /// The IDs that a name resolves to.
  ///
  /// - Throws: `RevisionFault` when it is ambiguous, or nothing has the name.
  package func named(_ text: String) throws -> [ObjectID] {
    let digits = text.hasPrefix("sha256:") ? String(text.dropFirst(7)) : text
    let names = digits == text ? try refNamesIfReadable(text) : []
    let object = try ObjectName.resolve(Array(text.utf8)[...], in: opened.objects)
    switch (names.count, object) {
    case (0, .id(let id)): return [id]
    case (0, .ambiguous(let ids)): throw ambiguous(text, [], ids)
    case (0, .missing): throw RevisionFault.noObject(text)
    case (0, .malformed):
      throw RefName(text) == nil ? RevisionFault.malformedName(text) : RevisionFault.noRef(text)
    case (1, .missing), (1, .malformed): return try ids(of: names[0])
    case (1, .id(let id)):
      let ids = try ids(of: names[0])
      if ids == [id] { return ids }
      throw ambiguous(text, names, [id])
    case (_, .ambiguous(let ids)): throw ambiguous(text, names, ids)
    case (_, .id(let id)): throw ambiguous(text, names, [id])
    case (_, .missing), (_, .malformed): throw ambiguous(text, names, [])
    }
  }

  /// The name of the ref that a text means, whether or not the ref exists at present.
  ///
  /// - Throws: `RevisionFault` when it matches several refs, or cannot match any.
  package func refName(_ text: String) throws -> RefName {
    let names = try refNames(text)
    if names.count > 1 { throw ambiguous(text, names, []) }
    if let name = names.first ?? RefName(text) { return name }
    // A task whose heads are gone is still known from its past.
    if let task = TaskID(Array(text.utf8).span) { return .heads(of: task) }
    throw RevisionFault.noRef(text)
  }

  /// The refs that a text may mean.
  ///
  /// Damaged refs do not prevent looking up a prefix of an object's ID.
  private func refNamesIfReadable(_ text: String) throws -> [RefName] {
    do {
      return try refNames(text)
    } catch {
      guard text.utf8.allSatisfy({ Hex.value($0) < 16 }) else { throw error }
      return []
    }
  }

  /// The refs that a text may mean: the one with this whole name, or those that it is short for.
  private func refNames(_ text: String) throws -> [RefName] {
    if let name = RefName(text), try !ids(of: name).isEmpty { return [name] }
    var names: [RefName] = []
    for prefix in Self.shortPrefixes {
      if let name = RefName(prefix + text), try !ids(of: name).isEmpty { names.append(name) }
    }
    for name in try tasks(text) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The heads of the tasks whose IDs begin with a text.
  private func tasks(_ text: String) throws -> [RefName] {
    let lower = text.lowercased()
    guard Self.beginsTask(Array(lower.utf8)) else { return [] }
    var names: [RefName] = []
    try forEachRef(prefix: "heads/" + lower) { ref in
      if ref.name != names.last { names.append(ref.name) }
      return names.count < Self.candidateLimit
    }
    return names
  }

  /// Whether a text is a prefix of a UUID, with at least as many digits as a prefix of an ID.
  private static func beginsTask(_ text: [UInt8]) -> Bool {
    guard text.count >= ObjectName.shortest, text.count <= TaskID.textCount else { return false }
    return text.indices.allSatisfy { index in
      switch index {
      case 8, 13, 18, 23: text[index] == UInt8(ascii: "-")
      default: Hex.value(text[index]) < 16
      }
    }
  }

  private func ambiguous(
    _ text: String, _ names: [RefName], _ objects: [ObjectID]
  ) -> RevisionFault {
    .ambiguous(
      text, refs: RefCandidates(names), objects: ObjectCandidates(objects, opened.objects))
  }
}
