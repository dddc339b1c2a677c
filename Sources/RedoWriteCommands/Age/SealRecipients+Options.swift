// The option that says for whom an archive is encrypted.

internal import RedoRepository
internal import RedoShell

extension SealRecipients {
  static let option = OptionSpec(
    "recipient", letter: "r", .required("key"),
    help: "encrypt for age1..., 'ssh-ed25519 ...', a signer's public key or a user id")
}
