// Archives as rows.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension ArchiveRow {
  /// Appends `<name> <nodes> <bytes> <first> <last> <file>`; `-` stands for what there is not.
  func append(to output: inout [UInt8]) {
    output += Self.hex(directory).utf8
    output += " \(directory.nodes) \(fileBytes) ".utf8
    output += "\(Self.wall(directory.walls?.lowerBound) ?? "-") ".utf8
    output += "\(Self.wall(directory.walls?.upperBound) ?? "-") ".utf8
    output += Escape.text(path).utf8
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    row.add("bytes", fileBytes)
    row.add("canonicalBytes", directory.canonicalBytes)
    if isSealed { row.add("encrypted", true) }
    row.add("file", path)
    row.addIfAny("first", Self.wall(directory.walls?.lowerBound))
    row.add("frames", directory.frames.count)
    row.addIfAny("last", Self.wall(directory.walls?.upperBound))
    if let lamports = directory.lamports {
      row.add("lamports", [lamports.lowerBound, lamports.upperBound]) { number, output in
        output += "\(number)".utf8
      }
    }
    row.add("name", Self.hex(directory))
    row.add("nodes", directory.nodes)
    row.add("prerequisites", directory.prerequisites) { id, output in
      output.append("\"")
      id.append(to: &output)
      output.append("\"")
    }
    row.append(to: &output)
  }

  /// Writes the row.
  func write(isJSON: Bool, end: UInt8, _ context: inout Context) throws {
    try context.output.append { output throws in
      if isJSON { appendJSON(to: &output) } else { append(to: &output) }
      output.append(end)
    }
  }
}
