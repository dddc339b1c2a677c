// libsodium wants to be initialized before its first use.

internal import CSodium

/// The state of the library.
enum Sodium {
  /// Initializes it once; a failure would mean that it has no source of random bytes.
  static let ready: Void = {
    precondition(sodium_init() >= 0, "libsodium cannot be initialised")
  }()
}
