// The output of readings: one line for each fact, beginning with a word; or one JSON object per node.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Shows the readings of nodes.
struct ReadingReport {
  private let isJSON: Bool
  private let end: UInt8
  private var isFirst = true

  init(isJSON: Bool, end: UInt8) {
    self.isJSON = isJSON
    self.end = end
  }

  /// Shows a node: its verdict, and its readings if it could be read at all.
  mutating func write(
    _ row: VerdictRow, _ readings: NodeReadings?, _ context: inout Context
  ) throws {
    let isFirst = isFirst
    self.isFirst = false
    try context.output.append { output throws in
      if isJSON {
        Self.appendJSON(row, readings, to: &output)
        output.append(end)
        return
      }
      if !isFirst { output.append(end) }
      for line in Self.lines(row, readings) {
        output += line.utf8
        output.append(end)
      }
    }
  }

  /// Shows a receipt or a schema: its verdict, and what decides it.
  mutating func write(
    _ row: VerdictRow, _ reading: GroupReading, _ context: inout Context
  ) throws {
    let isFirst = isFirst
    self.isFirst = false
    try context.output.append { output throws in
      if isJSON {
        reading.appendJSON(row, to: &output)
        output.append(end)
        return
      }
      if !isFirst { output.append(end) }
      for line in reading.lines(row) {
        output += line.utf8
        output.append(end)
      }
    }
  }

  /// The lines of a node.
  private static func lines(_ row: VerdictRow, _ readings: NodeReadings?) -> [String] {
    var lines = ["node \(row.name)", "verdict \(row.letter) \(Escape.text(row.reason))"]
    guard let readings, let body = readings.ids.first else { return lines }
    lines.append("id \(readings.stated?.text ?? "-")")
    lines.append("hash \(body.id.text)")
    lines.append("canonical \(Escape.text(body.text))")
    for reading in readings.ids {
      let answer = reading.id == readings.stated ? "matches" : "differs"
      lines.append(
        "recipe \(answer) \(reading.id.text) \(reading.text.count) \(reading.name) "
          + "(\(reading.meaning))")
    }
    let origin = readings.key.map { $0.isOwn ? "node" : "other" } ?? "-"
    lines.append("key \(readings.key.map { Hex.text($0.key.bytes.span) } ?? "-") \(origin)")
    lines.append("signature \(readings.signature.map { Hex.text($0.bytes.span) } ?? "-")")
    for reading in readings.signatures {
      let answer = reading.holds.map { $0 ? "holds" : "fails" } ?? "unknown"
      let use = reading.isAccepted ? "accepted" : "refused"
      let digest = Hex.text(SHA256.digest(of: reading.message.span).bytes.span)
      lines.append(
        "reading \(answer) \(use) \(reading.name) \(reading.message.count) sha256:\(digest) "
          + Escape.text(reading.message))
    }
    return lines
  }

  /// Appends a node as RFC 8785 JSON.
  private static func appendJSON(
    _ row: VerdictRow, _ readings: NodeReadings?, to output: inout [UInt8]
  ) {
    let start = output.count
    output.append(UInt8(ascii: "{"))
    func name(_ name: StaticString) {
      if output.last != UInt8(ascii: "{") { output.append(UInt8(ascii: ",")) }
      output.append("\"")
      output.append(name)
      output.append("\":")
    }
    func member(_ key: StaticString, _ value: String) {
      name(key)
      JSONWriter.appendString(value, to: &output)
    }
    func raw(_ key: StaticString, _ value: String) {
      name(key)
      output += value.utf8
    }
    if let body = readings?.ids.first {
      member("canonical", String(decoding: body.text, as: UTF8.self))
      member("hash", body.id.text)
    }
    if let id = readings?.stated?.text { member("id", id) }
    if let key = readings?.key { member("key", Hex.text(key.key.bytes.span)) }
    if let key = readings?.key { member("keyOrigin", key.isOwn ? "node" : "other") }
    member("letter", String(row.letter))
    member("name", row.name)
    if let readings {
      name("readings")
      output.append(UInt8(ascii: "["))
      for (index, reading) in readings.signatures.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "{"))
        raw("accepted", reading.isAccepted ? "true" : "false")
        if let holds = reading.holds { raw("holds", holds ? "true" : "false") }
        raw("length", "\(reading.message.count)")
        if let text = String(validating: reading.message, as: UTF8.self) {
          member("message", text)
        } else {
          member("messageHex", Hex.text(reading.message.span))
        }
        member("name", reading.name)
        member("sha256", Hex.text(SHA256.digest(of: reading.message.span).bytes.span))
        output.append(UInt8(ascii: "}"))
      }
      output.append(UInt8(ascii: "]"))
    }
    member("reason", row.reason)
    if let readings {
      name("recipes")
      output.append(UInt8(ascii: "["))
      for (index, reading) in readings.ids.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "{"))
        member("hash", reading.id.text)
        raw("length", "\(reading.text.count)")
        raw("matches", reading.id == readings.stated ? "true" : "false")
        member("meaning", reading.meaning)
        member("name", reading.name)
        output.append(UInt8(ascii: "}"))
      }
      output.append(UInt8(ascii: "]"))
      if let signature = readings.signature {
        member("signature", Hex.text(signature.bytes.span))
      }
    }
    output.append(UInt8(ascii: "}"))
    precondition(output.count > start, "BUG: a row is empty")
  }
}
