// What keeps the setting `trust.file` from naming a file.

/// The errors of looking for the trust file.
package enum TrustFileFault: Fault {
  /// The setting begins with `~/`, and no home directory is known.
  case noHome(value: String)
  /// The setting is not an absolute path; where it was set.
  case relative(value: String, place: String)

  /// The kind of error.
  package var code: RedoError.Code { .invalid }

  /// The setting.
  package var subject: String? { "trust.file" }
}
