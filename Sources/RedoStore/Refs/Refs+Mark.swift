// Whether refs may have changed, without reading them.

/// What the kernel says about the files of the refs: as long as it says the same, nothing has changed.
package struct RefsMark: Hashable, Sendable {
  private struct FileMark: Hashable, Sendable {
    let inode: UInt64
    let size: Int
    let modifiedNanoseconds: Int64
  }

  private let files: [FileMark?]

  fileprivate init(_ statuses: [FileStatus?]) {
    files = statuses.map { status in
      status.map {
        FileMark(
          inode: $0.inode, size: $0.size, modifiedNanoseconds: $0.modifiedNanoseconds)
      }
    }
  }
}

extension Refs {
  /// The mark of this moment, to be taken before the refs are read.
  ///
  /// - Returns: two calls of stat(2), as a value.
  /// - Throws: what they answered.
  package func mark() throws(RefsError) -> RefsMark {
    try RefsError.wrapping { () throws(SystemError) in
      RefsMark([try directory.status(Name.refs), try directory.status(Name.journal)])
    }
  }
}
