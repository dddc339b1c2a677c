// What a row of a listing can show about a ref: its name and id, and values of the object.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// An atom of a format of refs.
enum RefAtom: Sendable {
  case name
  case id
  /// The task in the name, or that of the node.
  case task
  case object(ObjectAtom)

  /// The names of the atoms; several names may mean the same.
  static let all: KeyValuePairs<String, RefAtom> = [
    "name": .name, "refname": .name, "id": .id, "objectname": .id, "task": .task,
    "kind": .object(.kind), "objecttype": .object(.kind), "size": .object(.size),
    "objectsize": .object(.size), "parents": .object(.parents), "lamport": .object(.lamport),
    "wall": .object(.wall), "author:userid": .object(.userID),
    "author:device": .object(.deviceID), "author:name": .object(.authorName),
    "author:email": .object(.authorEmail), "author:devicename": .object(.deviceName),
    "author:key": .object(.publicKey), "action": .object(.action), "data": .object(.data),
    "signature": .object(.signature), "body": .object(.body),
  ]

  /// Whether the object is needed to show it.
  var needsObject: Bool {
    switch self {
    case .name, .id: false
    // For heads, the task is in the name, and most stores have no other refs.
    case .task: false
    case .object: true
    }
  }
}

/// One ref, and what is known about its object.
struct RefRow: Sendable {
  let ref: Ref
  /// The object, if it was asked for.
  let object: StoredObject?
  let node: Node?
  /// Whether texts are shown unescaped, because a NUL ends the row.
  var isRaw = false

  /// Appends the value of an atom.
  func append(_ atom: RefAtom, to output: inout [UInt8]) {
    switch atom {
    case .name: output += isRaw ? ref.name.bytes : Array(Escape.text(ref.name.bytes).utf8)
    case .id: ref.id.append(to: &output)
    case .task:
      if let task = ref.name.task {
        output += task.text.utf8
      } else {
        append(.object(.task), to: &output)
      }
    case .object(let atom):
      guard let object else { return }
      ObjectRow(object: object, node: node, isRaw: isRaw).append(atom, to: &output)
    }
  }

  /// Appends the row as a member of RFC 8785 JSON.
  func appendJSON(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        json.add("id", ref.id.text)
        json.add("name", ref.name.text)
        if let task = ref.name.task { json.add("task", task.text) }
      }
    }
  }
}
