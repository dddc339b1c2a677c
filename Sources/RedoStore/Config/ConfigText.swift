// Changes in the text of a config file: what is not about the key stays byte for byte, comments and
// order included.

/// The text of a config file, and the place of everything in it.
package struct ConfigText: Sendable {
  /// The bytes.
  package private(set) var bytes: [UInt8]
  private let file: String
  private let origin: Config.Origin
  private var places: [Place] = []

  /// A header or a setting in the text.
  struct Place: Sendable {
    /// For a header the key's beginning, without the last dot; for a setting the key.
    let key: String
    /// The setting; `nil` for a header.
    let entry: Config.Entry?
    /// From the first byte of the header or name to after the last byte of the header or value.
    let range: Range<Int>
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - file: its path, for messages.
  ///   - origin: what to note as the place of its settings.
  /// - Throws: `syntax`: a text that is not understood is not changed.
  package init(
    _ bytes: [UInt8], file: String, origin: Config.Origin
  ) throws(ConfigError) {
    self.bytes = bytes
    self.file = file
    self.origin = origin
    places = try ConfigParser.places(bytes, file: file, origin: origin)
  }

  /// The settings, first to last.
  package var entries: [Config.Entry] { places.compactMap(\.entry) }

  /// The values of a key, first to last.
  package func entries(of key: String) -> [Config.Entry] { entries.filter { $0.key == key } }

  /// Sets a key: replaces its one value, or adds a line to its section.
  ///
  /// - Parameters:
  ///   - key: with section and name in lower case.
  ///   - name: how the last part is to be spelled.
  ///   - value: the value.
  ///   - isMore: whether to add a value to those there are.
  /// - Throws: `syntax` when the outcome is not what was asked for; nothing has changed then.
  /// - Precondition: without `isMore`, the key has at most one value.
  package mutating func set(
    _ key: String, name: String, to value: String, isMore: Bool = false
  ) throws(ConfigError) {
    let line = Array("\(name) = ".utf8) + Self.written(value)
    let old = places.filter { $0.entry?.key == key }
    precondition(old.count <= 1 || isMore, "BUG: one of several values is to be replaced")
    let before = entries(of: key).map { $0.value ?? "" }
    if let place = old.first, !isMore {
      try replace(place.range, with: line)
      try check(key, is: [value])
      return
    }
    let section = Self.section(of: key)
    let inSection = places.filter { $0.entry == nil ? $0.key == section : isIn($0, section) }
    if let last = inSection.last {
      // The place after everything on the line of the last setting, such as a comment.
      let end = bytes[last.range.upperBound...].firstIndex(of: UInt8(ascii: "\n"))
      let lineFeed = [UInt8(ascii: "\n")]
      let text = (end == nil ? lineFeed : []) + [UInt8(ascii: "\t")] + line + lineFeed
      let place = end.map { $0 + 1 } ?? bytes.count
      try replace(place..<place, with: text)
    } else {
      var text = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
      text += Self.header(section) + Array("\n\t".utf8) + line + [UInt8(ascii: "\n")]
      try replace(bytes.count..<bytes.count, with: text)
    }
    try check(key, is: before + [value])
  }

  /// Takes every value of a key away, each with its line.
  ///
  /// - Parameter key: with section and name in lower case.
  /// - Returns: how many there were.
  /// - Throws: `syntax` when the outcome is not what was asked for; nothing has changed then.
  package mutating func unset(_ key: String) throws(ConfigError) -> Int {
    let old = places.filter { $0.entry?.key == key }
    for place in old.reversed() { try replace(wholeLine(of: place.range), with: []) }
    try check(key, is: [])
    return old.count
  }

  /// Removes the headers of a section under which nothing is set any more.
  ///
  /// - Parameter section: a key without its last part.
  /// - Throws: `syntax` when the text is not understood afterwards; nothing has changed then.
  package mutating func removeSection(_ section: String) throws(ConfigError) {
    guard !places.contains(where: { isIn($0, section) }) else { return }
    for place in places.reversed() where place.entry == nil && place.key == section {
      try replace(wholeLine(of: place.range), with: [])
    }
  }

  private func isIn(_ place: Place, _ section: String) -> Bool {
    guard let entry = place.entry else { return false }
    return Self.section(of: entry.key) == section
  }

  /// A setting with its indentation, its comment and its line feed; without anything else on its line.
  private func wholeLine(of range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[start - 1]) {
      start -= 1
    }
    let rest = bytes[range.upperBound...]
    let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    // After a header the line feed stays.
    if start > 0, bytes[start - 1] != UInt8(ascii: "\n") { return start..<end }
    return start..<min(end + 1, bytes.count)
  }

  private mutating func replace(_ range: Range<Int>, with text: [UInt8]) throws(ConfigError) {
    var changed = bytes
    changed.replaceSubrange(range, with: text)
    places = try ConfigParser.places(changed, file: file, origin: origin)
    bytes = changed
  }

  /// Reads the outcome as any command will.
  private func check(_ key: String, is values: [String]) throws(ConfigError) {
    guard entries(of: key).map({ $0.value ?? "" }) == values else {
      throw .syntax(file: file, line: 1, rule: "'\(key)' cannot be written so that it is read back")
    }
  }

  /// The part of a key before the last dot.
  private static func section(of key: String) -> String {
    String(key.prefix(upTo: key.lastIndex(of: ".") ?? key.endIndex))
  }

  /// `[section]` or `[section "subsection"]`.
  private static func header(_ section: String) -> [UInt8] {
    let parts = section.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    var text = Array("[\(parts[0])".utf8)
    if parts.count > 1 {
      text += " \"".utf8
      for byte in parts[1].utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          text.append(UInt8(ascii: "\\"))
        }
        text.append(byte)
      }
      text.append(UInt8(ascii: "\""))
    }
    return text + [UInt8(ascii: "]")]
  }

  /// A value so that it is read back, in quotes where it needs them.
  private static func written(_ value: String) -> [UInt8] {
    var text: [UInt8] = []
    var needsQuotes = value.isEmpty
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): text += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): text += Array("\\n".utf8)
      case UInt8(ascii: "\t"): text += Array("\\t".utf8)
      case 8: text += Array("\\b".utf8)
      case UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "\r"):
        needsQuotes = true
        text.append(byte)
      default: text.append(byte)
      }
    }
    let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    if let first = text.first, let last = text.last {
      needsQuotes = needsQuotes || blanks.contains(first) || blanks.contains(last)
    }
    let quote = [UInt8(ascii: "\"")]
    return needsQuotes ? quote + text + quote : text
  }
}
