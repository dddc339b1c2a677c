// The history as a graph of Graphviz (`man dot`; graphviz.org/doc/info/lang.html).
//
//   digraph redo {
//     subgraph "cluster_0" {
//       label="550e8400-e29b-41d4-a716-446655440000";
//       "sha256:5f0c..." [label="CREATE\n2024-05-01 10:00\nphone\nWater the plants", shape=...];
//     }
//     "sha256:73a1..." -> "sha256:5f0c...";
//   }

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Changes as a graph: one statement per line, each task in a cluster, edges from children to parents.
struct DotText {
  /// The longest part of a label, in columns.
  static let partWidth = 40

  private let changes: [DrawnChange]
  /// The places of the changes of each task, tasks in the order of their first change; changes without a task last.
  private let tasks: [(task: TaskID?, places: [Int])]

  /// A graph of changes.
  init(_ changes: [DrawnChange]) {
    self.changes = changes
    var tasks: [(task: TaskID?, places: [Int])] = []
    var numbers: [TaskID: Int] = [:]
    var others: [Int] = []
    for (place, change) in changes.enumerated() {
      guard let task = change.task else {
        others.append(place)
        continue
      }
      if let number = numbers[task] {
        tasks[number].places.append(place)
      } else {
        numbers[task] = tasks.count
        tasks.append((task, [place]))
      }
    }
    if !others.isEmpty { tasks.append((nil, others)) }
    self.tasks = tasks
  }

  /// Appends the graph.
  ///
  /// - Parameters:
  ///   - output: receives the text; may be emptied by `pause`.
  ///   - pause: called every few lines.
  /// - Throws: the errors of `pause`.
  func append(
    to output: inout [UInt8], pause: (inout [UInt8]) throws -> Void = { _ in }
  ) throws {
    output += Self.head.utf8
    for (number, (task, places)) in tasks.enumerated() {
      let indent = task == nil ? "  " : "    "
      if let task {
        output += "  subgraph \"cluster_\(number)\" {\n    label=\"\(task.text)\";\n".utf8
      }
      for place in places {
        appendNode(changes[place], indent, to: &output)
        try pause(&output)
      }
      if task != nil { output += "  }\n".utf8 }
    }
    for change in changes {
      for parent in change.distinctParents {
        output += "  \"".utf8
        change.id.append(to: &output)
        output += "\" -> \"".utf8
        changes[parent].id.append(to: &output)
        output += "\";\n".utf8
      }
      try pause(&output)
    }
    output += "}\n".utf8
  }

  private static let head = """
    digraph redo {
      graph [charset="UTF-8", fontname="sans-serif", fontsize=10, color="#8c959f", style=rounded];
      node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#57606a", \
    fontname="sans-serif", fontsize=10];
      edge [color="#57606a", arrowsize=0.6];

    """

  private func appendNode(_ change: DrawnChange, _ indent: String, to output: inout [UInt8]) {
    output += indent.utf8
    output.append(UInt8(ascii: "\""))
    change.id.append(to: &output)
    output += "\" [label=\"".utf8
    let parts = [
      change.action, DrawnText.minute(change.wall.milliseconds), change.device, change.summary,
    ]
    for (index, part) in parts.enumerated() where index == 0 || !part.isEmpty {
      if index > 0 { output += "\\n".utf8 }
      Self.appendEscaped(DrawnText.line(part, width: Self.partWidth), to: &output)
    }
    output += "\"\(Self.look(change))];\n".utf8
  }

  /// The look of a change: deletions take precedence over merges, and merges over roots.
  private static func look(_ change: DrawnChange) -> String {
    if change.action == Action.delete.rawValue {
      return ", shape=octagon, style=filled, fillcolor=\"#ffdcd7\", color=\"#cf222e\""
    }
    if change.isMerge {
      return ", shape=hexagon, style=filled, fillcolor=\"#eddeff\", color=\"#8250df\""
    }
    if change.isRoot {
      return ", shape=ellipse, style=filled, fillcolor=\"#d2f4d9\", color=\"#1a7f37\""
    }
    return ""
  }

  /// Appends a text as part of a quoted label.
  ///
  /// Apart from quotes, labels interpret escapes such as `\N`, and HTML entities.
  static func appendEscaped(_ text: String, to output: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case UInt8(ascii: "&"): output += "&amp;".utf8
      case 0..<0x20, 0x7F: output.append(UInt8(ascii: " "))
      default: output.append(byte)
      }
    }
  }
}
