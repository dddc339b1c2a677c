// The name of a document: projects/<project>/databases/<database>/documents/<collection>/<id>/...

/// A database of a project.
package struct DatabaseName: Hashable, Sendable {
  /// The database that a project has from the beginning.
  package static let defaultID = "(default)"

  /// The project's id.
  package let project: String
  /// The database's id.
  package let database: String

  /// A database.
  ///
  /// `nil` when either is empty, too long, or has characters that an id may not have.
  ///
  /// - Parameters:
  ///   - project: the project's id.
  ///   - database: the database's id.
  package init?(project: String, database: String = DatabaseName.defaultID) {
    guard Self.isID(project, more: ":."), Self.isID(database, more: "()") else { return nil }
    self.project = project
    self.database = database
  }

  /// Letters, digits, `-`, `_` and some more, 1 to 128.
  private static func isID(_ text: String, more: String) -> Bool {
    guard (1...128).contains(text.utf8.count), text != ".", text != ".." else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: more.utf8.contains(byte)
      }
    }
  }

  /// `projects/<project>/databases/<database>`.
  package var text: String { "projects/\(project)/databases/\(database)" }

  /// The root of its documents, `projects/<project>/databases/<database>/documents`.
  package var documents: String { text + "/documents" }
}

/// The name of a document.
package struct DocumentName: Sendable {
  /// The longest name of a collection or of a document in bytes.
  package static let segmentLimit = 1500
  /// The longest whole name in bytes, and the most collections it leads through.
  package static let byteLimit = 6144
  /// How many names a path may have: 100 collections and their documents.
  package static let depthLimit = 200

  /// Its database.
  package let database: DatabaseName
  /// Collection, document, collection, document and so on; an even number, at least 2.
  package let path: [String]

  /// A document by its path.
  ///
  /// `nil` for anything that Firestore does not accept as a name.
  ///
  /// - Parameters:
  ///   - database: its database.
  ///   - path: collection and document in turn.
  package init?(_ database: DatabaseName, _ path: [String]) {
    guard !path.isEmpty, path.count.isMultiple(of: 2), path.count <= Self.depthLimit,
      path.allSatisfy(Self.isSegment),
      path.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.byteLimit
    else { return nil }
    self.database = database
    self.path = path
  }

  /// Reads a full name.
  ///
  /// `nil` for anything else.
  ///
  /// - Parameter text: `projects/.../databases/.../documents/...`, not percent-encoded.
  package init?(text: String) {
    let parts = text.split(
      separator: "/", maxSplits: Self.depthLimit + 6, omittingEmptySubsequences: false
    ).map(String.init)
    guard parts.count >= 7, parts[0] == "projects", parts[2] == "databases",
      parts[4] == "documents",
      let database = DatabaseName(project: parts[1], database: parts[3])
    else { return nil }
    self.init(database, Array(parts[5...]))
  }

  /// Whether a text can be the name of a collection or of a document.
  ///
  /// - Parameter text: a name.
  /// - Returns: `false` for `.`, `..`, `__x__`, what has a `/`, and what is empty or over 1500 bytes.
  package static func isSegment(_ text: String) -> Bool {
    (1...segmentLimit).contains(text.utf8.count) && text != "." && text != ".."
      && !FieldPath.isReserved(text) && !text.utf8.contains(UInt8(ascii: "/"))
  }

  /// The id of the document in its collection.
  package var id: String { path[path.count - 1] }

  /// The collection that the document is in.
  package var collection: String { path[path.count - 2] }

  /// The full name.
  package var text: String { database.documents + "/" + relative }

  /// The name below `documents/`.
  package var relative: String { path.joined(separator: "/") }

  /// The full name for the path of a URL: everything but unreserved characters, `(`, `)` and `:`
  /// is percent-encoded (RFC 3986).
  package var urlPath: String {
    ([database.documents] + path.map(Self.percentEncoded)).joined(separator: "/")
  }

  private static func percentEncoded(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        output.append(byte)
      default:
        output.append(UInt8(ascii: "%"))
        for half in [byte >> 4, byte & 0x0F] {
          output.append(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "A") - 10 + half)
        }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension DocumentName: Hashable {
  package static func == (left: DocumentName, right: DocumentName) -> Bool {
    left.database == right.database && left.path.count == right.path.count
      && zip(left.path, right.path).allSatisfy { ExactText.areEqual($0, $1) }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension DocumentName: Comparable {
  package static func < (left: DocumentName, right: DocumentName) -> Bool {
    left.path.lexicographicallyPrecedes(right.path, by: ExactText.isLess)
  }
}
