// What is known of one object besides its bytes, and the row of --json.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// What was found out about an object.
struct ShowFacts {
  /// A parent, and what it did.
  struct Parent {
    let id: ObjectID
    /// What it did; `nil` when it cannot be read.
    let action: String?
    /// Why it cannot be read: `missing`, `corrupt` or `no node`.
    let state: String?
  }

  /// The node, if the object is one.
  var node: Node?
  /// What is said of its signature, if that was asked.
  var verdict: VerdictRow?
  /// When it was taken into the history, in milliseconds since 1970; `nil` when it was not.
  var received: Int64?
  /// When a remote first had it, as the remote says; `nil` where none says it.
  var created: WallTime?
  /// Its parents in the order of the node.
  var parents: [Parent] = []

  /// Appends `{"createdAt":…,"id":…,"kind":"node","node":{…},"parents":[…],"received":…,"verdict":{…}}`.
  func appendJSON(of object: StoredObject, to output: inout [UInt8]) {
    output.append("{")
    if let created {
      output.append("\"createdAt\":\"")
      created.append(to: &output)
      output.append("\",")
    }
    output.append("\"id\":\"")
    object.id.append(to: &output)
    output.append("\",\"kind\":\"")
    output.append(object.kind.name)
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
      if let action = parent.action {
        output.append("\"action\":")
        JSONWriter.appendString(action, to: &output)
        output.append(",")
      }
      output.append("\"id\":\"")
      parent.id.append(to: &output)
      output.append("\"")
      if let state = parent.state { output += ",\"state\":\"\(state)\"".utf8 }
      output.append("}")
    }
    output.append("]")
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
