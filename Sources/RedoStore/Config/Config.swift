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

    /// Whether it counts more than any file.
    package var isAboveFiles: Bool { self == .environment || self == .option }
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

  /// A setting of a store that is not in force.
  package struct PassedOver: Hashable, Sendable {
    /// Why it is not.
    package enum Reason: Sendable {
      /// No store may say it.
      case user
      /// Only the user's own store may say it, and this is not known as one.
      case stranger
      /// The same, and in this one of the user's own something other than `redo config` has changed such settings.
      case changed
      /// No command reads it.
      case unknown
    }

    /// The setting.
    package let entry: Entry
    /// Why it is not in force.
    package let reason: Reason
  }

  /// All settings that are in force, the weakest layer first.
  package private(set) var entries: [Entry]
  /// What the file of a store says and is not in force, in the order of the file.
  package private(set) var passedOver: [PassedOver] = []
  /// What the user knows of the store whose settings are among these.
  package private(set) var standing = StoreStanding.own

  /// Settings of these entries.
  package init(entries: [Entry] = []) {
    self.entries = entries
  }

  /// These settings with those of a store below the environment and the options.
  ///
  /// This is the only way in for the settings of a store: what it may not say never gets to a reader.
  ///
  /// - Parameters:
  ///   - own: the settings of the store.
  ///   - standing: whether the store is the user's own.
  /// - Returns: all settings.
  func adding(_ own: [Entry], of standing: StoreStanding) -> Config {
    var all = self
    all.standing = standing
    var inForce: [Entry] = []
    func pass(_ entry: Entry, _ reason: PassedOver.Reason) {
      all.passedOver.append(PassedOver(entry: entry, reason: reason))
    }
    for entry in own {
      switch (KnownKey.speaker(of: entry), standing) {
      case (.anyStore, _), (.ownStore, .own): inForce.append(entry)
      case (.ownStore, .stranger): pass(entry, .stranger)
      case (.ownStore, .changed): pass(entry, .changed)
      case (.user, _): pass(entry, .user)
      case (nil, _): pass(entry, .unknown)
      }
    }
    let above = entries.firstIndex(where: \.origin.isAboveFiles)
    all.entries.insert(contentsOf: inForce, at: above ?? entries.endIndex)
    return all
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
  /// - Parameter key: with section and name in lower case.
  /// - Returns: the entries.
  package func all(_ key: String) -> [Entry] { entries.filter { $0.key == key } }

  /// What a store says about a key that no store may say anything about.
  package func ignored(_ key: String) -> Entry? {
    passedOver.last { $0.entry.key == key && $0.reason == .user }?.entry
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
