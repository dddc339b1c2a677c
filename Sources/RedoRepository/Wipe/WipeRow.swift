// An object that a wipe removes, as it is listed: `<id> <user> <action> <why>`.

package import RedoObject

/// An object that is removed.
package struct WipeRow {
  /// Why an object is removed.
  package enum Reason {
    /// Everything is removed.
    case all
    /// Its author's changes are removed.
    case author
    /// It descends from this one.
    case descendant(ObjectID)
    /// An earlier wipe was not finished.
    case leftOver
    /// It contains notes about what is removed.
    case notes
  }

  package let entry: WipeEntry
  package let reason: Reason
}
