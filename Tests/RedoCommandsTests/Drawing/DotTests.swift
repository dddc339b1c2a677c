// The graph for Graphviz: its content, that texts are escaped, and that dot can read it.

import Foundation
import RedoObject
import TestSupport
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Dot")
struct DotTests {
  private func dot(_ changes: [DrawnChange]) throws -> String {
    var output: [UInt8] = []
    try DotText(changes).append(to: &output)
    return string(output)
  }

  @Test("no changes")
  func nothing() throws {
    let text = try dot([])
    #expect(text.hasPrefix("digraph redo {\n"))
    #expect(text.hasSuffix("arrowsize=0.6];\n}\n"))
  }

  @Test("clusters, shapes, edges")
  func whole() throws {
    let text = try dot([
      Drawn.change(0, [1], action: "DELETE", summary: "Water the plants"),
      Drawn.change(1, [2, 3, 3], action: "MERGE"),
      Drawn.change(2, [4], device: ""), Drawn.change(3, [4], task: 2),
      Drawn.change(4, [], action: "CREATE", task: nil),
    ])
    let ids = (0...4).map { Drawn.id($0).text }
    let when = "2024-05-01 10:00"
    let merge = "shape=hexagon, style=filled, fillcolor=\"#eddeff\", color=\"#8250df\""
    let root = "shape=ellipse, style=filled, fillcolor=\"#d2f4d9\", color=\"#1a7f37\""
    let deletion = "shape=octagon, style=filled, fillcolor=\"#ffdcd7\", color=\"#cf222e\""
    let expected = """
        subgraph "cluster_0" {
          label="\(Drawn.task(1).text)";
          "\(ids[0])" [label="DELETE\\n\(when)\\nphone\\nWater the plants", \(deletion)];
          "\(ids[1])" [label="MERGE\\n\(when)\\nphone", \(merge)];
          "\(ids[2])" [label="UPDATE\\n\(when)"];
        }
        subgraph "cluster_1" {
          label="\(Drawn.task(2).text)";
          "\(ids[3])" [label="UPDATE\\n\(when)\\nphone"];
        }
        "\(ids[4])" [label="CREATE\\n\(when)\\nphone", \(root)];
        "\(ids[0])" -> "\(ids[1])";
        "\(ids[1])" -> "\(ids[2])";
        "\(ids[1])" -> "\(ids[3])";
        "\(ids[2])" -> "\(ids[4])";
        "\(ids[3])" -> "\(ids[4])";
      }

      """
    let head = try #require(text.range(of: "arrowsize=0.6];\n"))
    #expect(text[head.upperBound...] == expected)
  }

  @Test("it can be handed on in pieces")
  func pieces() throws {
    var random = SeededRandom(seed: 1)
    let changes = Drawn.history(&random, count: 50)
    var (all, part): ([UInt8], [UInt8]) = ([], [])
    var largest = 0
    try DotText(changes).append(to: &part) { part in
      largest = max(largest, part.count)
      all += part
      part = []
    }
    #expect(string(all + part) == (try dot(changes)))
    #expect(largest < 1500)
  }

  @Test("each statement is one line, whatever the texts are")
  func statements() throws {
    let text = try dot(Drawn.hostileLog)
    let count = Drawn.hostile.count
    #expect(text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    // Head, clusters, nodes, edges, ends.
    #expect(text.split(separator: "\n").count == 4 + 2 + count + 1 + count - 1 + 1)
    #expect(text.contains(#"[label="UPDATE\n2024-05-01 10:00\n\\N \\G \\l \\\n\\N \\G \\l \\"];"#))
    #expect(text.contains(#"\n\" onload=\"x\n\" onload=\"x"];"#))
    #expect(text.contains(#"\n&amp;amp;\n&amp;amp;"];"#))
    #expect(text.contains(#"\n\\x1b[31mred""#) || text.contains(#"[label="\\x1b[31mred\n"#))
    #expect(text.contains(#"\nline\\x0abreak\\x0d\\x0a\n"#))
  }

  private static let isPresent: Bool = {
    let isPresent = (try? layout([], "plain")) != nil
    if !isPresent { print("SKIPPED: no dot (Graphviz)") }
    return isPresent
  }()

  /// The layout that dot makes of a graph.
  private static func layout(_ changes: [DrawnChange], _ form: String) throws -> Data {
    var output: [UInt8] = []
    try DotText(changes).append(to: &output)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(output).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["dot", "-T\(form)", file.path]
    let (result, errors) = (Pipe(), Pipe())
    process.standardOutput = result
    process.standardError = errors
    try process.run()
    let text = result.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    #expect(string(complaints) == "")
    return text
  }

  @Test("dot reads it, and shows the texts as they are", .enabled(if: isPresent, "SKIPPED: no dot"))
  func graphviz() throws {
    let drawing = try SVGReader(Self.layout(Drawn.hostileLog, "svg"))
    let shown = Set(drawing.elements.filter { $0.name == "text" }.map(\.text))
    for text in Drawn.hostile {
      // An empty part of a label does not count as one.
      #expect(shown.contains(DrawnText.line(text, width: DotText.partWidth)), "\(text.prefix(20))")
    }
    let changes = try Drawn.log("merged.ndjson")
    let plain = string(try Self.layout(changes, "plain")).split(separator: "\n")
    #expect(plain.count { $0.hasPrefix("node ") } == changes.count)
    #expect(plain.count { $0.hasPrefix("edge ") } == changes.map(\.parents.count).reduce(0, +))
  }
}
