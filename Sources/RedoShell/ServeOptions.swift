// The options of serving over HTTP: `redo serve --http` hands them to the executable that has a network
// library, which reads them again.

internal import RedoRepository

/// The options of `redo serve --http`.
package enum ServeOptions {
  /// Where to listen.
  package static let address = OptionSpec(
    "http", .required("address:port"),
    help: "many clients, over HTTP, at an address of this machine")
  /// The documents of Firestore.
  package static let firestore = OptionSpec(
    "firestore", .optional("project"), help: "answer Firestore's REST API as well")
  /// Tokens that nobody signed.
  package static let emulator = OptionSpec(
    "emulator", help: "with '--firestore': take the unsigned tokens of tests")
  /// Who may ask.
  package static let accounts = OptionSpec(
    "accounts", .required("file"), help: "who may do what with which store")
  /// The certificates.
  package static let certificate = OptionSpec(
    "tls-certificate", .required("file"), help: "the certificates, the server's own first")
  /// Their key.
  package static let key = OptionSpec(
    "tls-key", .required("file"), help: "the secret key of the certificate")
  /// The size of a request.
  package static let bodyLimit = OptionSpec(
    "max-body", .required("bytes"), help: "the most bytes of a request (1g)")
  /// The number of connections.
  package static let connectionLimit = OptionSpec(
    "max-connections", .required("n"), help: "the most connections (256)")
  /// How often an account may ask.
  package static let rate = OptionSpec(
    "rate", .required("n"), help: "requests a second of one account, 0 for any number (50)")
  /// How long clients are waited for.
  package static let timeout = OptionSpec(
    "timeout", .required("seconds"), help: "how long to wait for a client (60)")
  /// How long exchanges may go on.
  package static let grace = OptionSpec(
    "grace", .required("seconds"), help: "how long exchanges may go on when it stops (10)")
  /// Whether counters are told.
  package static let metrics = OptionSpec(
    "metrics", help: "answer GET /metrics, for Prometheus, to whoever asks")
  /// Whether nodes that nobody signed are exchanged.
  package static let allowUnsigned = OptionSpec(
    "allow-unsigned", help: "exchange nodes that nobody signed, too, where the client asks for it")

  /// Those that only make sense with `--http`, the address first.
  package static var network: [OptionSpec] {
    [
      address, firestore, emulator, accounts, certificate, key, bodyLimit, connectionLimit, rate,
      timeout, grace,
      metrics,
    ]
  }
}
