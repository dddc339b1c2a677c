// Joiners in their place: characters without a form of their own that change how their neighbours are drawn.
//
// - U+200D between emoji, which become one picture (Unicode UTS 51, ED-16), and U+FE0E, U+FE0F behind an emoji, or
//   U+FE0F in a keycap (ED-20)
// - U+200D and U+200C behind a virama, U+200D before one, and U+200C where two letters of a cursive script
//   would join (RFC 5892, appendix A.1 and A.2; Unicode UAX 31, section 2.3)
//
// Joining types are those of DerivedJoiningType.txt, Unicode 15. A letter of a later version does not join
// here, and the joiner beside it is shown: nothing is ever hidden by a table that is too old.

extension Escape {
  /// Whether a character is a joiner that does its work where it stands.
  ///
  /// - Parameters:
  ///   - index: its place.
  ///   - scalars: the text.
  /// - Returns: `false` for anything else, and for a joiner that nobody would see.
  /// - Complexity: O(1), but for the marks around it.
  static func isJoiner(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    switch scalars[index].value {
    case 0x200C: isBehindVirama(index, scalars, needsLetter: true) || isBreaking(index, scalars)
    case 0x200D:
      isBetweenEmoji(index, scalars) || isBehindVirama(index, scalars, needsLetter: false)
        || isBeforeVirama(index, scalars)
    case 0xFE0E, 0xFE0F: isBehindEmoji(index, scalars)
    default: false
    }
  }

  // MARK: Emoji

