// What keeps receipts from being shared and opened (receipts, sections 5.2 and 5.3): each step has a refusal of its own.

package import RedoHistory
package import RedoObject

/// The errors of sharing.
package enum ShareFault: Fault {
  /// A receipt was not signed by this very device.
  case foreign(ObjectID)
  /// A receipt tells a precise place.
  case precise(ObjectID)
  /// A receipt cannot be copied without what is not to be shared.
  case uncopied(ObjectID)
  /// Nobody was named who is active in the circle.
  case nobody
  /// Somebody is not active in the circle.
  case inactive(String)
  /// Somebody has no device that keys are wrapped for.
  case noDevice(String)
  /// A device has a key with which everybody would share its secrets.
  case unusableKey(device: String)
  /// There is no place of a receipt that may be shown.
  case noPlace(ObjectID)
  /// Its place may not be shown before a time.
  case deferred(ObjectID, until: Int64)
  /// There is no key by which others share secrets with this device.
  case noExchangeKey
  /// A message is none.
  case form(ShareFormFault)
  /// The sender is not active in the circle, or the device is not pinned.
  case senderUnknown(did: String, device: String)
  /// A message has no key for this device.
  case noKey(message: String)
  /// A message is not as it was, or not for this device.
  case openFailed(message: String)
  /// What is in a message breaks a rule.
  case unfit(message: String, Finding)
  /// The trust file does not let the key sign that has signed what is in a message, and `transfer.trust` asks it.
  case untrusted(message: String, UntrustedObject)
  /// What is in a message was not made by the device that sends it.
  case otherSender(message: String)
  /// Nothing was shared under a name.
  case unshared(String)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .form: .malformed
    case .unshared, .noExchangeKey: .missing
    default: .refused
    }
  }

  /// The receipt, the person, the device or the message.
  package var subject: String? {
    switch self {
    case .foreign(let id), .precise(let id), .uncopied(let id), .noPlace(let id),
      .deferred(let id, _):
      id.cidText(as: .receipt)
    case .inactive(let text), .noDevice(let text), .unusableKey(let text), .noKey(let text),
      .openFailed(let text), .unfit(let text, _), .untrusted(let text, _), .otherSender(let text),
      .unshared(let text), .senderUnknown(_, let text):
      text
    case .nobody, .noExchangeKey, .form: nil
    }
  }
}
