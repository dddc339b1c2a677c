// How a command ends, as its caller sees it: one table for all commands, also in redo-cli(7).

/// What an exit status means.
package enum Exit: Int32, CaseIterable, Sendable {
  /// Done; the predicate is true; nothing bad was found.
  case ok = 0
  /// The answer is no: a false predicate, findings, a refused item.
  case no = 1
  /// The named thing is absent, in commands where 1 means something else.
  case absent = 2
  /// Nothing was changed, and trying again may help.
  case temporary = 75
  /// A remote is not the one it used to be, or its history was rolled back.
  case identity = 76
  /// Authentication or access was refused.
  case access = 77
  /// Not a repository; input or output failed; needed data is missing or corrupt.
  case fatal = 128
  /// The command line makes no sense; also the status of `-h`.
  case usage = 129
}

extension Exit: Comparable {
  /// Compares by number: of several statuses the highest counts.
  package static func < (left: Exit, right: Exit) -> Bool { left.rawValue < right.rawValue }
}
