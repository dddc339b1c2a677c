// What is wrong with an input that can be read.

/// An input that is not what was asked for.
package enum InputError: Error, Hashable, Sendable {
  /// Its first line is longer than it may be.
  case lineTooLong(String, limitBytes: Int)
  /// It cannot be read further.
  case broken(SystemError)
  /// It has more bytes than it may have.
  case tooLarge(String)
}
