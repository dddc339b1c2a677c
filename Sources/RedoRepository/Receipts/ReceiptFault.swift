// What keeps a receipt from being made.

package import RedoObject

/// The errors of making receipts.
package enum ReceiptFault: Fault {
  /// Something that is named is no receipt of the history.
  case unknown(ObjectID)
  /// The chain of a receipt was deleted, and stays so.
  case deleted(ObjectID, by: ObjectID)
  /// A receipt is another author's.
  case foreign(ObjectID, did: String)
  /// A new receipt would have no effect on another one; the broken rule.
  case withoutEffect(on: ObjectID, Rule, DeviceName)
  /// A receipt of a type would not be shown in a chain.
  case unshown(type: String, root: ObjectID)
  /// The time that an option gives cannot be that of the receipt: its type tells none, or the payload tells another.
  case timeTaken(type: String)
  /// The setting of the author's name is none.
  case didForm(String)
  /// The author's name holds another key.
  case didOfOtherKey(String)
  /// The device has a card with another key.
  case otherCard(DeviceName, ObjectID)
  /// The trust file pins another key for the device.
  case otherPin(DeviceName)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .unknown: .missing
    case .didForm: .invalid
    default: .refused
    }
  }

  /// The receipt, the type or the author.
  package var subject: String? {
    switch self {
    case .unknown(let id), .deleted(let id, _), .foreign(let id, _), .withoutEffect(let id, _, _):
      id.cidText(as: .receipt)
    case .unshown(let type, _), .timeTaken(let type): type
    case .didForm(let text), .didOfOtherKey(let text): text
    case .otherCard(let device, _), .otherPin(let device): device.escaped
    }
  }
}
