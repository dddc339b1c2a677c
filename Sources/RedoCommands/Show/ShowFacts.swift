// What is known about one object in addition to its bytes, and the row of --json.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The facts about an object.
struct ShowFacts {
  /// A parent, and its action.
  struct Parent {
    let id: ObjectID
    /// Its action; `nil` when the parent cannot be read.
    let action: String?
    /// Why it cannot be read: `missing`, `corrupt` or `no node`.
    let state: String?
  }

  /// The node, if the object is one.
  var node: Node?
  /// The verdict on its signature, if one was asked for.
  var verdict: VerdictRow?
  /// When it was taken into the history, in milliseconds since 1970; `nil` when it is not part of it.
  var received: Int64?
  /// When a remote first had it, according to the remote; `nil` when no remote says so.
  var created: WallTime?
  /// Its parents, in the order of the node.
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
