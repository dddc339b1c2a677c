// Any bytes at all: as a note and as a proof of either form. What is accepted is written and read back as
// the same.

import RedoCrypto
import RedoObject

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = Array(UnsafeBufferPointer(start: start, count: count))
  if let note = try? SignedNote(decoding: text) {
    precondition(note.bytes == text, "the note has changed")
    _ = try? note.signers()
    if let checkpoint = try? Checkpoint(text: note.text) {
      precondition(checkpoint.text == Array(note.text), "the checkpoint has changed")
    }
  }
  if let proof = try? InclusionProof(decoding: text) {
    precondition(proof.bytes == text, "the proof has changed")
    _ = proof.holds(for: proof.checkpoint.id)
  }
  if let proof = try? ConsistencyProof(decoding: text) {
    precondition(proof.bytes == text, "the proof has changed")
    _ = proof.holds
  }
  return 0
}
