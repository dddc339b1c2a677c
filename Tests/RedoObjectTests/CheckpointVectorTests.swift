// Tests/Vectors/checkpoint: notes with one defect each, and proofs that hold or do not.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Checkpoint vectors")
struct CheckpointVectorTests {
  static let folder = VectorFolder.own("checkpoint")

  @Test("every note is read, or refused at the line of the table")
  func notes() throws {
    let rows = try Self.folder.table()
    #expect(rows.count >= 60)
    for row in rows {
      let bytes = try Self.folder.bytes(row[0])
      do throws(NoteError) {
        let signed = try SignedCheckpoint(decoding: bytes)
        #expect(row[1] == "valid", "\(row[0])")
        #expect(signed.id.text == row[3])
        #expect(Hex.text(signed.signer.bytes.span) == row[4])
        #expect(signed.checkpoint.origin == row[5])
        #expect("\(signed.checkpoint.size)" == row[6])
        #expect(Array(signed.note.text) == signed.checkpoint.text, "\(row[0])")
        #expect(signed.note.bytes == bytes)
      } catch {
        #expect(row[1] == "invalid", "\(row[0]): \(error)")
        #expect("\(error.line)" == row[2], "\(row[0]): \(error)")
      }
    }
  }

  @Test("every proof holds, or does not, as the table says; those that are read are written alike")
  func proofs() throws {
    let rows = try Self.folder.table("PROOFS.tsv")
    #expect(rows.count >= 60)
    for row in rows {
      let bytes = try Self.folder.bytes(row[0])
      if let proof = try? InclusionProof(decoding: bytes) {
        #expect(proof.bytes == bytes, "\(row[0])")
        let id: ObjectID?
        switch proof.object.subject {
        case .node(let text):
          var decoder = NodeDecoder(identity: .required)
          id = decoder.decode(text.span)?.id
        case .receipt(let preimage, let signature):
          var decoder = ReceiptDecoder()
          id = decoder.decode(preimage, signature: signature)?.id
        case .schema(let text):
          var decoder = SchemaDecoder()
          id = decoder.decode(text)?.id
        }
        let holds = id.map { proof.holds(for: $0) } ?? false
        // What the node or receipt itself is worth is for redo verify to say.
        if ["G", "E", "N"].contains(row[1]) { #expect(holds, "\(row[0])") }
        if row[1] == "B", row[2] != "-" { #expect(!holds, "\(row[0])") }
      } else if let proof = try? ConsistencyProof(decoding: bytes) {
        #expect(proof.bytes == bytes, "\(row[0])")
        let isOneLog = proof.old.checkpoint.store == proof.new.checkpoint.store
        #expect((proof.holds && isOneLog) == (row[1] == "G"), "\(row[0])")
      } else {
        #expect(row[1] == "B", "\(row[0])")
      }
    }
  }

  @Test("what is signed here is read back; any changed byte of it is refused")
  func signing() throws {
    var seed = [UInt8](repeating: 7, count: 32)
    let key = SecretKey(seed: SecretBytes(moving: &seed))
    let store = try #require(StoreID(text: "00112233445566778899aabbccddeeff"))
    let checkpoint = Checkpoint(
      store: store, size: 3, root: MerkleTree.emptyRoot, entry: 4,
      chain: MerkleTree.emptyRoot, refCount: 2, refsDigest: MerkleTree.emptyRoot,
      previous: nil, time: WallTime(milliseconds: 1_700_000_000_123),
      statements: [
        HistoryStatement(
          .node, ids: [ObjectID(digest: MerkleTree.emptyRoot)],
          heads: [ObjectID(digest: MerkleTree.emptyRoot)])
      ])
    let signed = checkpoint.signed(with: key)
    #expect(signed.checkpoint == checkpoint)
    #expect(signed.signers == [key.publicKey])
    let bytes = signed.note.bytes
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x04
      #expect(throws: NoteError.self, "byte \(index)") {
        try SignedCheckpoint(decoding: changed)
      }
    }
    for count in bytes.indices {
      #expect(throws: NoteError.self) { try SignedCheckpoint(decoding: Array(bytes[..<count])) }
    }
  }
}
