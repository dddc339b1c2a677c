// What is waited for before a change is acknowledged (core.fsync).

/// How far the medium is waited for.
package enum SyncPolicy: String, Sendable {
  /// Never: a crash of the machine may lose or tear what was written last.
  case none
  /// Many objects at once with one syncfs; refs as with `full`. The default.
  case batch
  /// Each file by itself.
  case full

  /// Whether refs are waited for.
  var isSyncing: Bool { self != .none }
}
