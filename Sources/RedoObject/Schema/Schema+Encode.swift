// The whole of a schema: its body, with id and signature where the order of names puts them.

package import RedoCrypto

extension Schema {
  /// Appends the canonical JSON of a whole schema.
  ///
  /// Of the members only `parents`, `schema` and `timestamp` come after the definition, so the last `"parents":[` is the top one.
  ///
  /// - Parameters:
  ///   - body: the canonical body of a valid schema.
  ///   - id: its hash.
  ///   - signature: its signature, if it has one.
  ///   - output: receives UTF-8.
  package static func appendWhole(
    body: Span<UInt8>, id: ObjectID, signature: Signature?, to output: inout [UInt8]
  ) {
    let form: StaticString = ",\"schema\":1"
    let (parents, end) = Node.parentsRange(body) ?? (0, body.count)
    let last = end + form.utf8CodeUnitCount
    let behind =
      last <= body.count && body.extracting(end..<last).elementsEqual(form) ? last : end
    output.reserve(Node.wholeCount(bodyCount: body.count, signature))
    output.append(body, 0..<parents)
    output.append("\"id\":\"")
    id.append(to: &output)
    output.append("\",")
    output.append(body, parents..<behind)
    if let signature {
      output.append(",\"signature\":\"")
      Hex.append(signature.bytes.span, to: &output)
      output.append("\"")
    }
    output.append(body, behind..<body.count)
  }
}
