// The environment of the process, as a value: tests build their own.

internal import Glibc

/// Environment variables: those of the process, or of a test.
package struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  /// The variables of this process.
  package static let process = Environment { name in
    // SAFETY: nothing in this project changes the environment, so the text stays valid while it
    // is copied.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Variables as a function gives them.
  package init(_ lookup: @escaping @Sendable (String) -> String?) {
    self.lookup = lookup
  }

  /// The given variables and no others.
  package init(_ values: [String: String]) {
    lookup = { values[$0] }
  }

  /// The value of a variable, or `nil` when it is not set.
  package subscript(name: String) -> String? { lookup(name) }

  /// The value of a variable, or `nil` when it is not set or empty.
  package func nonEmpty(_ name: String) -> String? {
    guard let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }
}
