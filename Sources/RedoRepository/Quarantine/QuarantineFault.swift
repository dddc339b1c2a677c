// What keeps things in the quarantine from being found.

package import RedoObject

/// The errors of work with the quarantine.
package enum QuarantineFault: Fault {
  /// Nothing in it has the name.
  case noName(String)
  /// A name is neither an ID nor a prefix of one; what may be meant.
  case malformedName(String, hint: String?)
  /// A name is a prefix of several nodes.
  case severalNodes(String, ObjectCandidates)
  /// A name is a prefix of several documents.
  case severalDocuments(String, [ObjectID])

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noName: .missing
    case .malformedName: .malformed
    case .severalNodes, .severalDocuments: .invalid
    }
  }

  /// The name.
  package var subject: String? {
    switch self {
    case .noName(let name), .malformedName(let name, _), .severalNodes(let name, _),
      .severalDocuments(let name, _):
      name
    }
  }
}
