// A bar chart as a picture: self-contained SVG 1.1, with the same bytes for the same answer.

internal import RedoRepository
internal import RedoShell

extension QueryChart {
  private static let width = 960
  private static let height = 400
  /// The first column of pixels of the bars, and the one after the last.
  private static let columns = 64..<936
  /// The first row of pixels of the bars, and the one after the last.
  private static let rows = 96..<344
  /// The estimated width of a character of a label, in pixels.
  private static let characterWidth = 7

  /// Appends the document.
  func appendSVG(to output: inout [UInt8]) {
    var svg = SVGText()
    svg.raw(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="no"?>
      <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(Self.width)" \
      height="\(Self.height)" viewBox="0 0 \(Self.width) \(Self.height)">

      """)
    svg.title(title)
    svg.raw("\n" + SVGStyle.changes)
    svg.raw("<rect class=\"bg\" width=\"\(Self.width)\" height=\"\(Self.height)\"/>\n")
    svg.label(title, x: 24, y: 34, "h")
    svg.label(subtitle, x: 24, y: 56, "m")
    if !bars.isEmpty {
      let isWhole = bars.allSatisfy {
        $0.value == $0.value.rounded() && $0.rest == $0.rest.rounded()
      }
      let step = Self.axisStep(for: maximum, isWhole: isWhole)
      let stepCount = max(1, Int((maximum / step).rounded(.up)))
      let top = min(Double(stepCount) * step, .greatestFiniteMagnitude)
      appendLegend(to: &svg)
      appendGrid(stepCount, step, top, to: &svg)
      appendBars(top, to: &svg)
    }
    svg.raw("</svg>\n")
    output += svg.bytes
  }

  /// The step of the axis: 1, 2 or 5 times a power of ten, so that there are at most 5 steps; a whole
  /// number if all values are whole.
  static func axisStep(for maximum: Double, isWhole: Bool) -> Double {
    guard maximum > 0 else { return 1 }
    var power = 1.0
    while power * 10 <= maximum / 5 { power *= 10 }
    while power > maximum / 5 { power /= 10 }
    let step = [1, 2, 5, 10].lazy.map { $0 * power }.first { $0 * 5 >= maximum } ?? power
    return isWhole ? max(step, 1) : step
  }

  /// The row of a value, in tenths of a pixel.
  private func y(_ value: Double, _ top: Double) -> Int {
    let share = min(max(value / top, 0), 1)
    return 10 * Self.rows.upperBound - Int((share * Double(10 * Self.rows.count)).rounded())
  }

  private func appendLegend(to svg: inout SVGText) {
    var x = 24
    func entry(_ shade: Int, _ text: String) {
      svg.raw(
        "<rect class=\"c\(shade)\" x=\"\(x)\" y=\"68\" width=\"12\" height=\"12\" rx=\"2\"/>\n")
      svg.label(text, x: x + 18, y: 78, "m")
      x += 36 + Self.characterWidth * text.count
    }
    entry(Shade.full, unit)
    if let rest { entry(Shade.pale, rest) }
    if let mark { entry(Shade.marked, mark) }
  }

  private func appendGrid(
    _ stepCount: Int, _ step: Double, _ top: Double, to svg: inout SVGText
  ) {
    for number in 0...stepCount {
      let value = min(Double(number) * step, top)
      let row = y(value, top)
      svg.raw(
        "<path class=\"g\" d=\"M\(Self.columns.lowerBound) \(SVGText.tenths(row))"
          + "H\(Self.columns.upperBound)\"/>\n")
      svg.label(
        AnswerValue.text(of: value), x: Self.columns.lowerBound - 8, y: row / 10 + 4, "m r")
    }
  }

  private func appendBars(_ top: Double, to svg: inout SVGText) {
    let pitch = max(1, 10 * Self.columns.count / bars.count)
    let width = max(10, min(pitch * 8 / 10, 480))
    let longest = bars.lazy.map(\.label.count).max() ?? 0
    // As many labels as fit.
    let every = max(1, (10 * Self.characterWidth * (longest + 2) + pitch - 1) / pitch)
    for (place, bar) in bars.enumerated() {
      let middle = 10 * Self.columns.lowerBound + pitch * place + pitch / 2
      let (base, head) = (y(0, top), y(bar.value, top))
      svg.raw("<g>")
      var text = "\(bar.label): \(AnswerValue.text(of: bar.value)) \(unit)"
      if let rest { text += ", \(AnswerValue.text(of: bar.rest)) \(rest)" }
      if let mark, bar.isMarked { text += ", \(mark)" }
      svg.title(text)
      func rectangle(_ shade: Int, _ from: Int, _ to: Int) {
        guard from < to else { return }
        svg.raw(
          "<rect class=\"c\(shade)\" x=\"\(SVGText.tenths(middle - width / 2))\" "
            + "y=\"\(SVGText.tenths(from))\" width=\"\(SVGText.tenths(width))\" "
            + "height=\"\(SVGText.tenths(to - from))\"/>")
      }
      rectangle(bar.isMarked ? Shade.marked : Shade.full, head, base)
      rectangle(Shade.pale, y(bar.value + bar.rest, top), head)
      svg.raw("</g>\n")
      // Counted from the last bar, the one that people look for.
      if (bars.count - 1 - place) % every == 0 {
        svg.label(bar.label, x: middle / 10, y: Self.rows.upperBound + 20, "t")
      }
    }
  }

  /// The classes of the style sheet for the bars.
  private enum Shade {
    static let pale = 1
    static let full = 2
    static let marked = 4
  }
}
