// The style sheet of a drawing (CSS 2.1, with a media query for dark backgrounds).

/// The style sheet.
package enum SVGStyle {
  /// The style sheet with the rules of all drawings, and some more.
  ///
  /// - Parameters:
  ///   - light: more rules.
  ///   - dark: what of them is different on dark backgrounds.
  /// - Returns: the element.
  package static func sheet(light: String, dark: String) -> String {
    """
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
    \(light)\
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .m, .t { fill: #9da7b3; }
    .bg { fill: #0d1117; }
    .b { fill: #151b23; }
    .g { stroke: #30363d; }
    .e { stroke: #9da7b3; }
    .d { stroke: #0d1117; }
    \(dark)}
    </style>

    """
  }
}
