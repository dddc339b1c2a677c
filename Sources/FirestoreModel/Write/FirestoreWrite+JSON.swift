// Writes as JSON and from it.

internal import RedoObject

extension FirestoreWrite {
  /// Appends the write.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    switch operation {
    case .update(let document):
      output.appendName("update")
      document.appendJSON(to: &output)
    case .delete(let name):
      output.appendName("delete")
      output.append(json: name)
    }
    if let updateMask {
      output.appendName("updateMask")
      output.append("{\"fieldPaths\":[")
      for path in updateMask {
        output.appendComma()
        output.append(json: path.text)
      }
      output.append("]}")
    }
    if !transforms.isEmpty {
      output.appendName("updateTransforms")
      output.append("[")
      for transform in transforms {
        output.appendComma()
        transform.appendJSON(to: &output)
      }
      output.append("]")
    }
    switch precondition {
    case .exists(let exists):
      output.appendName("currentDocument")
      output.append(exists ? "{\"exists\":true}" : "{\"exists\":false}")
    case .updateTime(let time):
      output.appendName("currentDocument")
      output.append("{\"updateTime\":")
      output.append(json: time.text)
      output.append("}")
    case nil: break
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Reads a write.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or not known.
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a write that is no object") }
    var operation: Operation?
    transforms = []
    for (name, value) in json.members where !value.isNull {
      switch name.string {
      case "update", "delete":
        guard operation == nil else { throw name.fault("a second operation in one write") }
        if name.isString("update") {
          operation = .update(try FirestoreDocument(value))
        } else {
          guard let text = value.string else { throw value.fault("not a string") }
          operation = .delete(text)
        }
      case "updateMask": updateMask = try FirestoreWrite.mask(value)
      case "updateTransforms":
        for transform in value.elements { transforms.append(try Transform(transform)) }
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
  package static func mask(_ json: JSONView) throws(FirestoreFormatError) -> [FieldPath] {
    guard json.isObject else { throw json.fault("a mask that is no object") }
    var paths: [FieldPath] = []
    for path in json["fieldPaths"]?.elements ?? [] {
      paths.append(try FieldPath(path, of: json))
    }
    return paths
  }

  /// Reads what must hold before.
  ///
  /// - Parameter json: an object with `exists` or `updateTime`.
  /// - Returns: `nil` for an empty object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong.
  package static func precondition(
    _ json: JSONView
  ) throws(FirestoreFormatError) -> Precondition? {
    guard json.isObject else { throw json.fault("a precondition that is no object") }
    if let value = json["exists"] {
      guard let exists = value.boolean else { throw value.fault("neither true nor false") }
      return .exists(exists)
    }
    return try FirestoreTimestamp(json["updateTime"]).map { .updateTime($0) }
  }
}

extension FirestoreWrite.Transform {
  /// Appends the transform.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append("{\"fieldPath\":")
    output.append(json: field.text)
    switch kind {
    case .requestTime: output.append(",\"setToServerValue\":\"REQUEST_TIME\"")
    case .increment(let value): Self.append("increment", value, to: &output)
    case .maximum(let value): Self.append("maximum", value, to: &output)
    case .minimum(let value): Self.append("minimum", value, to: &output)
    case .appendMissing(let values): Self.append("appendMissingElements", values, to: &output)
    case .removeAll(let values): Self.append("removeAllFromArray", values, to: &output)
    }
    output.append("}")
  }

  private static func append(
    _ name: StaticString, _ value: FirestoreValue, to output: inout [UInt8]
  ) {
    output.appendName(name)
    value.appendJSON(to: &output)
  }

  private static func append(
    _ name: StaticString, _ values: [FirestoreValue], to output: inout [UInt8]
  ) {
    output.appendName(name)
    output.append("{\"values\":")
    FirestoreValue.append(values, to: &output)
    output.append("}")
  }

  /// Reads a transform.
  ///
  /// - Parameter json: an object.
  /// - Throws: `FirestoreFormatError` at the part that is wrong or not known.
  package init(_ json: JSONView) throws(FirestoreFormatError) {
    guard json.isObject else { throw json.fault("a transform that is no object") }
    field = try FieldPath(json["fieldPath"], of: json)
    var kind: FirestoreWrite.Transform.Kind?
    for (name, value) in json.members where !value.isNull && !name.isString("fieldPath") {
      guard kind == nil else { throw name.fault("a second kind in one transform") }
      switch name.string {
      case "setToServerValue":
        guard value.isString("REQUEST_TIME") || value.integer == 1 else {
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

  private static func number(_ json: JSONView) throws(FirestoreFormatError) -> FirestoreValue {
    let value = try FirestoreValue(json)
    switch value {
    case .integer, .double: return value
    default: throw json.fault("not a number")
    }
  }

  private static func elements(
    _ json: JSONView
  ) throws(FirestoreFormatError) -> [FirestoreValue] {
    guard json.isObject else { throw json.fault("an array that is no object") }
    var values: [FirestoreValue] = []
    for value in json["values"]?.elements ?? [] { values.append(try FirestoreValue(value)) }
    return values
  }
}
