// The counts, as lines, JSON or rows.

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

  /// Appends `key: value` lines, or with `-z` `key LF value NUL`.
  func appendLines(hasNul: Bool, to output: inout [UInt8]) {
    for (key, value) in pairs {
      output += (hasNul ? "\(key)\n\(value)\0" : "\(key): \(value)\n").utf8
    }
  }

  /// Appends one object of RFC 8785 JSON, and a line feed.
  func appendJSON(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        let maps: KeyValuePairs<StaticString, StatsDimension> = [
          "byAction": .action, "byAuthor": .author, "byKind": .kind, "byPlace": .place,
        ]
        for (name, dimension) in maps {
          json.name(name)
          write(dimension, to: &json) { tally, json in
            json.object { json in
              json.add("count", tally.count)
              json.add("disk", tally.disk)
              json.add("size", tally.size)
            }
          }
        }
        json.name("changesByUser")
        write(.author, to: &json) { tally, json in json.value(tally.count) }
        json.add("corrupt", summary.damage.count)
        json.add("fileSize", summary.fileSize)
        json.add("lastModified", summary.lastModified.text)
        json.add("missing", summary.missing)
        json.add("outside", summary.outside.count)
        json.add("totalChanges", summary.changes.count)
      }
    }
    output.append(UInt8(ascii: "\n"))
  }

  /// Writes an object with a member for each key, all of them ASCII.
  private func write(
    _ dimension: StatsDimension, to json: inout JSONWriter,
    _ value: (StatsTally, inout JSONWriter) -> Void
  ) {
    json.object { json in
      let tallies = summary.tallies[dimension] ?? [:]
      for key in tallies.keys.sorted() {
        json.name(text: key)
        value(tallies[key] ?? StatsTally(), &json)
      }
    }
  }

  /// Appends `count TAB size TAB disk TAB key`, for authors also their names; sorted by count, largest first, except
  /// months, which are in their order.
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

/// The counts under one key.
private struct StatsRow {
  let key: String
  /// The name of an author.
  let name: String?
  let tally: StatsTally
}
