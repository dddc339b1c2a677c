// What may be odd about a store that is opened, and about its settings.

package import RedoObject
package import RedoStore

/// Something odd about a store, or about data that comes to it.
package enum OpenEvent: Sendable {
  /// Objects of another directory should be borrowed, but it does not exist.
  case alternateMissing(path: String)
  /// A setting counts only in the user's own files, and was found elsewhere; where.
  case settingIgnored(key: String, place: String)
  /// Parts of a store are not used, because it is not known as the user's own, or because something other than
  /// `redo config` has changed its settings; its directory, and whether it is another store than the command's.
  case passedOver(ActingParts, path: String, standing: StoreStanding, isOther: Bool)
  /// Nothing is taken from clients, because the hook that might refuse it is passed over; the hook, and the store.
  case hookUnasked(name: String, path: String)
  /// A new store could not be remembered as the user's own.
  case unremembered(SystemError)
  /// Users other than its owner may write the trust file.
  case trustFileExposed(path: String)
  /// Copies of nodes say in an unknown form when a remote first had them: the first of them, and how many.
  case createdUnknown(ObjectID, subject: String, text: String, count: Int)
  /// The times when remotes first had nodes could not be recorded.
  case createdUnnoted(RefsError)
  /// The access lists of nodes could not be recorded.
  case accessUnnoted(RefsError)
  /// The access lists of nodes could not be read, so nodes are handed on without them.
  case accessUnread(RefsError)
  /// A head of a schema is missing or corrupt, so its fields go without names; its ref.
  case schemaUnread(RefName)
}
