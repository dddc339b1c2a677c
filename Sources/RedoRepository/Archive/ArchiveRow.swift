// What is known about an archive without looking at its nodes.

internal import RedoObject
package import RedoStore

/// What is known about an archive without looking at its nodes.
package struct ArchiveRow {
  package let directory: PackDirectory
  package let fileBytes: Int
  package let path: String
  /// Whether the file is an encrypted one.
  package var isSealed = false

  /// Creates a row with these members.
  package init(directory: PackDirectory, fileBytes: Int, path: String, isSealed: Bool = false) {
    self.directory = directory
    self.fileBytes = fileBytes
    self.path = path
    self.isSealed = isSealed
  }

  /// Creates the row of a file that was read.
  ///
  /// - Throws: when the file is not there any more.
  package init(of directory: PackDirectory, at path: String, _ effects: Effects) throws {
    let file = try InputFile.open(path, at: effects.resolve(path))
    do throws(SystemError) {
      let start = try file.read(ForeignFile.startBytes, at: 0)
      self.init(
        directory: directory, fileBytes: try file.status().size, path: path,
        isSealed: AgeSource.isOne(start))
    } catch {
      throw error.named(path)
    }
  }

  /// The name of an archive: 64 hex digits.
  package static func hex(_ directory: PackDirectory) -> String {
    ObjectID(digest: directory.name).hex
  }

  /// A wall time as text; `nil` when there is none or it is invalid.
  package static func wall(_ milliseconds: Int64?) -> String? {
    guard let milliseconds, let moment = Moment(milliseconds: milliseconds) else { return nil }
    return WallTime(milliseconds: moment.milliseconds).text
  }
}
