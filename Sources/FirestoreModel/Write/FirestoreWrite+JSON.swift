// Writes as JSON and from it.

package import CanonicalJSON
internal import RedoObject

extension FirestoreWrite: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch operation {
      case .update(let document): json.add("update", document)
      case .delete(let name): json.add("delete", name)
      }
      if let updateMask {
        json.addObject("updateMask") { $0.add("fieldPaths", updateMask.map(\.text)) }
      }
      if !transforms.isEmpty { json.add("updateTransforms", transforms) }
      switch precondition {
      case .exists(let exists): json.addObject("currentDocument") { $0.add("exists", exists) }
      case .updateTime(let time):
        json.addObject("currentDocument") { $0.add("updateTime", time.text) }
      case nil: break
      }
    }
  }

  /// Reads a write.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or unknown.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a write that is no object") }
    var operation: Operation?
    transforms = []
    var members = json.members
    while let member = members.next() {
      let name = member.name
      let value = member.value
      if value.isNull { continue }
      switch name.string {
      case "update", "delete":
        guard operation == nil else { throw name.fault("a second operation in one write") }
        if name.isText("update") {
          operation = .update(try FirestoreDocument(value))
        } else {
          guard let text = value.string else { throw value.fault("not a string") }
          operation = .delete(text)
        }
      case "updateMask": updateMask = try FirestoreWrite.mask(value)
      case "updateTransforms":
        var elements = value.elements
        while let transform = elements.next() { transforms.append(try Transform(transform)) }
      case "currentDocument": precondition = try FirestoreWrite.precondition(value)
      default: throw name.fault("a part of a write that is not known")
      }
    }
    guard let operation else { throw json.fault("a write without an operation") }
    self.operation = operation
  }

  /// Reads a mask of fields.
  ///
  /// - Parameter json: an object with `fieldPaths`.
  /// - Returns: the paths.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package static func mask(_ json: JSONValue) throws(FirestoreFormatError) -> [FieldPath] {
    guard json.isObject else { throw json.fault("a mask that is no object") }
    var paths: [FieldPath] = []
    var elements = json.elements(of: "fieldPaths")
    while let path = elements.next() {
      paths.append(try FieldPath(path, of: json))
    }
    return paths
  }

  /// Reads a precondition.
  ///
  /// - Parameter json: an object with `exists` or `updateTime`.
  /// - Returns: `nil` for an empty object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package static func precondition(
    _ json: JSONValue
  ) throws(FirestoreFormatError) -> Precondition? {
    guard json.isObject else { throw json.fault("a precondition that is no object") }
    if let value = json.given("exists") {
      guard let exists = value.boolean else { throw value.fault("neither true nor false") }
      return .exists(exists)
    }
    return try FirestoreTimestamp(json.given("updateTime")).map { .updateTime($0) }
  }
}

extension FirestoreWrite.Transform: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.add("fieldPath", field.text)
      switch kind {
      case .requestTime: json.add("setToServerValue", "REQUEST_TIME")
      case .increment(let value): json.add("increment", value)
      case .maximum(let value): json.add("maximum", value)
      case .minimum(let value): json.add("minimum", value)
      case .appendMissing(let values):
        json.addObject("appendMissingElements") { $0.add("values", values) }
      case .removeAll(let values):
        json.addObject("removeAllFromArray") { $0.add("values", values) }
      }
    }
  }

  /// Reads a transform.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or unknown.
  package init(_ json: JSONValue) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a transform that is no object") }
    field = try FieldPath(json.given("fieldPath"), of: json)
    var kind: FirestoreWrite.Transform.Kind?
    var members = json.members
    while let member = members.next() {
      let name = member.name
      let value = member.value
      if value.isNull || name.isText("fieldPath") { continue }
      guard kind == nil else { throw name.fault("a second kind in one transform") }
      switch name.string {
      case "setToServerValue":
        guard value.isText("REQUEST_TIME") || value.protoInteger == 1 else {
          throw value.fault("a server value that is not known")
        }
        kind = .requestTime
      case "increment": kind = .increment(try Self.number(value))
      case "maximum": kind = .maximum(try Self.number(value))
      case "minimum": kind = .minimum(try Self.number(value))
      case "appendMissingElements": kind = .appendMissing(try Self.elements(value))
      case "removeAllFromArray": kind = .removeAll(try Self.elements(value))
      default: throw name.fault("a transform that is not known")
      }
    }
    guard let kind else { throw json.fault("a transform without a kind") }
    self.kind = kind
  }

  private static func number(_ json: JSONValue) throws(FirestoreFormatError) -> FirestoreValue {
    let value = try FirestoreValue(json)
    switch value {
    case .integer, .double: return value
    default: throw json.fault("not a number")
    }
  }

  private static func elements(
    _ json: JSONValue
  ) throws(FirestoreFormatError) -> [FirestoreValue] {
    guard json.isObject else { throw json.fault("an array that is no object") }
    var values: [FirestoreValue] = []
    var elements = json.elements(of: "values")
    while let value = elements.next() { values.append(try FirestoreValue(value)) }
    return values
  }
}
