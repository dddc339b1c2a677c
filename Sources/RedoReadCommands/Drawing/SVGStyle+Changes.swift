// The style sheet of drawings of changes.

internal import RedoRepository
internal import RedoShell

extension SVGStyle {
  /// The shades of the calendar, from no changes to the most.
  private static let shades: [(light: String, dark: String)] = [
    ("#ebedf0", "#1f262e"), ("#9be9a8", "#0e4429"), ("#40c463", "#006d32"),
    ("#30a14e", "#26a641"), ("#216e39", "#56e371"),
  ]

  /// The style sheet, with the colours of the kinds of changes and of the calendar.
  static let changes: String = {
    var (light, dark) = ("", "")
    for kind in ActionKind.allCases {
      let number = kind.rawValue
      // A root is a ring: filled with the background, outlined in the colour.
      light += ".a\(number) { fill: \(kind.colors.light); }\n"
      light += ".o\(number) { fill: #ffffff; stroke: \(kind.colors.light); }\n"
      dark += ".a\(number) { fill: \(kind.colors.dark); }\n"
      dark += ".o\(number) { fill: #0d1117; stroke: \(kind.colors.dark); }\n"
    }
    for (number, shade) in shades.enumerated() {
      light += ".c\(number) { fill: \(shade.light); }\n"
      dark += ".c\(number) { fill: \(shade.dark); }\n"
    }
    return sheet(light: light, dark: dark)
  }()
}
