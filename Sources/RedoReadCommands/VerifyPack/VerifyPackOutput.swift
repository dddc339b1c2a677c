// The output for packs: one line per node, then `<file>: ok`, as in git verify-pack; or JSON.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Writes the results for packs.
struct VerifyPackOutput {
  let isVerbose: Bool
  let isQuiet: Bool
  let isJSON: Bool
  /// The byte that ends a row.
  let end: UInt8

  /// Writes the nodes of a frame, if they were asked for.
  func write(
    _ frame: PackFrame, of stated: PackDirectory.Frame, _ context: inout Context
  ) throws {
    guard isVerbose else { return }
    let shares = ObjectStore.shares(of: stated.fileBytes, among: frame.objects)
    for (place, (object, share)) in zip(frame.objects, shares).enumerated() {
      try context.output.append { output throws in
        let size = ObjectRow(object: object, node: nil).size
        if isJSON {
          var row = JSONRow()
          row.add("frame", frame.number)
          row.add("id", object.id.text)
          row.add("offset", stated.offset)
          row.add("packedSize", share)
          row.add("place", place)
          row.add("size", size)
          row.append(to: &output)
        } else {
          object.id.append(to: &output)
          output +=
            " \(object.kind.name) \(size) \(share) \(stated.offset) \(frame.number) \(place)".utf8
        }
        output.append(end)
      }
    }
  }

  /// Ends the output for a pack.
  func end(
    _ place: PackPlace, _ reader: borrowing PackReader, _ index: PackIndexState?,
    _ problems: [PackProblem], _ context: inout Context
  ) throws {
    if isJSON {
      var row = JSONRow()
      row.add("bytes", reader.fileBytes)
      row.add("canonicalBytes", reader.directory.canonicalBytes)
      row.add("errors", problems.map { message($0, place) }) {
        JSONWriter.appendString($0, to: &$1)
      }
      row.add("file", place.path)
      row.add("frames", reader.directory.frames.count)
      switch index {
      case nil: break
      case .good: row.add("index", "ok")
      case .missing: row.add("index", "missing")
      case .bad, .wrong: row.add("index", "bad")
      }
      row.add("kind", "\(reader.directory.kind.name)")
      row.add("name", ArchiveRow.hex(reader.directory))
      row.add("nodes", reader.directory.nodes)
      row.add("ok", problems.isEmpty)
      try write(row, &context)
      return
    }
    try say(place, problems, &context)
    if index == .missing, place.needsIndex, !isQuiet {
      context.warning("'\(place.path)' has no index; 'redo gc' makes one")
    }
  }

  /// Ends the output for a pack that cannot be opened.
  func end(
    _ place: PackPlace, _ problems: [PackProblem], _ context: inout Context
  ) throws {
    if isJSON {
      try write(unopened(place, problems.map { message($0, place) }), &context)
    } else {
      try say(place, problems, &context)
    }
  }

  /// Ends the output for a file that cannot be read.
  func end(
    _ place: PackPlace, _ failure: CommandError, _ context: inout Context
  ) throws {
    try context.output.flush()
    if isJSON {
      try write(unopened(place, [failure.message]), &context)
    } else {
      context.report(failure, asJSON: false)
    }
  }

  private func unopened(_ place: PackPlace, _ errors: [String]) -> JSONRow {
    var row = JSONRow()
    row.add("errors", errors)
    row.add("file", place.path)
    row.add("ok", false)
    return row
  }

  private func write(_ row: JSONRow, _ context: inout Context) throws {
    try context.output.append { output throws in
      row.append(to: &output)
      output.append(end)
    }
  }

  private func say(
    _ place: PackPlace, _ problems: [PackProblem], _ context: inout Context
  ) throws {
    if !problems.isEmpty { try context.output.flush() }
    for problem in problems { context.error(message(problem, place)) }
    guard isVerbose else { return }
    try context.output.append { output throws in
      output += "\(Escape.text(place.path)): \(problems.isEmpty ? "ok" : "bad")".utf8
      output.append(end)
    }
  }

  private func message(_ problem: PackProblem, _ place: PackPlace) -> String {
    switch problem {
    case .pack(let what): "pack '\(place.path)' is damaged: \(what)"
    case .index(let what): "index '\(place.index ?? place.path)' is damaged: \(what)"
    }
  }
}
