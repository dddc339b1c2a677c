// Everything that can be learned about an archive from its file and the files beside it alone.

package import RedoObject
package import RedoStore

/// Examines archives.
package enum ArchiveExam {
  /// What is examined, and how.
  package struct Request {
    /// The file.
    package var path: String
    /// What opens it, where it is encrypted.
    package var keys: SealKeys
    /// The rules for nodes.
    package var profile: Profile
    /// Where the nodes that it needs from elsewhere should be; `nil` when that is not checked.
    package var store: ObjectStore?

    /// Creates a request for an archive and rules.
    package init(_ path: String, _ keys: SealKeys, _ profile: Profile, needsIn store: ObjectStore?)
    {
      self.path = path
      self.keys = keys
      self.profile = profile
      self.store = store
    }
  }

  /// Something to report about an archive.
  package enum Note {
    /// A node that is not simply good.
    case node(VerdictRow)
    /// What is wrong with the files beside the archive.
    case beside(ManifestFinding)
    /// The archive needs a node that the store does not have.
    case missing(ObjectID)
  }

  /// Examines an archive.
  ///
  /// - Parameters:
  ///   - request: what is examined.
  ///   - effects: where files are, and whose trust file is asked.
  ///   - tell: receives each report as it is found.
  /// - Returns: whether no node breaks a rule that is an error under the profile, and all else is well.
  /// - Throws: `ArchiveExamFault` when the archive does not match its own description; an error when it is damaged or
  ///   cannot be read; what `tell` throws.
  package static func run(
    _ request: Request, _ effects: Effects, _ tell: (Note) throws -> Void
  ) throws -> Bool {
    let path = request.path
    let file = try ArchiveFile(path, request.keys, effects)
    try file.check()
    var isSound = true
    let directory = file.reader.directory
    let (heads, ids) = try examine(file, request, effects) { row throws in
      if row.finding != nil { isSound = false }
      try tell(.node(row))
    }
    var findings = try ManifestCheck.findings(
      path, directory, isSealed: file.row.isSealed, heads: heads, ids: ids, effects)
    if let finding = try ArchiveDocuments.finding(path, directory, effects) {
      findings.append(finding)
    }
    for finding in findings {
      isSound = false
      try tell(.beside(finding))
    }
    guard let store = request.store else { return isSound }
    let missing = try ArchiveNeeds.missing(directory.prerequisites, in: store)
    for id in missing { try tell(.missing(id)) }
    return isSound && missing.isEmpty
  }

  /// Judges the objects of an archive, and what it says of them.
  ///
  /// - Returns: those that nothing else of it follows, ascending, and all in their order.
  private static func examine(
    _ file: borrowing ArchiveFile, _ request: Request, _ effects: Effects,
    _ tell: (VerdictRow) throws -> Void
  ) throws -> (heads: [ObjectID], ids: [ObjectID]) {
    let directory = file.reader.directory
    guard ObjectKind.grouped.contains(file.kind) else {
      var judge = ArchiveJudge(request.profile, request.path)
      try file.forEachFrame(effects) { nodes, fileBytes in
        for row in try judge.judge(nodes, fileBytes: fileBytes) { try tell(row) }
      }
      let (heads, ids) = (judge.heads.sorted, judge.ids)
      try judge.finish(directory)
      return (heads, ids)
    }
    var judge = ArchiveGroupJudge(of: file.kind, request.profile, request.path)
    try file.forEachFrame(effects) { objects, _ in judge.note(objects) }
    try file.forEachFrame(effects) { objects, fileBytes in
      try judge.judge(objects, fileBytes: fileBytes)
    }
    let (heads, ids) = (judge.heads.sorted, judge.ids)
    for row in try judge.finish(directory) { try tell(row) }
    return (heads, ids)
  }
}
