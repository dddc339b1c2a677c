// The options for serving over HTTP: `redo serve --http` passes them to the executable that links a network
// library, which parses them again.

internal import RedoRepository

/// The options of `redo serve --http`.
package enum ServeOptions {
  /// The address to listen on.
  package static let address = OptionSpec(
    "http", .required("address:port"),
    help: "many clients, over HTTP, at an address of this machine")
  /// Serve documents as Firestore does.
  package static let firestore = OptionSpec(
    "firestore", .optional("project"), help: "answer Firestore's REST API as well")
  /// Accept tokens without a signature.
  package static let emulator = OptionSpec(
    "emulator", help: "with '--firestore': take the unsigned tokens of tests")
  /// The accounts that may ask.
  package static let accounts = OptionSpec(
    "accounts", .required("file"), help: "who may do what with which store")
  /// The certificates.
  package static let certificate = OptionSpec(
    "tls-certificate", .required("file"), help: "the certificates, the server's own first")
  /// Their key.
  package static let key = OptionSpec(
    "tls-key", .required("file"), help: "the secret key of the certificate")
  /// The largest size of a request.
  package static let bodyLimit = OptionSpec(
    "max-body", .required("bytes"), help: "the most bytes of a request (1g)")
  /// The most connections.
  package static let connectionLimit = OptionSpec(
    "max-connections", .required("n"), help: "the most connections (256)")
  /// How many requests of one account run at a time.
  package static let runningLimit = OptionSpec(
    "max-running", .required("n"), help: "the most requests of one account worked on at a time (8)")
  /// Where the log goes.
  package static let log = OptionSpec(
    "log", .required("file"), help: "write the log to a file, which SIGUSR1 opens anew")
  /// How often an account may ask.
  package static let rate = OptionSpec(
    "rate", .required("n"), help: "requests a second of one account, 0 for any number (50)")
  /// How long to wait for clients.
  package static let timeout = OptionSpec(
    "timeout", .required("seconds"), help: "how long to wait for a client (60)")
  /// How long exchanges may go on.
  package static let grace = OptionSpec(
    "grace", .required("seconds"), help: "how long exchanges may go on when it stops (10)")
  /// Whether counters are offered.
  package static let metrics = OptionSpec(
    "metrics", .optional("accounts"),
    help:
      "answer GET /metrics, for Prometheus, to whoever asks; with 'accounts' for each account as well"
  )
  /// Whether unsigned nodes are exchanged.
  package static let allowUnsigned = OptionSpec(
    "allow-unsigned", help: "exchange nodes that nobody signed, too, where the client asks for it")

  /// The options that only make sense with `--http`, the address first.
  package static var network: [OptionSpec] {
    [
      address, firestore, emulator, accounts, certificate, key, bodyLimit, connectionLimit,
      runningLimit, rate, timeout, grace, metrics, log,
    ]
  }
}
