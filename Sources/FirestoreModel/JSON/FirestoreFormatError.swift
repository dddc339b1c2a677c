// What is wrong with a message that should be one of the Firestore API.

/// A message, or a part of one, that is not what the API defines.
package struct FirestoreFormatError: Error, Equatable, Sendable {
  /// Where: a JSON pointer (RFC 6901); empty for the whole message.
  package let place: String
  /// What is wrong, in lower case, without a full stop.
  package let fault: String

  /// An error at a place.
  ///
  /// - Parameters:
  ///   - place: a JSON pointer.
  ///   - fault: what is wrong there.
  package init(_ place: String, _ fault: String) {
    self.place = place
    self.fault = fault
  }

  /// The fault and its place in one line.
  package var message: String { place.isEmpty ? fault : "\(fault) at \(place)" }
}
