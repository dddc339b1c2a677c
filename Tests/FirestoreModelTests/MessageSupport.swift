// What the tests of messages share.

import CanonicalJSON
import FirestoreModel

/// Reads a text.
func read<Value>(_ text: String, _ body: (JSONValue) throws -> Value) throws -> Value {
  try read(Array(text.utf8), body)
}

/// Reads a text.
func read<Value>(_ bytes: [UInt8], _ body: (JSONValue) throws -> Value) throws -> Value {
  let text = try MessageText(bytes)
  return try body(text.root)
}
