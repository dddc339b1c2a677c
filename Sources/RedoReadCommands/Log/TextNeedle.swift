// A text that is searched for in strings of changes: `--grep` and `-S`.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoShell

/// A text to look for.
struct TextNeedle: Sendable {
  private let bytes: [UInt8]
  /// The same for a search that takes upper and lower case as alike.
  private let caseless: QueryNeedle?

  /// A text as it was written.
  init(_ text: String, isCaseless: Bool) {
    bytes = Array(text.utf8)
    caseless = isCaseless ? QueryNeedle(bytes) : nil
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// How often it is in a text, counted without overlaps; where case does not matter, at most once.
  func count(in text: [UInt8]) -> Int {
    if let caseless { return caseless.isIn(text) ? 1 : 0 }
    guard let first = bytes.first else { return 0 }
    var count = 0
    var start = 0
    while start + bytes.count <= text.count {
      if text[start] == first, text[start..<start + bytes.count].elementsEqual(bytes) {
        count += 1
        start += bytes.count
      } else {
        start += 1
      }
    }
    return count
  }

  /// How often it is in a JSON value: in its strings, unescaped, or in a number or word as it is written.
  func count(inValue json: [UInt8]?) -> Int {
    guard let json, let first = json.first else { return 0 }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
      return Self.strings(of: json).reduce(0) { $0 + count(in: $1) }
    default: return count(in: json)
    }
  }

  /// The strings of a value in RFC 8785, unescaped, without the names of members.
  static func strings(of json: [UInt8]) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var place = 0
    while place < json.count {
      guard json[place] == UInt8(ascii: "\"") else {
        place += 1
        continue
      }
      let start = place + 1
      place = start
      while place < json.count, json[place] != UInt8(ascii: "\"") {
        place += json[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      let end = min(place, json.count)
      place = end + 1
      if place < json.count, json[place] == UInt8(ascii: ":") { continue }
      strings.append(StringEscape.unescape(json.span.extracting(start..<end)))
    }
    return strings
  }
}

extension LogEffect {
  /// Whether one of some texts is in the values that the change gives its task more or less often than in those that it
  /// takes away.
  func moves(_ texts: [TextNeedle]) -> Bool {
    texts.contains { text in
      changes.reduce(0) { $0 + text.count(inValue: $1.new) - text.count(inValue: $1.old) } != 0
    }
  }
}
