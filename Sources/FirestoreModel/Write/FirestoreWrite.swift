// google.firestore.v1.Write: one change of one document.

/// A write.
package struct FirestoreWrite: Sendable, Equatable {
  /// What is done to the document.
  package enum Operation: Sendable, Equatable {
    /// Its fields are set.
    case update(FirestoreDocument)
    /// It is deleted; the name.
    case delete(String)
  }

  /// The precondition on the document.
  package enum Precondition: Sendable, Equatable {
    /// Whether it is there.
    case exists(Bool)
    /// When it was last changed.
    case updateTime(FirestoreTimestamp)
  }

  /// What the service computes.
  package struct Transform: Sendable, Equatable {
    /// How.
    package enum Kind: Sendable, Equatable {
      /// The time of the request, with milliseconds.
      case requestTime
      /// The old number and this one.
      case increment(FirestoreValue)
      /// The larger of the old number and this one.
      case maximum(FirestoreValue)
      /// The smaller of the old number and this one.
      case minimum(FirestoreValue)
      /// Those that the array lacks are appended.
      case appendMissing([FirestoreValue])
      /// All elements that equal one of these are removed from the array.
      case removeAll([FirestoreValue])
    }

    /// The field.
    package var field: FieldPath
    /// How its value comes about.
    package var kind: Kind

    /// A transform.
    ///
    /// - Parameters:
    ///   - field: the field.
    ///   - kind: how its value comes about.
    package init(_ field: FieldPath, _ kind: Kind) {
      self.field = field
      self.kind = kind
    }
  }

  /// What is done to the document.
  package var operation: Operation
  /// The fields that an update sets, or removes if the document does not have them; `nil` for all of the document.
  package var updateMask: [FieldPath]?
  /// What the service computes after the update, in order.
  package var transforms: [Transform]
  /// The precondition; if it does not hold, the whole commit is refused.
  package var precondition: Precondition?

  /// A write.
  ///
  /// - Parameters:
  ///   - operation: what is done.
  ///   - updateMask: the fields that are set; `nil` for all.
  ///   - transforms: what the service computes.
  ///   - precondition: the precondition.
  package init(
    _ operation: Operation, updateMask: [FieldPath]? = nil, transforms: [Transform] = [],
    precondition: Precondition? = nil
  ) {
    self.operation = operation
    self.updateMask = updateMask
    self.transforms = transforms
    self.precondition = precondition
  }

  /// The full name of the document.
  package var documentName: String {
    switch operation {
    case .update(let document): document.name
    case .delete(let name): name
    }
  }
}

/// The most writes in a commit, and the largest request in bytes, that redo sends.
package enum CommitLimit {
  /// Writes in one commit.
  package static let writes = 500
  /// Bytes of one request; Firestore takes 10 MiB.
  package static let bytes = 9 * 1024 * 1024
}
