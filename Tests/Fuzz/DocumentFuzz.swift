// Any bytes at all as JSON of Firestore: what is read is written and read back as the same, and a node
// that is found in a document has its id as hash, and is found again in a document of ours.

import CanonicalJSON
import FirestoreModel
import RedoCrypto
import RedoObject

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var rows = JSONRows()
  _ = try? rows.take(bytes)
  guard let text = try? MessageText(bytes) else { return 0 }
  let json = text.root
  _ = FirestoreError(json)
  again(try? StructuredQuery(json), { $0.appendJSON(to: &$1) }, { try StructuredQuery($0) })
  again(try? FirestoreCommit(json), { $0.appendJSON(to: &$1) }, { try FirestoreCommit($0) })
  let read = again(
    try? FirestoreDocument(json), { $0.appendJSON(to: &$1) }, { try FirestoreDocument($0) })
  guard let document = read else { return 0 }
  _ = FirestoreValue.order(.map(document.fields), .map(document.fields))
  precondition(NodeDocument.tries(document.fields) <= NodeDocument.tryLimit, "too many tries")
  guard case .recovered(let node) = NodeDocument.recover(document) else { return 0 }
  precondition(
    ObjectID(digest: SHA256.digest(of: node.body.span)) == node.id, "bytes of another hash")
  guard let reader = try? OAuthID("ada"),
    let fields = try? NodeDocument.fields(
      of: node.body, id: node.id, signature: node.signature, accessList: [reader])
  else { return 0 }
  precondition((try? fields.checkLimits()) != nil, "fields that Firestore refuses")
  let own = FirestoreDocument(name: document.name, fields: fields)
  guard case .recovered(let found) = NodeDocument.recover(own), found.body == node.body else {
    preconditionFailure("what was written is not read back")
  }
  return 0
}

/// Writes what was read, and reads it again.
@discardableResult
private func again<Value: Equatable>(
  _ value: Value?, _ write: (Value, inout [UInt8]) -> Void, _ read: (JSONValue) throws -> Value
) -> Value? {
  guard let value else { return nil }
  var output: [UInt8] = []
  write(value, &output)
  guard let text = try? MessageText(output), let same = try? read(text.root), same == value else {
    preconditionFailure("what was written is not read back")
  }
  return value
}