  /// A picture by itself: no digit, which is an emoji only in a keycap, and no half of a flag.
  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x7F && !(0x1F1E6...0x1F1FF ~= scalar.value) && scalar.properties.isEmoji
  }

  private static func isBetweenEmoji(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0, index + 1 < scalars.count, isPicture(scalars[index + 1]),
      !scalars[index + 1].properties.isEmojiModifier
    else { return false }
    if scalars[index - 1].value == 0xFE0F { return index > 1 && isPicture(scalars[index - 2]) }
    return isPicture(scalars[index - 1])
  }

  private static func isBehindEmoji(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0 else { return false }
    switch scalars[index - 1] {
    case "0"..."9", "#", "*":
      return scalars[index].value == 0xFE0F && index + 1 < scalars.count
        && scalars[index + 1].value == 0x20E3
    case let base: return isPicture(base) && !base.properties.isEmojiModifier
    }
  }

  // MARK: Scripts of India

  private static func isVirama(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x7F && scalar.properties.canonicalCombiningClass == .virama
  }

  private static func isLetterOrMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .otherLetter, .nonspacingMark, .spacingMark: isPlain(scalar)
    default: false
    }
  }

  private static func isBehindVirama(
    _ index: Int, _ scalars: [Unicode.Scalar], needsLetter: Bool
  ) -> Bool {
    guard index > 1, isVirama(scalars[index - 1]), isLetterOrMark(scalars[index - 2]) else {
      return false
    }
    return !needsLetter || index + 1 < scalars.count && isLetterOrMark(scalars[index + 1])
  }

  /// As in the ra of Bengali and Kannada that keeps its form before the virama.
  private static func isBeforeVirama(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    index > 0 && index + 1 < scalars.count && isVirama(scalars[index + 1])
      && isLetterOrMark(scalars[index - 1])
  }

  // MARK: Cursive scripts

  /// Whether the letters on both sides would join, marks between them left out.
  private static func isBreaking(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard let before = scalars[..<index].last(where: { !isMark($0) }),
      let after = scalars[(index + 1)...].first(where: { !isMark($0) })
    else { return false }
    guard contains(dual, before), !left.contains(after.value) else { return false }
    return contains(dual, after) || contains(right, after)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: isPlain(scalar)
    default: false
    }
  }

  private static func contains(_ ranges: [ClosedRange<UInt32>], _ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0 ~= scalar.value }
  }

  /// Letters that join with the next one only.
  private static let left: [UInt32] = [0xA872, 0x10ACD, 0x10AD7, 0x10D00, 0x10FCB]

  /// Letters that join with the next one: of the types dual and left.
  private static let dual: [ClosedRange<UInt32>] = [
    0x620...0x620, 0x626...0x626, 0x628...0x628, 0x62A...0x62E, 0x633...0x63F, 0x641...0x647,
    0x649...0x64A, 0x66E...0x66F, 0x678...0x687, 0x69A...0x6BF, 0x6C1...0x6C2, 0x6CC...0x6CC,
    0x6CE...0x6CE, 0x6D0...0x6D1, 0x6FA...0x6FC, 0x6FF...0x6FF, 0x712...0x714, 0x71A...0x71D,
    0x71F...0x727, 0x729...0x729, 0x72B...0x72B, 0x72D...0x72E, 0x74E...0x758, 0x75C...0x76A,
    0x76D...0x770, 0x772...0x772, 0x775...0x777, 0x77A...0x77F, 0x7CA...0x7EA, 0x841...0x845,
    0x848...0x848, 0x84A...0x853, 0x855...0x855, 0x860...0x860, 0x862...0x865, 0x868...0x868,
    0x886...0x886, 0x889...0x88D, 0x8A0...0x8A9, 0x8AF...0x8B0, 0x8B3...0x8B8, 0x8BA...0x8C8,
    0x1807...0x1807, 0x1820...0x1878, 0x1887...0x18A8, 0x18AA...0x18AA, 0xA840...0xA872,
    0x10AC0...0x10AC4, 0x10ACD...0x10ACD, 0x10AD3...0x10ADC, 0x10ADE...0x10AE0, 0x10AEB...0x10AEE,
    0x10B80...0x10B80, 0x10B82...0x10B82, 0x10B86...0x10B88, 0x10B8A...0x10B8B, 0x10B8D...0x10B8D,
    0x10B90...0x10B90, 0x10BAD...0x10BAE, 0x10D00...0x10D21, 0x10D23...0x10D23, 0x10F30...0x10F32,
    0x10F34...0x10F44, 0x10F51...0x10F53, 0x10F70...0x10F73, 0x10F76...0x10F81, 0x10FB0...0x10FB0,
    0x10FB2...0x10FB3, 0x10FB8...0x10FB8, 0x10FBB...0x10FBC, 0x10FBE...0x10FBF, 0x10FC1...0x10FC1,
    0x10FC4...0x10FC4, 0x10FCA...0x10FCB, 0x1E900...0x1E943,
  ]

  /// Letters that join with the one before them only.
  private static let right: [ClosedRange<UInt32>] = [
    0x622...0x625, 0x627...0x627, 0x629...0x629, 0x62F...0x632, 0x648...0x648, 0x671...0x673,
    0x675...0x677, 0x688...0x699, 0x6C0...0x6C0, 0x6C3...0x6CB, 0x6CD...0x6CD, 0x6CF...0x6CF,
    0x6D2...0x6D3, 0x6D5...0x6D5, 0x6EE...0x6EF, 0x710...0x710, 0x715...0x719, 0x71E...0x71E,
    0x728...0x728, 0x72A...0x72A, 0x72C...0x72C, 0x72F...0x72F, 0x74D...0x74D, 0x759...0x75B,
    0x76B...0x76C, 0x771...0x771, 0x773...0x774, 0x778...0x779, 0x840...0x840, 0x846...0x847,
    0x849...0x849, 0x854...0x854, 0x856...0x858, 0x867...0x867, 0x869...0x86A, 0x870...0x882,
    0x88E...0x88E, 0x8AA...0x8AC, 0x8AE...0x8AE, 0x8B1...0x8B2, 0x8B9...0x8B9, 0x10AC5...0x10AC5,
    0x10AC7...0x10AC7, 0x10AC9...0x10ACA, 0x10ACE...0x10AD2, 0x10ADD...0x10ADD, 0x10AE1...0x10AE1,
    0x10AE4...0x10AE4, 0x10AEF...0x10AEF, 0x10B81...0x10B81, 0x10B83...0x10B85, 0x10B89...0x10B89,
    0x10B8C...0x10B8C, 0x10B8E...0x10B8F, 0x10B91...0x10B91, 0x10BA9...0x10BAC, 0x10D22...0x10D22,
    0x10F33...0x10F33, 0x10F54...0x10F54, 0x10F74...0x10F75, 0x10FB4...0x10FB6, 0x10FB9...0x10FBA,
    0x10FBD...0x10FBD, 0x10FC2...0x10FC3, 0x10FC9...0x10FC9,
  ]
}
