// The grammar of a config file, that of git-config(1), "Syntax":
//
//   [section]  or  [section "subsection"]  or  [section.subsection]
//   name = value        # comment
//   name                ; the same as name = true
//
// Section and name are case-insensitive; a quoted subsection is not. A value may be quoted in parts, may have
// \\ \" \n \t \b, and continues on the next line after a backslash.

/// Reads one config file.
struct ConfigParser {
  private let bytes: [UInt8]
  private let file: String
  private let origin: Config.Origin
  private var position = 0
  private var line = 1
  private var section: [UInt8]?
  /// The place after the last byte of the header, name or value that was read last.
  private var end = 0

  private init(_ bytes: [UInt8], file: String, origin: Config.Origin) {
    self.bytes = bytes
    self.file = file
    self.origin = origin
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: its contents.
  ///   - file: its path, for messages.
  ///   - origin: what to note as the place of its settings.
  /// - Returns: its settings, first to last.
  /// - Throws: `syntax`, with the line.
  static func parse(
    _ bytes: [UInt8], file: String, origin: Config.Origin
  ) throws(ConfigError) -> [Config.Entry] {
    try places(bytes, file: file, origin: origin).compactMap(\.entry)
  }

  /// Reads a file, and notes the places of its headers and settings.
  ///
  /// - Parameters:
  ///   - bytes: its contents.
  ///   - file: its path, for messages.
  ///   - origin: what to note as the place of its settings.
  /// - Returns: its headers and settings, first to last.
  /// - Throws: `syntax`, with the line.
  static func places(
    _ bytes: [UInt8], file: String, origin: Config.Origin
  ) throws(ConfigError) -> [ConfigText.Place] {
    var parser = ConfigParser(bytes, file: file, origin: origin)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    var places: [ConfigText.Place] = []
    while let byte = parser.next() {
      let start = parser.position - 1
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "#"), UInt8(ascii: ";"): parser.skipComment()
      case UInt8(ascii: "["):
        let header = try parser.header()
        parser.section = header
        places.append(
          ConfigText.Place(
            key: String(decoding: header, as: UTF8.self), entry: nil, range: start..<parser.position
          ))
      default:
        let entry = try parser.setting(first: byte)
        places.append(ConfigText.Place(key: entry.key, entry: entry, range: start..<parser.end))
      }
    }
    return places
  }

  /// The next byte; a carriage return before a line feed is left out.
  private mutating func next() -> UInt8? {
    guard position < bytes.count else { return nil }
    var byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: "\r"), position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
      byte = UInt8(ascii: "\n")
      position += 1
    }
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  private mutating func skipComment() {
    while let byte = next(), byte != UInt8(ascii: "\n") {}
  }

  private func wrong(_ rule: String, line: Int? = nil) -> ConfigError {
    .syntax(file: file, line: line ?? self.line, rule: rule)
  }

  /// What is between the brackets, as the beginning of a key.
  private mutating func header() throws(ConfigError) -> [UInt8] {
    let start = line
    var name: [UInt8] = []
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "]") where !name.isEmpty: return name
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        guard !name.isEmpty else { throw wrong("a section without a name", line: start) }
        return name + [UInt8(ascii: ".")] + (try subsection(start))
      case _ where Self.isNamePart(byte) || byte == UInt8(ascii: "."):
        name.append(Self.lowercased(byte))
      default: throw wrong("a section's name is letters, digits, '-' and '.'", line: start)
      }
    }
    throw wrong("a section without ']'", line: start)
  }

  private mutating func subsection(_ start: Int) throws(ConfigError) -> [UInt8] {
    var byte = next()
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { byte = next() }
    guard byte == UInt8(ascii: "\"") else {
      throw wrong("a subsection without quotes", line: start)
    }
    var name: [UInt8] = []
    while let byte = next(), byte != UInt8(ascii: "\n") {
      switch byte {
      case UInt8(ascii: "\""):
        guard next() == UInt8(ascii: "]") else { throw wrong("a section without ']'", line: start) }
        return name
      case UInt8(ascii: "\\"):
        guard let escaped = next(), escaped != UInt8(ascii: "\n") else {
          throw wrong("a subsection goes over the line", line: start)
        }
        name.append(escaped)
      default: name.append(byte)
      }
    }
    throw wrong("a subsection's quotes are not closed", line: start)
  }

  /// A name, and its value if it has one.
  private mutating func setting(first: UInt8) throws(ConfigError) -> Config.Entry {
    let start = line
    guard let section else { throw wrong("a setting before any section") }
    var name = [Self.lowercased(first)]
    guard Self.isName(name[...]) else { throw wrong("a setting's name begins with a letter") }
    end = position
    var byte = next()
    while let part = byte, Self.isNamePart(part) {
      name.append(Self.lowercased(part))
      end = position
      byte = next()
    }
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { byte = next() }
    var value: String?
    if byte == UInt8(ascii: "=") {
      end = position
      value = try text(try self.value(start), start)
    } else if byte != nil && byte != UInt8(ascii: "\n") {
      throw wrong("a setting's name is letters, digits and '-', then '='", line: start)
    }
    let key = try text(section + [UInt8(ascii: ".")] + name, start)
    return Config.Entry(key: key, value: value, origin: origin, line: start)
  }

  private func text(_ bytes: [UInt8], _ line: Int) throws(ConfigError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw wrong("a text that is not UTF-8", line: line)
    }
    return text
  }

  private mutating func value(_ start: Int) throws(ConfigError) -> [UInt8] {
    var value: [UInt8] = []
    /// How much of the value is certain; blanks after it are dropped unless more follows.
    var kept = 0
    var isQuoted = false
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "\n"):
        guard !isQuoted else { throw wrong("a value's quotes are not closed", line: start) }
        return Array(value[..<kept])
      case UInt8(ascii: " ") where !isQuoted, UInt8(ascii: "\t") where !isQuoted:
        if kept > 0 { value.append(byte) }
        continue
      case UInt8(ascii: "#") where !isQuoted, UInt8(ascii: ";") where !isQuoted:
        skipComment()
        return Array(value[..<kept])
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\\"):
        guard let escaped = try escape(start) else { continue }
        value.append(escaped)
      default: value.append(byte)
      }
      kept = value.count
      end = position
    }
    guard !isQuoted else { throw wrong("a value's quotes are not closed", line: start) }
    return Array(value[..<kept])
  }

  /// What a backslash and the byte after it mean; nothing when the value continues on the next line.
  private mutating func escape(_ start: Int) throws(ConfigError) -> UInt8? {
    switch next() {
    case UInt8(ascii: "\n"): nil
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "\\"): UInt8(ascii: "\\")
    case UInt8(ascii: "\""): UInt8(ascii: "\"")
    default: throw wrong("an unknown escape after '\\'", line: start)
    }
  }

  /// Whether a name may contain a byte.
  static func isNamePart(_ byte: UInt8) -> Bool {
    isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
  }

  /// Whether bytes are the name of a setting.
  static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first.map(isLetter) == true && bytes.allSatisfy(isNamePart)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte)
  }

  /// An ASCII letter in lower case, any other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
