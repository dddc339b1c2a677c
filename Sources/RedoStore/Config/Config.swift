// Settings in layers, git-config(1)'s way: the system's file, the user's, the store's, the
// environment, the options of the command. Later layers win; a key may have several values.

/// The settings that are in effect for one command.
package struct Config: Sendable {
  /// The layer of a setting.
  package enum Origin: Hashable, Sendable {
    /// The file of the system.
    case system(path: String)
    /// The file of the user.
    case user(path: String)
    /// The file of the store, which may be somebody else's.
    case store(path: String)
    /// The variables `REDO_CONFIG_KEY_<n>` and `REDO_CONFIG_VALUE_<n>`.
    case environment
    /// An option `-c`.
    case option

    /// Whether the user, not the author of the store, has set it.
    package var isProtected: Bool {
      if case .store = self { false } else { true }
    }
  }

  /// One setting.
  package struct Entry: Hashable, Sendable {
    /// `section.name` or `section.subsection.name`, section and name in lower case.
    package let key: String
    /// The value; `nil` for a name without `=`, which means true.
    package let value: String?
    /// Its place.
    package let origin: Origin
    /// Its line in a file, from 1; 0 elsewhere.
    package let line: Int

    /// A setting with all its parts.
    package init(key: String, value: String?, origin: Origin, line: Int) {
      self.key = key
      self.value = value
      self.origin = origin
      self.line = line
    }
  }

  /// All settings, the weakest layer first.
  package private(set) var entries: [Entry]

  /// Settings of these entries.
  package init(entries: [Entry] = []) {
    self.entries = entries
  }

  /// Reads a setting's written key.
  ///
  /// - Parameter text: `section.name` or `section.subsection.name`.
  /// - Returns: the key with section and name in lower case, or `nil` when it is not a key.
  package static func key(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    guard let first = bytes.firstIndex(of: dot), let last = bytes.lastIndex(of: dot), first > 0,
      ConfigParser.isName(bytes[(last + 1)...]), !bytes.contains(UInt8(ascii: "\n")),
      bytes[..<first].allSatisfy({ ConfigParser.isNamePart($0) })
    else { return nil }
    var key = bytes
    for index in key.indices where index < first || index > last {
      key[index] = ConfigParser.lowercased(key[index])
    }
    return String(decoding: key, as: UTF8.self)
  }

  /// All values of a key, the weakest first.
  ///
  /// - Parameters:
  ///   - key: with section and name in lower case.
  ///   - isProtected: whether to leave out the settings of the store.
  /// - Returns: the entries.
  package func all(_ key: String, isProtected: Bool = false) -> [Entry] {
    entries.filter { $0.key == key && (!isProtected || $0.origin.isProtected) }
  }

  /// The setting that is in effect for a key.
  package func entry(_ key: String) -> Entry? { entries.last { $0.key == key } }

  /// The value that is in effect for a key; a name without `=` gives an empty text.
  package func get(_ key: String) -> String? { entry(key).map { $0.value ?? "" } }

  /// The boolean that is in effect for a key.
  ///
  /// - Parameter key: with section and name in lower case.
  /// - Returns: `nil` when it is not set.
  /// - Throws: `value` when it is set to something else.
  package func bool(_ key: String) throws(ConfigError) -> Bool? {
    guard let entry = entry(key) else { return nil }
    guard let value = entry.value else { return true }
    switch value.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off", "": return false
    default:
      guard let number = Self.number(value) else {
        throw .value(entry, expected: "true or false")
      }
      return number != 0
    }
  }

  /// The number that is in effect for a key.
  ///
  /// - Parameters:
  ///   - key: with section and name in lower case.
  ///   - range: what it may be.
  /// - Returns: `nil` when it is not set.
  /// - Throws: `value` when it is set to something else.
  package func int(
    _ key: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(ConfigError) -> Int? {
    guard let entry = entry(key) else { return nil }
    guard let value = entry.value, let number = Self.number(value), range.contains(number) else {
      let isBounded = range != .min ... .max
      let bounds = isBounded ? " from \(range.lowerBound) to \(range.upperBound)" : ""
      throw .value(entry, expected: "a number\(bounds)")
    }
    return number
  }

  /// A decimal number, in units of 1024 with `k`, of its square with `m`, of its cube with `g`.
  static func number(_ text: String) -> Int? {
    var digits = Array(text.utf8)
    var factor = 1
    switch digits.last.map(ConfigParser.lowercased) {
    case UInt8(ascii: "k"): factor = 1 << 10
    case UInt8(ascii: "m"): factor = 1 << 20
    case UInt8(ascii: "g"): factor = 1 << 30
    default: break
    }
    if factor > 1 { digits.removeLast() }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    let (product, isLarge) = number.multipliedReportingOverflow(by: factor)
    return isLarge ? nil : product
  }
}
