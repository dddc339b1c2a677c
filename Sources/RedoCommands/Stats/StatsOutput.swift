// What was counted, in lines, in JSON or in rows.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes a summary.
struct StatsOutput {
  private let summary: StatsSummary

  init(_ summary: StatsSummary) { self.summary = summary }

  private func tally(_ dimension: StatsDimension, _ key: String) -> StatsTally {
    summary.tallies[dimension]?[key] ?? StatsTally()
  }

  /// The numbers for people and scripts, in the order in which they are printed.
  private var pairs: [(key: String, value: String)] {
    let (loose, packed) = (tally(.place, "loose"), tally(.place, "packed"))
    let alternate = tally(.place, "alternate")
    let archived = tally(.place, "archived")
    return [
      ("totalChanges", "\(summary.changes.count)"),
      ("fileSize", "\(summary.fileSize)"),
      ("lastModified", summary.lastModified.text),
      ("users", "\(summary.tallies[.author]?.count ?? 0)"),
      ("nodes", "\(tally(.kind, "node").count)"),
      ("blobs", "\(tally(.kind, "blob").count)"),
      ("outside", "\(summary.outside.count)"),
      ("loose", "\(loose.count)"),
      ("looseSize", "\(loose.disk)"),
      ("packed", "\(packed.count)"),
      ("packedSize", "\(packed.disk)"),
      ("alternate", "\(alternate.count)"),
      ("alternateSize", "\(alternate.disk)"),
      ("archived", "\(archived.count)"),
      ("archivedSize", "\(archived.disk)"),
      ("missing", "\(summary.missing)"),
      ("corrupt", "\(summary.damage.count)"),
    ]
  }

  /// Appends `key: value` lines, or with NUL `key LF value NUL`.
  func appendLines(hasNul: Bool, to output: inout [UInt8]) {
    for (key, value) in pairs {
      output += (hasNul ? "\(key)\n\(value)\0" : "\(key): \(value)\n").utf8
    }
  }

  /// Appends one object of RFC 8785 JSON, and a line feed.
  func appendJSON(to output: inout [UInt8]) {
    output.append("{")
    for (name, dimension) in [
      ("byAction", StatsDimension.action), ("byAuthor", .author), ("byKind", .kind),
      ("byPlace", .place),
    ] {
      output += "\"\(name)\":".utf8
      appendMap(dimension, to: &output) { tally in
        "{\"count\":\(tally.count),\"disk\":\(tally.disk),\"size\":\(tally.size)}"
      }
      output.append(",")
    }
    output.append("\"changesByUser\":")
    appendMap(.author, to: &output) { "\($0.count)" }
    output += ",\"corrupt\":\(summary.damage.count),\"fileSize\":\(summary.fileSize)".utf8
    output += ",\"lastModified\":\"\(summary.lastModified.text)\"".utf8
    output += ",\"missing\":\(summary.missing),\"outside\":\(summary.outside.count)".utf8
    output += ",\"totalChanges\":\(summary.changes.count)}\n".utf8
  }

  /// Appends an object with a member for each key, all of them ASCII.
  private func appendMap(
    _ dimension: StatsDimension, to output: inout [UInt8], _ value: (StatsTally) -> String
  ) {
    output.append("{")
    let tallies = summary.tallies[dimension] ?? [:]
    for (index, key) in tallies.keys.sorted().enumerated() {
      if index > 0 { output.append(",") }
      JSONWriter.appendString(key, to: &output)
      output += ":\(value(tallies[key] ?? StatsTally()))".utf8
    }
    output.append("}")
  }

  /// Appends `count TAB size TAB disk TAB key`, for authors also their names; most first, months in
  /// their order.
  func appendRows(
    _ dimension: StatsDimension, isJSON: Bool, hasNul: Bool, to output: inout [UInt8]
  ) {
    let rows = (summary.tallies[dimension] ?? [:]).sorted { left, right in
      dimension == .month || left.value.count == right.value.count
        ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        : left.value.count > right.value.count
    }
    let writer = RowWriter(
      Self.columns, separator: "\t", isJSON: isJSON, end: hasNul ? 0 : UInt8(ascii: "\n"))
    for (key, tally) in rows {
      let name = dimension == .author ? summary.authorNames[key] : nil
      writer.append(StatsRow(key: key, name: name, tally: tally), to: &output)
      output.append(writer.end)
    }
  }

  /// `<count> TAB <size> TAB <disk> TAB <key>[ TAB <name>]`.
  private static var columns: [RowColumn<StatsRow>] {
    [
      .number("count") { $0.tally.count }, .number("size") { $0.tally.size },
      .number("disk") { $0.tally.disk }, .text("key", .field) { $0.key },
      .text("name", .field, absent: .leftOut) { $0.name },
    ]
  }
}

/// What is counted under one key.
private struct StatsRow {
  let key: String
  /// What an author is called.
  let name: String?
  let tally: StatsTally
}
