// What the trust file does to objects that come from outside: the setting `transfer.trust`.

/// What is done with objects from outside whose signers the trust file does not let sign.
package enum TransferTrust: String, CaseIterable, Sendable {
  /// They are taken, and nothing is said: who is trusted is a matter of reports.
  case off
  /// They are taken, and counted in a warning.
  case warn
  /// They wait in the quarantine, and with them what follows them.
  case enforce
}
