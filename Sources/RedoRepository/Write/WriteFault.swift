// What keeps nodes from getting into a history.

/// The errors of taking in nodes.
package enum WriteFault: Fault {
  /// Other writers changed the same heads at each attempt.
  case contended

  /// The kind of error.
  package var code: RedoError.Code { .unavailable }

  /// Nothing in particular.
  package var subject: String? { nil }
}
