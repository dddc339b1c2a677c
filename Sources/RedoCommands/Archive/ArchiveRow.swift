// What is known of an archive without a look at its nodes.

internal import RedoObject
internal import RedoStore

/// What is known of an archive without a look at its nodes.
struct ArchiveRow {
  let directory: PackDirectory
  let fileBytes: Int
  let path: String
  /// Whether the file is an encrypted one.
  var isSealed = false

  /// The name of an archive: 64 hex digits.
  static func hex(_ directory: PackDirectory) -> String {
    ObjectID(digest: directory.name).hex
  }

  /// A wall time as text; `nil` for none, and for what is none.
  static func wall(_ milliseconds: Int64?) -> String? {
    guard let milliseconds, let moment = Moment(milliseconds: milliseconds) else { return nil }
    return WallTime(milliseconds: moment.milliseconds).text
  }
}
