// Where test vectors lie: our own in Tests/Vectors, other projects' in ../shared/vectors beside the
// repository.

package import Foundation

/// A folder of vectors.
package struct VectorFolder: Sendable {
  /// The root of the repository, found from where this file was compiled.
  package static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private let url: URL

  /// A folder of Tests/Vectors.
  package static func own(_ name: String) -> VectorFolder {
    VectorFolder(url: repository.appending(path: "Tests/Vectors/\(name)"))
  }

  /// A folder of ../shared/vectors; test first whether `isSharedPresent`.
  package static func shared(_ name: String) -> VectorFolder {
    VectorFolder(url: sharedRoot.appending(path: name))
  }

  private static let sharedRoot =
    repository.deletingLastPathComponent().appending(path: "shared/vectors")

  /// The message when the vectors of other projects are missing.
  package static let sharedIsAbsent = "SKIPPED: ../shared/vectors is absent"

  /// Whether the vectors of other projects are there; says so aloud when they are not.
  package static let isSharedPresent: Bool = {
    let isPresent = FileManager.default.fileExists(atPath: sharedRoot.path)
    if !isPresent { print(sharedIsAbsent) }
    return isPresent
  }()

  /// The bytes of a file.
  package func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appending(path: name)))
  }

  /// The paths of all files below it with a suffix, sorted.
  package func files(_ suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(suffix) }.sorted()
  }

  /// The text of a file.
  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// The lines of a file, without their ends; a last line may lack its end.
  package func lines(_ name: String) throws -> [[UInt8]] {
    var lines = try bytes(name).split(separator: 0x0A, omittingEmptySubsequences: false).map(
      Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The rows of a table: tab-separated cells below a first line that names the columns.
  package func table(_ name: String = "EXPECTED.tsv") throws -> [[String]] {
    try text(name).split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// A file of JSON, read by Foundation.
  package func json<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes(name)))
  }
}
