// An object that a wipe takes away, as it is listed: `<id> <user> <action> <why>`.

package import RedoObject

/// An object that goes.
package struct WipeRow {
  /// Why an object goes.
  package enum Reason {
    /// Everything goes.
    case all
    /// Its author's changes go.
    case author
    /// It descends from this one.
    case descendant(ObjectID)
    /// An earlier wipe was not finished.
    case leftOver
    /// It has notes on what goes.
    case notes
  }

  package let entry: WipeEntry
  package let reason: Reason
}
