// The changes in a log from before version 1, wherever they are in a JSON text:
//
//   {"users/u/changes/c": {...}}, {"users": {"u": {"changes": {"c": {...}}}}}    exported documents,
//       also between "__collections__", and with the typed values of the document database:
//       {"documents": [{"name": ".../users/u/changes/c", "fields": {"action": {"stringValue": ...
//   [{...}, ...], {"changes": [{...}]}, one a line                               changes_<user>.json
//
// They are returned as plain JSON.

package import CanonicalJSON
package import RedoObject

/// A change as it was found.
package struct V0Document {
  /// The two layouts that were abandoned before version 1.
  package enum Layout: String, CaseIterable {
    case documents = "users/{uid}/changes"
    case list = "changes_{userId}.json"
  }

  /// The last part of its path: its id, unless it states one.
  package let name: String
  package let layout: Layout
  /// Where it begins in its input.
  package let offset: Int
  /// The change as plain RFC 8785 JSON.
  package let text: [UInt8]
}

extension V0Document.Layout {
  /// The layout of a value that was taken for a node and refused.
  ///
  /// The result is `nil` when nothing suggests a log from before version 1.
  ///
  /// - Parameter findings: why it was refused.
  package init?(suggestedBy findings: [Finding]) {
    var missing: Set<String> = []
    var version: Finding?
    var hasOldForms = false
    for finding in findings {
      guard case .pointer(let place) = finding.place else { continue }
      switch finding.rule {
      case .memberMissing: missing.insert(place)
      case .versionUnsupported: version = finding
      case .idForm, .userIDForm, .publicKeyForm, .signatureForm, .parentsForm, .dataShape:
        hasOldForms = true
      case .memberUnknown where Self.documentNames.contains(place) || Self.isPath(place):
        self = .documents
        return
      case .memberUnknown where place == "/changes":
        self = .list
        return
      default: continue
      }
    }
    // A single change: of version 0, or without a version but with IDs or data as they were then.
    let isWithout = missing.contains("/version") && !missing.contains("/action") && hasOldForms
    guard version?.detail == "0" || isWithout else { return nil }
    self = .list
  }

  private static let documentNames: Set = ["/users", "/documents", "/__collections__"]

  /// Whether a name is the path of a change's document, its slashes written as `~1`.
  private static func isPath(_ pointer: String) -> Bool {
    let parts = pointer.dropFirst().replacing("~1", with: "/").split(separator: "/")
    return zip(parts, parts.dropFirst(2)).contains { $0 == "users" && $1 == "changes" }
  }
}

/// Finds changes in JSON.
package struct V0Finder: ~Copyable {
  private var scanner = Scanner()
  /// What was found, in the order of the text.
  package private(set) var documents: [V0Document] = []

  package init() {}

  /// Finds the changes of a text.
  ///
  /// - Parameter text: JSON values, one after another.
  /// - Throws: an error with the place where the text is not JSON.
  package mutating func find(_ text: [UInt8]) throws(JSONError) {
    var start = 0
    while let next = text[start...].firstIndex(where: { !Self.isSpace($0) }) {
      start = next
      var end = text.count
      do throws(JSONError) {
        try scanner.scan(text.span.extracting(start..<end))
      } catch {
        guard error.rule == .trailing else { throw JSONError(error.rule, at: start + error.offset) }
        end = start + error.offset
        try scanner.scan(text.span.extracting(start..<end))
      }
      try Self.find(scanner, text.span.extracting(start..<end), at: start, into: &documents)
      start = end
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// A value that may be a change, or contain changes.
  private struct Place {
    let token: Int
    let path: [String]
    /// Whether it is in a place where only changes occur.
    let isExpected: Bool
  }

  private static func find(
    _ scanner: borrowing Scanner, _ text: Span<UInt8>, at base: Int,
    into documents: inout [V0Document]
  ) throws(JSONError) {
    let root = scanner.root(of: text)
    var pending = [Place(token: root.index, path: [], isExpected: false)]
    while let place = pending.popLast() {
      let value = root.value(at: place.token)
      let offset = base + value.contentPlace.lowerBound
      switch value.kind {
      case .array:
        // A list of changes at the top, or under a name that says so.
        let isList = place.path.isEmpty || place.path.last == "changes"
        for element in value.elementIndices.reversed() {
          pending.append(Place(token: element, path: place.path, isExpected: isList))
        }
      case .object:
        if let fields = typedFields(of: value) {
          var path = place.path
          if let name = value.member("name")?.string { path = components(name) }
          documents.append(try document(fields, isTyped: true, path, at: offset))
        } else if place.isExpected || isChange(value) {
          documents.append(try document(value, isTyped: false, place.path, at: offset))
        } else {
          for name in value.nameIndices.reversed() {
            let parts = components(root.value(at: name).string ?? "")
              .filter { $0 != "__collections__" }
            let path = place.path + parts
            let isExpected = path.count > 1 && path[path.count - 2] == "changes"
            pending.append(
              Place(
                token: name + 1, path: path,
                isExpected: isExpected && root.value(at: name + 1).isObject))
          }
        }
      case .string, .number, .literalTrue, .literalFalse, .null:
        guard place.isExpected else { continue }
        documents.append(try document(value, isTyped: false, place.path, at: offset))
      }
    }
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init)
  }

  private static func document(
    _ value: JSONValue, isTyped: Bool, _ path: [String], at offset: Int
  ) throws(JSONError) -> V0Document {
    var plain: [UInt8] = []
    V0Values.append(value, isTyped: isTyped, to: &plain)
    let isDocument = zip(path, path.dropFirst(2)).contains { $0 == "users" && $1 == "changes" }
    return V0Document(
      name: path.last ?? "", layout: isDocument ? .documents : .list, offset: offset,
      text: try JSONDocument(plain).canonical)
  }

  /// Whether an object looks like a change among other things.
  private static func isChange(_ object: JSONValue) -> Bool {
    object.member("action") != nil
      && (object.member("author") != nil || object.member("timestamp") != nil)
  }

  /// The fields of a document with typed values, if it is a change.
  @_lifetime(copy object)
  private static func typedFields(of object: JSONValue) -> JSONValue? {
    guard let fields = object.member("fields"), fields.member("action")?.isObject == true else {
      return nil
    }
    return fields
  }
}
