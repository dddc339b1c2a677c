// What is known about an object, as the row of `redo show --json`.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoStore

extension ObjectFacts {
  /// Appends the row; of a receipt `{"cid":…,"id":…,"kind":"receipt","receipt":{…},"received":…,"verdict":{…}}`, of a schema the same with
  /// `schema`, of a node `{"accessList":[…],"createdAt":…,"displayNames":{…},"id":…,"kind":"node","node":{…},"parents":[…],"received":…,"verdict":{…}}`.
  func appendJSON(of object: StoredObject, to output: inout [UInt8]) {
    output.append("{")
    if receipt != nil {
      output += "\"cid\":\"\(object.id.cidText(as: .receipt))\",".utf8
    }
    if let access {
      output.append("\"accessList\":[")
      for (index, account) in access.accounts.enumerated() {
        if index > 0 { output.append(",") }
        JSONWriter.appendString(account, to: &output)
      }
      output.append("],")
    }
    if let created {
      output.append("\"createdAt\":\"")
      created.append(to: &output)
      output.append("\",")
    }
    if let node, let names {
      output.append("\"displayNames\":")
      JSONWriter.append(to: &output) { json in
        json.object { json in
          for member in RecordSchemas.members(of: node.content) {
            guard let name = names.name(of: member.name, member.value) else { continue }
            json.name(escaped: member.name)
            json.value(name.text)
          }
        }
      }
      output.append(",")
    }
    output.append("\"id\":\"")
    object.id.append(to: &output)
    output.append("\",\"kind\":\"")
    output.append(object.kind.name)
    if receipt != nil {
      output.append("\",\"receipt\":")
      _ = object.kind.appendMembers(of: object, to: &output)
      appendEnd(to: &output)
      return
    }
    if schema != nil {
      output.append("\",\"schema\":")
      _ = object.kind.appendMembers(of: object, to: &output)
      appendEnd(to: &output)
      return
    }
    guard node != nil else {
      output += "\",\"size\":\(object.canonical.count)}".utf8
      return
    }
    output.append("\",\"node\":")
    object.appendContents(to: &output)
    output.append(",\"parents\":[")
    for (index, parent) in parents.enumerated() {
      if index > 0 { output.append(",") }
      output.append("{")
      if case .success(let action) = parent.action {
        output.append("\"action\":")
        JSONWriter.appendString(Escape.text(action), to: &output)
        output.append(",")
      }
      output.append("\"id\":\"")
      parent.id.append(to: &output)
      output.append("\"")
      if case .failure(let state) = parent.action {
        output += ",\"state\":\"\(state.rawValue)\"".utf8
      }
      output.append("}")
    }
    output.append("]")
    appendEnd(to: &output)
  }

  /// Appends when it was received and what is made of its signature.
  private func appendEnd(to output: inout [UInt8]) {
    if let received {
      output.append(",\"received\":\"")
      WallTime(milliseconds: received).append(to: &output)
      output.append("\"")
    }
    if let verdict {
      output.append(",\"verdict\":")
      verdict.appendJSON(to: &output, end: UInt8(ascii: "}"))
    } else {
      output.append("}")
    }
  }
}
