// What Firestore cannot keep, among the values and fields that somebody wants to write.

/// What Firestore does not keep.
package struct FirestoreLimitFault: Error, Equatable, Sendable {
  /// The rule.
  package enum Limit: Equatable, Sendable {
    /// An array is inside an array.
    case nestedArray
    /// A name is empty.
    case emptyName
    /// A name is `__x__`.
    case reservedName
    /// The names that lead to a value have more than 1500 bytes, with a dot between two of them.
    case pathLength
    /// Maps and arrays are nested deeper than 20.
    case depth

    /// The rule in lower case, without a full stop.
    package var message: String {
      switch self {
      case .nestedArray: "an array in an array"
      case .emptyName: "an empty field name"
      case .reservedName: "a field name of the form __x__"
      case .pathLength: "a field path of more than \(FieldPath.byteLimit) bytes"
      case .depth: "maps and arrays deeper than \(FirestoreFields.depthLimit)"
      }
    }
  }

  /// The names and places from the outside to the inside, joined by `/`.
  package let place: String
  /// The rule.
  package let limit: Limit

  /// A fault one level further out.
  func inside(_ name: String) -> FirestoreLimitFault {
    FirestoreLimitFault(place: "/\(name)\(place)", limit: limit)
  }
}

extension FirestoreFields {
  /// How deep maps and arrays may be nested.
  package static let depthLimit = 20

  /// Finds what Firestore would refuse.
  ///
  /// - Throws: `FirestoreLimitFault`, the first one.
  package func checkLimits() throws(FirestoreLimitFault) { try checkLimits(FieldPlace()) }

  func checkLimits(_ place: FieldPlace) throws(FirestoreLimitFault) {
    for member in members {
      do throws(FirestoreLimitFault) {
        try member.value.checkLimits(place.member(member.name))
      } catch {
        throw error.inside(member.name)
      }
    }
  }
}

/// The place of a value, as far as limits depend on it.
struct FieldPlace {
  /// In how many maps and arrays.
  private(set) var depth = 0
  /// The bytes of the names on the way here, with a dot after each.
  private var pathBytes = 0

  /// The place of a member.
  func member(_ name: String) throws(FirestoreLimitFault) -> FieldPlace {
    if name.isEmpty { throw FirestoreLimitFault(place: "", limit: .emptyName) }
    if FieldPath.isReserved(name) { throw FirestoreLimitFault(place: "", limit: .reservedName) }
    var place = self
    place.pathBytes += name.utf8.count + 1
    guard place.pathBytes <= FieldPath.byteLimit + 1 else {
      throw FirestoreLimitFault(place: "", limit: .pathLength)
    }
    return place
  }

  /// The place inside of a map or of an array.
  func inside() throws(FirestoreLimitFault) -> FieldPlace {
    guard depth < FirestoreFields.depthLimit else {
      throw FirestoreLimitFault(place: "", limit: .depth)
    }
    var place = self
    place.depth += 1
    return place
  }
}

extension FirestoreValue {
  /// Finds what Firestore would refuse of a value at a place.
  func checkLimits(_ place: FieldPlace) throws(FirestoreLimitFault) {
    switch self {
    case .map(let fields): try fields.checkLimits(place.inside())
    case .array(let values):
      let inside = try place.inside()
      for (index, value) in values.enumerated() {
        do throws(FirestoreLimitFault) {
          if case .array = value { throw FirestoreLimitFault(place: "", limit: .nestedArray) }
          try value.checkLimits(inside)
        } catch {
          throw error.inside("\(index)")
        }
      }
    case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference, .geoPoint:
      return
    }
  }
}
