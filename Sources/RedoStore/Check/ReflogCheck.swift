// The reflog from its first entry to the refs: every record, and the chain through all of them.

internal import RedoCrypto
internal import RedoObject

/// The check of `reflog`.
package enum ReflogCheck {
  /// Reads the reflog to its end, or to the first thing that is wrong: what comes behind that has
  /// nothing left to chain to.
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
      // Without the refs nobody knows how much counts: whole records do.
      let end = refs.header?.reflogBytes ?? size
      var reader = try LogReader.open(
        in: store, name, firstLine: Reflog.firstLine, end: end)
      var chain = Digest.zero
      var number = 0
      while !reader.isAtEnd {
        let start = reader.position
        guard let count = Frame.payloadCount(try reader.take(Frame.byteCount)) else {
          throw .corrupt(name, at: start, "a record has no valid frame line")
        }
        let payload = try reader.take(count)
        let entry = try ReflogEntry(
          parsing: payload, in: 0..<count, base: start + Frame.byteCount, after: chain, file: name)
        number += 1
        guard entry.number == number else {
          throw .corrupt(name, at: start, "a record has the number of another")
        }
        chain = entry.chain
      }
      if let header = refs.header, chain != header.chain || number != header.entry {
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
