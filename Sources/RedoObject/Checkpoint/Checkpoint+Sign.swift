// Signing checkpoints.

package import RedoCrypto

extension Checkpoint {
  /// Signs the checkpoint.
  ///
  /// - Parameter key: the key of the store.
  /// - Returns: the note, whose signature has been verified again.
  package func signed(with key: borrowing SecretKey) -> SignedCheckpoint {
    let note = SignedNote.signing(text, with: key)
    do throws(NoteError) {
      let signed = try SignedCheckpoint(decoding: note.bytes)
      precondition(signed.checkpoint == self, "BUG: a checkpoint is read back as another")
      return signed
    } catch {
      preconditionFailure("BUG: a checkpoint is not read back: \(error)")
    }
  }
}
