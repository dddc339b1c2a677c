// What keeps nodes from getting into a history.

/// What ends the taking in of nodes.
package enum WriteFault: Fault {
  /// Other writers changed the same heads each time that we tried.
  case contended

  /// What kind of end it is.
  package var code: RedoError.Code { .unavailable }

  /// Nothing in particular.
  package var subject: String? { nil }
}
