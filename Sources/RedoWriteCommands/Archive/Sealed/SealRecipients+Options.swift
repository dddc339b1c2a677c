// The option that says for whom an archive is encrypted.

internal import RedoRepository
internal import RedoShell

extension SealRecipients {
  static let option = OptionSpec(
    "recipient", letter: "r", .required("key"),
    help: "encrypt for a public key, a user id, or x25519:<64 hex>")
}
