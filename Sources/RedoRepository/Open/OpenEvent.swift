// What may be odd about a store that is opened, and about what is asked of its settings.

package import RedoObject
package import RedoStore

/// Something odd about a store, or about what comes to it.
package enum OpenEvent: Sendable {
  /// Objects of another directory are to be borrowed, and it is not there.
  case alternateMissing(path: String)
  /// A setting counts only in the user's own files, and stands in others; where.
  case settingIgnored(key: String, place: String)
  /// Others than its owner may write the trust file.
  case trustFileExposed(path: String)
  /// Copies of nodes say in no known form when a remote first had them: the first of them, and how many.
  case createdUnknown(ObjectID, subject: String, text: String, count: Int)
  /// When remotes first had nodes could not be noted.
  case createdUnnoted(RefsError)
}
