// What keeps things in the quarantine from being found.

package import RedoObject

/// The errors of work with the quarantine.
package enum QuarantineFault: Fault {
  /// Nothing in it has a name.
  case noName(String)
  /// A name is no id, nor the beginning of one; what may be meant.
  case malformedName(String, hint: String?)
  /// A name is the beginning of several nodes: lines that tell which.
  case severalNodes(String, candidates: [String])
  /// A name is the beginning of several documents.
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
