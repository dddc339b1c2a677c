// The style sheet of a drawing (CSS 2.1, with a media query for dark backgrounds).

internal import RedoRepository
internal import RedoShell

/// The style sheet.
enum SVGStyle {
  /// The shades of the calendar, from no changes to the most.
  private static let shades: [(light: String, dark: String)] = [
    ("#ebedf0", "#1f262e"), ("#9be9a8", "#0e4429"), ("#40c463", "#006d32"),
    ("#30a14e", "#26a641"), ("#216e39", "#56e371"),
  ]

  static let sheet: String = {
    var sheet = """
      <style type="text/css">
      text { font-family: sans-serif; font-size: 12px; fill: #24292f; }
      .h { font-size: 18px; font-weight: bold; }
      .s { font-size: 14px; font-weight: bold; }
      .m { fill: #57606a; }
      .t { font-family: monospace; font-size: 11px; fill: #57606a; text-anchor: middle; }
      .r { text-anchor: end; }
      .bg { fill: #ffffff; }
      .b { fill: #f6f8fa; }
      .g { stroke: #d0d7de; stroke-width: 1; fill: none; }
      .e { stroke: #57606a; stroke-width: 1; stroke-opacity: 0.45; fill: none; }
      .f { stroke-opacity: 0.2; }
      .d { stroke: #ffffff; stroke-width: 1; }
      .o { stroke-width: 2; }

      """
    var dark = """
      @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .m, .t { fill: #9da7b3; }
      .bg { fill: #0d1117; }
      .b { fill: #151b23; }
      .g { stroke: #30363d; }
      .e { stroke: #9da7b3; }
      .d { stroke: #0d1117; }

      """
    for kind in ActionKind.allCases {
      let number = kind.rawValue
      // A root is a ring: filled with the background, outlined in the colour.
      sheet += ".a\(number) { fill: \(kind.colors.light); }\n"
      sheet += ".o\(number) { fill: #ffffff; stroke: \(kind.colors.light); }\n"
      dark += ".a\(number) { fill: \(kind.colors.dark); }\n"
      dark += ".o\(number) { fill: #0d1117; stroke: \(kind.colors.dark); }\n"
    }
    for (number, shade) in shades.enumerated() {
      sheet += ".c\(number) { fill: \(shade.light); }\n"
      dark += ".c\(number) { fill: \(shade.dark); }\n"
    }
    return sheet + dark + "}\n</style>\n"
  }()
}
