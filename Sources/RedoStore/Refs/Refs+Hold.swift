// A change in two steps, as git's `prepare` and `commit`: first the lock, then a look at the current values,
// then the record. Decisions that depend on the current values are made in between.

/// The refs of a store while no other process can write them.
///
/// The lock ends with this value, or with the process.
package struct HeldRefs: ~Copyable, Sendable {
  private let refs: Refs
  private let lock: LockFile
  private let options: RefsOptions
  /// The current refs, until this value ends.
  package var snapshot: RefsSnapshot
  /// What was repaired on the way.
  private let warnings: [RefWarning]

  fileprivate init(
    _ refs: consuming Refs, _ lock: consuming LockFile, _ options: RefsOptions,
    _ snapshot: consuming RefsSnapshot, _ warnings: [RefWarning]
  ) {
    self.refs = refs
    self.lock = lock
    self.options = options
    self.snapshot = snapshot
    self.warnings = warnings
  }

  /// Makes a change, all of it or nothing, and lets go of the refs.
  ///
  /// - Parameters:
  ///   - transaction: the change.
  ///   - milliseconds: the time to note, since 1970.
  /// - Returns: what was done, or every name that does not have what was expected.
  /// - Throws: as `Refs.commit`; nothing is changed then.
  package consuming func commit(
    _ transaction: RefTransaction, at milliseconds: Int64
  ) throws(RefsError) -> RefOutcome {
    try refs.commitLocked(
      transaction, at: milliseconds, options, over: &snapshot, warnings)
  }
}

extension Refs {
  /// Takes the lock and looks at the current values.
  ///
  /// - Parameter options: how long to wait for another writer, and how the change is to be written.
  /// - Returns: the refs; they cannot change until the value goes out of scope.
  /// - Throws: `locked`, `writeRefusedWhileCorrupt`, and as `snapshot`.
  package func hold(_ options: RefsOptions) throws(RefsError) -> HeldRefs {
    let lock = try acquireLock(options)
    var warnings: [RefWarning] = []
    let snapshot = try openToWrite(options, &warnings)
    return HeldRefs(Refs(in: directory), lock, options, snapshot, warnings)
  }
}
