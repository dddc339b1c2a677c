// What has come to the local rows since somebody read them: the file only grows, until it is compacted or rows are wiped.

internal import RedoCrypto
package import RedoObject

extension LocalRows {
  /// How far somebody has read.
  package struct Mark: Equatable, Sendable {
    /// The end of the last whole record; 0 when there was no file.
    package let bytes: Int
    /// The hash at that end, which tells one file from another; empty without a record.
    package let check: [UInt8]

    /// A mark of its parts.
    package init(bytes: Int, check: [UInt8]) {
      self.bytes = bytes
      self.check = check
    }
  }

  /// What has come since.
  package struct Since: Sendable {
    /// The keys of the rows that came.
    package fileprivate(set) var keys: Set<LocalRow.Key> = []
    /// How far this goes.
    package fileprivate(set) var mark: Mark
  }

  /// What has come since a mark.
  ///
  /// - Parameter mark: how far somebody has read.
  /// - Returns: `nil` when the file does not go on from there, or is damaged.
  /// - Throws: `system` when it cannot be read.
  package func since(_ mark: Mark) throws(RefsError) -> Since? {
    var since = Since(mark: mark)
    let file = try RefsError.wrapping { () throws(SystemError) in try notes.open() }
    guard let file else { return mark.bytes == 0 ? since : nil }
    let size = try RefsError.wrapping { () throws(SystemError) in try NotesFile.size(of: file) }
    guard size >= mark.bytes, try check(file, to: mark.bytes) == mark.check else { return nil }
    guard size > mark.bytes else { return since }
    var end = mark.bytes
    var isGood = true
    let damage = notes.scan(file, size, &end) { payload in
      for line in payload.split(separator: UInt8(ascii: "\n")) {
        do throws(Finding) {
          since.keys.insert(try LocalRow(stored: Array(line)).key)
        } catch {
          isGood = false
        }
      }
      return true
    }
    guard damage == nil, isGood else { return nil }
    since.mark = Mark(bytes: end, check: try check(file, to: end))
    return since
  }

  /// The mark at the end of a record, as `read` has found it.
  ///
  /// - Throws: `system` when the file cannot be read.
  package func mark(at end: Int) throws(RefsError) -> Mark {
    let file = try RefsError.wrapping { () throws(SystemError) in try notes.open() }
    guard let file else { return Mark(bytes: 0, check: []) }
    return Mark(bytes: end, check: try check(file, to: end))
  }

  /// The last bytes of a record.
  private func check(_ file: borrowing File, to end: Int) throws(RefsError) -> [UInt8] {
    // The first line has no hash.
    guard end > Digest.byteCount else { return [] }
    return try RefsError.wrapping { () throws(SystemError) in
      try file.read(Digest.byteCount, at: end - Digest.byteCount)
    }
  }
}
