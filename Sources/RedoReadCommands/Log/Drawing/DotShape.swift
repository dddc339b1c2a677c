// The symbols of changes: their shapes carry what colours may not convey.

internal import RedoRepository
internal import RedoShell

/// The shape of a change.
enum DotShape {
  /// A change with one parent.
  case disc
  /// A change without parents: a history begins.
  case ring
  /// A change with several parents: histories come together.
  case diamond
  /// A deletion.
  case square

  /// The radius of a disc, in tenths of a pixel.
  enum Size: Int {
    case normal = 45
    case small = 30
  }

  /// Appends the shape around a point in tenths of a pixel, with the content of its element.
  func append(
    _ kind: ActionKind, _ x: Int, _ y: Int, _ size: Size = .normal, to svg: inout SVGText,
    _ body: (inout SVGText) -> Void = { _ in }
  ) {
    let radius = size.rawValue
    func number(_ tenths: Int) -> String { SVGText.tenths(tenths) }
    let name: String
    switch self {
    case .disc:
      name = "circle"
      svg.raw("<circle class=\"a\(kind.rawValue) d\" cx=\"\(number(x))\" cy=\"\(number(y))\" ")
      svg.raw("r=\"\(number(radius))\">")
    case .ring:
      name = "circle"
      svg.raw("<circle class=\"o\(kind.rawValue) o\" cx=\"\(number(x))\" cy=\"\(number(y))\" ")
      svg.raw("r=\"\(number(radius - 10))\">")
    case .diamond:
      name = "path"
      let half = radius * 4 / 3
      let side = number(half)
      svg.raw("<path class=\"a\(kind.rawValue) d\" d=\"M\(number(x)) \(number(y - half))")
      svg.raw("l\(side) \(side)-\(side) \(side)-\(side)-\(side)z\">")
    case .square:
      name = "rect"
      let half = radius * 8 / 9
      let side = number(2 * half)
      svg.raw("<rect class=\"a\(kind.rawValue) d\" x=\"\(number(x - half))\" ")
      svg.raw("y=\"\(number(y - half))\" width=\"\(side)\" height=\"\(side)\">")
    }
    body(&svg)
    svg.raw("</\(name)>\n")
  }
}
