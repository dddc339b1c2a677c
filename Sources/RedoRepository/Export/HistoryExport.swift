// The history in a form that other programs and an import can read: one stream of bytes, a file of them, or a directory
// with a file for each node.

package import RedoObject
internal import RedoStore

/// Writes histories for other programs.
package enum HistoryExport {
  /// Where an export goes.
  package enum Place: Sendable {
    /// A stream of bytes in some form.
    case stream(ExportContent)
    /// A file, or one with the default name in a directory, which is the working directory if the path is empty.
    case file(ExportContent, path: String)
    /// A directory that gets a file for each node.
    case directory(path: String)
  }

  /// What is exported, and its destination.
  package struct Request: Sendable {
    /// The kind of objects.
    package var kind = ObjectKind.node
    /// Revisions, of receipts ids: these and all their ancestors; the whole history when there are none.
    package var revisions: [String]
    /// Whether receipts that tell a precise place are among them.
    package var includesPrecise = false
    /// Whether receipts that somebody else has shared are exported.
    package var includesReceived = false
    /// The destination.
    package var place: Place
    /// Whether the bytes are those of a gzip file; has no effect on a directory.
    package var isCompressed = false
    /// Whether existing files are replaced.
    package var isForced = false

    /// Creates a request for nodes and a destination.
    package init(_ revisions: [String] = [], to place: Place) {
      self.revisions = revisions
      self.place = place
    }
  }

  /// The files of a directory.
  package struct Files: Equatable, Sendable {
    /// The directory as it was given.
    package let path: String
    /// How many files are new.
    package let new: Int
    /// How many existed with the bytes of their node.
    package let same: Int
    /// How many had other bytes and were replaced.
    package let replaced: Int
    /// How many have other bytes and were kept.
    package let different: Int
  }

  /// The result of an export.
  package enum Outcome {
    /// A stream, which may not have come to its end yet.
    case stream(ExportRemarks)
    /// A file with this many nodes.
    case file(path: String, count: Int, ExportRemarks)
    /// Many files.
    case directory(Files)
  }

  /// Exports nodes.
  ///
  /// - Parameters:
  ///   - request: what is exported.
  ///   - opened: the store.
  ///   - effects: the time, and where files are.
  ///   - write: receives the bytes of a stream.
  ///   - tell: receives each file of a directory that has other bytes than its node and was kept.
  /// - Returns: what was exported.
  /// - Throws: `ExportFault`, `FileFault`; an error when a name matches nothing; what the closures throw.
  package static func run(
    _ request: Request, _ opened: Repository, _ effects: Effects,
    write: ([UInt8]) throws -> Void, tell: (String) throws -> Void
  ) throws -> Outcome {
    let syncs = try opened.refsOptions().sync != .none
    // Everything is read, and so verified, once before the first byte is written.
    var remarks = ExportRemarks()
    let ids = try ids(request, opened, &remarks, effects)
    switch request.place {
    case .directory(let path):
      let target = ExportTarget(path: path, isForced: request.isForced, syncs: syncs)
      return .directory(try target.writeFiles(ids, opened.objects, effects, tell))
    case .file(let content, let path):
      let target = ExportTarget(path: path, isForced: request.isForced, syncs: syncs)
      let file = try ExportFault.storing {
        try target.writeFile(
          ids, opened.objects, content, isCompressed: request.isCompressed, &remarks, effects)
      }
      return .file(path: file, count: ids.count, remarks)
    case .stream(let content):
      try ExportFault.storing {
        try content.write(
          ids, opened.objects, isCompressed: request.isCompressed, &remarks, effects, write)
      }
      return .stream(remarks)
    }
  }

  /// The objects, oldest first.
  private static func ids(
    _ request: Request, _ opened: Repository, _ remarks: inout ExportRemarks, _ effects: Effects
  ) throws -> [ObjectID] {
    let progress = Progress(.readingNodes, effects)
    guard ObjectKind.grouped.contains(request.kind) else {
      let revisions = Revisions(opened, now: effects.clock())
      var tips: [ObjectID] = []
      for name in request.revisions { tips += try revisions.all(name) }
      if request.revisions.isEmpty {
        tips = try revisions.heads()
        remarks.chains = try opened.heads(of: .receipt).groups
        remarks.schemas = try opened.heads(of: .schema).groups
      }
      return try ExportFault.storing {
        try HistoryWalk.order(from: tips, opened.objects, progress: progress)
      }
    }
    var tips = try request.revisions.map { try ObjectName.one($0, in: opened.objects) }
    if request.revisions.isEmpty { tips = try opened.heads(of: request.kind).ids }
    let isOfReceipts = request.kind == .receipt
    let walk = try ExportFault.storing {
      try GroupWalk(
        of: request.kind, from: tips, opened.objects, includesPrecise: request.includesPrecise,
        without: request.includesReceived || !isOfReceipts ? [] : try opened.sharedByOthers(),
        progress: progress)
    }
    remarks.precise = walk.leftOut
    remarks.shared = walk.leftShared
    return walk.ids
  }
}
