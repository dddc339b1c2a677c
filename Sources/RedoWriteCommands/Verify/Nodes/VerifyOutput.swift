// The rows of nodes, or the output of a filter.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes rows, and remembers whether all were good, or for a filter, whether all passed.
struct VerifyOutput {
  let profile: Profile
  let isJSON: Bool
  let end: UInt8
  /// Whether rows say in which file a node stands, and where.
  var showsPlaces = false
  /// The verdicts that pass the filter; `nil` when rows are printed for all nodes.
  private let passing: PassLetters?
  /// The summary that replaces the rows, if any.
  private var summary: VerifySummary?
  private var isGood = true
  private var warnings = WarningTally()

  init(
    profile: Profile, isJSON: Bool, end: UInt8, passing: PassLetters? = nil,
    summary: VerifySummary? = nil
  ) {
    self.profile = profile
    self.isJSON = isJSON
    self.end = end
    self.passing = passing
    self.summary = summary
  }

  /// Reports which warnings there were; the status is 0 when every row was good.
  func finish(_ context: inout Context) throws -> Exit {
    try summary?.write(isJSON: isJSON, end: end, &context)
    warnings.report(context.effects)
    return isGood ? .ok : .no
  }

  /// Records a row for the final status, without writing it.
  mutating func note(_ row: VerdictRow) { if !row.isGood { isGood = false } }

  /// Writes a row, or for a filter what passes: the original text of a node from outside, or the id of a node of
  /// the store.
  mutating func write(
    _ row: VerifyStored.Row, line: ArraySlice<UInt8>? = nil, _ context: inout Context
  ) throws {
    switch row {
    case .other(let row): try write(row, line: line, &context)
    case .good(let id, let form):
      guard let passing else {
        try context.output.append { output throws in
          VerdictRow.appendGood(id, form, to: &output, end: end)
        }
        return
      }
      guard passing.contains("G") else {
        refuse(id.text, "G", form.rawValue, "", &context)
        return
      }
      try context.output.append { output throws in
        id.append(to: &output)
        output.append(end)
      }
    }
  }

  /// Writes a row, or for a filter what passes.
  mutating func write(
    _ row: VerdictRow, line: ArraySlice<UInt8>? = nil, _ context: inout Context
  ) throws {
    if summary != nil {
      note(row)
      summary?.note(row)
      return
    }
    if !isJSON { warnings.note(row.findings, profile) { row.name } }
    guard let passing else {
      note(row)
      try context.output.append { output throws in
        if isJSON {
          row.appendJSON(to: &output, end: end)
        } else {
          row.append(to: &output, end: end, showsPlace: showsPlaces)
        }
      }
      return
    }
    guard passing.contains(row.letter) else {
      let place = showsPlaces ? row.place.map { " (\($0.text))" } ?? "" : ""
      refuse(row.name, row.letter, row.reason, place, &context)
      return
    }
    try context.output.append { output throws in
      if let line {
        output += Self.oneLine(line)
        output.append(end)
      } else if isJSON {
        row.appendJSON(to: &output, end: end)
      } else {
        output += row.name.utf8
        output.append(end)
      }
    }
  }

  /// Reports that a node does not pass.
  private mutating func refuse(
    _ name: String, _ letter: Unicode.Scalar, _ reason: String, _ place: String,
    _ context: inout Context
  ) {
    isGood = false
    context.error("'\(name)' does not pass: \(letter) \(Escape.text(reason))\(place)")
  }

  /// A text as it stands if that is one line, otherwise in its canonical form.
  private static func oneLine(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\n")) else { return Array(text) }
    var decoder = NodeDecoder(envelope: .strip)
    var line: [UInt8] = []
    decoder.decode(text.span)?.appendWhole(to: &line)
    return line.isEmpty ? Array(text) : line
  }
}
