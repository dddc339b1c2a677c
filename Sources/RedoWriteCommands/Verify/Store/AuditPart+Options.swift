// The options that select the part of an audit.

internal import RedoRepository
internal import RedoShell

extension AuditPart {
  static let sample = OptionSpec(
    "sample", .required("n/t"), help: "judge the n-th of t parts of the objects")
  static let maxDuration = OptionSpec(
    "max-duration", .required("time"), help: "stop after this time, such as 30s or 5m")
  static let resume = OptionSpec(
    "resume", .required("token"), help: "go on where another run stopped")
  static var options: [OptionSpec] { [sample, maxDuration, resume] }

  /// Reads the options.
  ///
  /// - Throws: `usage` for an invalid value, or for two options that exclude each other.
  init(_ options: ParsedOptions) throws {
    var sample: (number: Int, count: Int)?
    if let text = options.value(Self.sample) {
      guard let part = Self.part(text) else {
        throw CommandError.usage("option '--sample' expects <n>/<t>, such as 1/10, not '\(text)'")
      }
      sample = part
    }
    var duration: Int64?
    if let text = options.value(Self.maxDuration) {
      guard let milliseconds = Self.milliseconds(text) else {
        throw CommandError.usage(
          "option '--max-duration' expects a time such as 30s, 5m or 1h, not '\(text)'")
      }
      duration = milliseconds
    }
    var resume: Resumption?
    if let text = options.value(Self.resume) {
      resume = Resumption(text)
      guard let resume else {
        throw CommandError.usage(
          "'\(Escape.text(text))' is no token of an audit that stopped",
          hints: ["the last row of 'redo verify --max-duration' has it"])
      }
      if let sample, sample != resume.part {
        throw CommandError.usage(
          "the token is that of the sample \(resume.part.number)/\(resume.part.count), "
            + "not of another")
      }
    }
    self.init(sample: sample, resume: resume, duration: duration)
  }

  /// A time of one number and one unit: ms, s, m or h.
  private static func milliseconds(_ text: String) -> Int64? {
    for (unit, factor) in [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)] {
      guard text.hasSuffix(unit),
        let number = decimal(String(text.dropLast(unit.count))),
        (0...100_000_000).contains(number)
      else { continue }
      return Int64(number) * Int64(factor)
    }
    return nil
  }
}
