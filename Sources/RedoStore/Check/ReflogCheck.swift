// The reflog from its first entry to the refs: every record, and the chain through all of them.

internal import RedoCrypto
internal import RedoObject

/// The check of `reflog`.
package enum ReflogCheck {
  /// Reads the reflog to its end, or to the first thing that is wrong: what follows has nothing left to
  /// chain to.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - refs: what the refs say, to which the log must lead.
  /// - Returns: what is wrong; nothing when the file is missing, which the check of names tells.
  package static func findings(
    in store: borrowing Directory, _ refs: RefsCheck
  ) -> [StoreFinding] {
    let name = Refs.Name.reflog
    do throws(RefsError) {
      guard let size = try Self.size(of: name, in: store) else { return [] }
      // Without the refs it is not known how much counts: whole records do.
      let end = refs.header?.reflogBytes ?? size
      var reader = try LogReader.open(
        in: store, name, firstLine: Reflog.firstLine, end: end)
      let read = try Reflog.read(&reader, name) { _ in true }
      if let header = refs.header, read.chain != header.chain || read.number != header.entry {
        throw .corrupt(name, at: reader.position, "the log does not lead to the refs")
      }
      return []
    } catch {
      return [StoreFinding(error, .reflogCorrupt, path: name)]
    }
  }

  /// The size of a log; `nil` when it is missing or no file.
  static func size(
    of name: String, in store: borrowing Directory
  ) throws(RefsError) -> Int? {
    try RefsError.wrapping { () throws(SystemError) in
      guard let status = try store.status(name), status.kind == .regular else { return nil }
      return status.size
    }
  }
}
