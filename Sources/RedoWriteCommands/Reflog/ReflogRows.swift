// Rows of the reflog, newest first. The log is read from its beginning, because that is the only way to verify
// its chain; only the rows that are shown are kept.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// An atom of a format: the effect of one entry on one ref.
enum ReflogAtom: Sendable {
  case entry, date, unix, name, selector, old, new, message, chain

  /// The names of the atoms; several names may mean the same.
  static let all: KeyValuePairs<String, ReflogAtom> = [
    "entry": .entry, "date": .date, "time": .unix, "name": .name, "refname": .name,
    "selector": .selector, "old": .old, "new": .new, "message": .message, "chain": .chain,
  ]
}

/// Collects the rows of a reflog.
struct ReflogRows {
  /// The form of a row.
  enum Style {
    /// One line for each entry.
    case entries(DateStyle)
    /// One line for each change of the one ref; with a date style, the date replaces the number.
    case changes(DateStyle?)
    /// git's raw format.
    case raw
    case format(Format<ReflogAtom>, DateStyle)
    case json
  }

  /// The parts of a row that are kept until its distance from the end is known.
  private struct Row {
    let entry: Int
    let milliseconds: Int64
    let message: String
    /// The ref; `nil` for a row about the whole entry.
    var name: RefName?
    var old: [ObjectID] = []
    var new: [ObjectID] = []
    var count = 0
    var chain: Digest?
    var text: [UInt8] = []
  }

  private let style: Style
  private let name: RefName?
  private let now: Int64
  private let end: UInt8
  private let limit: Int
  /// The last rows; a ring buffer once the limit is reached.
  private var rows: [Row] = []
  private var next = 0
  /// The values of the one ref after the entries read so far.
  private var present: Set<ObjectID> = []
  /// The number of changes of each ref so far, if selectors are shown.
  private var counts: [RefName: Int] = [:]
  /// The number of rows, shown or not.
  private(set) var changeCount = 0

  init(style: Style, name: RefName?, now: Int64, end: UInt8, limit: Int) {
    self.style = style
    self.name = name
    self.now = now
    self.end = end
    self.limit = limit
  }

  /// Takes in the next entry, oldest first.
  mutating func take(_ entry: ReflogEntry) {
    let changes = Self.changes(of: entry, name)
    if name != nil, changes.isEmpty { return }
    switch style {
    case .entries:
      var row = Self.row(of: entry)
      row.count = changes.count
      append(row)
    case .json:
      var row = Self.row(of: entry)
      appendJSON(entry, to: &row.text)
      append(row)
    case .changes, .raw, .format:
      for change in changes {
        var row = Self.row(of: entry)
        row.name = change.name
        (row.old, row.new) = (change.old, change.new)
        row.chain = entry.chain
        if case .changes = style {
          present.subtract(change.old)
          present.formUnion(change.new)
          // People want to see the ref's values, not what was added or removed.
          row.new = present.sorted()
        }
        if case .format(let format, _) = style, format.contains(where: { $0 == .selector }) {
          counts[change.name, default: 0] += 1
          row.count = counts[change.name] ?? 0
        }
        append(row)
      }
    }
  }

  private static func row(of entry: ReflogEntry) -> Row {
    Row(entry: entry.number, milliseconds: entry.milliseconds, message: entry.message)
  }

  /// The effect of an entry on each ref, or on the one ref.
  private static func changes(
    of entry: ReflogEntry, _ wanted: RefName?
  ) -> [(name: RefName, old: [ObjectID], new: [ObjectID])] {
    var found: [RefName: (old: [ObjectID], new: [ObjectID])] = [:]
    for ref in entry.removals where wanted == nil || ref.name == wanted {
      found[ref.name, default: ([], [])].old.append(ref.id)
    }
    for ref in entry.additions where wanted == nil || ref.name == wanted {
      found[ref.name, default: ([], [])].new.append(ref.id)
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value.old, $0.value.new) }
  }

  private mutating func append(_ row: Row) {
    changeCount += 1
    guard limit > 0 else { return }
    if rows.count < limit {
      rows.append(row)
    } else {
      rows[next] = row
      next = (next + 1) % limit
    }
  }

  /// Writes the rows, newest first.
  mutating func write(_ context: inout Context) throws {
    for distance in 0..<rows.count {
      let row = rows[(next + rows.count - 1 - distance) % rows.count]
      var text: [UInt8] = []
      append(row, distance, to: &text)
      text.append(end)
      try context.output.write(text)
    }
  }

  private func append(_ row: Row, _ distance: Int, to text: inout [UInt8]) {
    switch style {
    case .json: text += row.text
    case .entries(let date):
      let count = "\(row.count) ref\(row.count == 1 ? "" : "s")"
      text +=
        "\(row.entry) \(date.text(row.milliseconds, now: now)) \(shown(row.message)) (\(count))"
        .utf8
    case .changes(let date):
      let ids = row.new.map { NodeText.short($0) }
      let value =
        ids.isEmpty
        ? String(repeating: "0", count: NodeText.shortCount) : ids.joined(separator: ",")
      let place = date.map { $0.text(row.milliseconds, now: now) } ?? "\(distance)"
      text += "\(value) \(row.name?.text ?? "")@{\(place)}: \(shown(row.message))".utf8
    case .raw:
      text += "\(RefValue.text(row.old)) \(RefValue.text(row.new)) redo <> ".utf8
      text += "\(DateStyle.raw.text(row.milliseconds, now: now))\t\(shown(row.message))".utf8
    case .format(let format, let date):
      format.append(to: &text) { atom, output in append(atom, row, date, to: &output) }
    }
  }

  private func append(
    _ atom: ReflogAtom, _ row: Row, _ date: DateStyle, to output: inout [UInt8]
  ) {
    switch atom {
    case .entry: output += "\(row.entry)".utf8
    case .date: output += date.text(row.milliseconds, now: now).utf8
    case .unix: output += "\(row.milliseconds)".utf8
    case .name: output += row.name?.bytes ?? []
    case .selector:
      guard let name = row.name, let last = counts[name] else { return }
      output += name.bytes
      output += "@{\(last - row.count)}".utf8
    case .old: output += RefValue.text(row.old).utf8
    case .new: output += RefValue.text(row.new).utf8
    case .message: output += shown(row.message).utf8
    case .chain: if let chain = row.chain { Hex.append(chain.bytes.span, to: &output) }
    }
  }

  /// A message in a form that fits into a row.
  private func shown(_ message: String) -> String {
    end == 0 && !message.utf8.contains(0) ? message : Escape.text(message)
  }

  /// Appends an entry, or its effect on the one ref, as RFC 8785 JSON.
  private func appendJSON(_ entry: ReflogEntry, to output: inout [UInt8]) {
    func list(_ refs: [Ref], _ json: inout JSONWriter) {
      for ref in refs where name == nil || ref.name == name {
        json.object { json in
          json.add("id", ref.id.text)
          json.add("name", ref.name.text)
        }
      }
    }
    JSONWriter.append(to: &output) { json in
      json.object { json in
        json.addArray("added") { list(entry.additions, &$0) }
        json.add("chain", Hex.text(entry.chain.bytes.span))
        json.add("entry", entry.number)
        json.add("message", entry.message)
        json.addArray("removed") { list(entry.removals, &$0) }
        json.add("time", DateStyle.iso.text(entry.milliseconds, now: now))
      }
    }
  }
}
