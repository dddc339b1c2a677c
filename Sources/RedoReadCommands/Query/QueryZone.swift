// Time zones by name: fixed offsets from UTC, and files of the system's time zone database.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell

/// Finds time zones.
enum QueryZone {
  /// The usual place of the database; `TZDIR` names another one, as for tzset(3).
  private static let directory = "/usr/share/zoneinfo"
  /// The longest name.
  private static let nameLimit = 64

  /// The zone with a name.
  ///
  /// - Throws: `fatal` when there is none.
  static func named(_ name: String, _ context: borrowing Context) throws -> CivilZone {
    if let fixed = CivilZone(fixed: name) { return fixed }
    guard isName(name) else {
      throw CommandError.fatal(
        "not a time zone: '\(name)'",
        hints: ["a zone is written 'UTC', '+02:00', '-03:30' or 'Europe/Berlin'"])
    }
    var directory = Self.directory
    if let other = context.environment("TZDIR"), other.hasPrefix("/") { directory = other }
    let path = "\(directory)/\(name)"
    let bytes: [UInt8]
    do {
      bytes = try InputFile.read(path, at: path, limit: CivilZone.fileLimit, cuts: false)
    } catch {
      throw CommandError.fatal(
        "no time zone '\(name)' in '\(directory)'",
        hints: ["a distance such as '+02:00' needs no database"])
    }
    guard let zone = CivilZone(file: bytes) else {
      throw CommandError.fatal("'\(path)' is no time zone that can be read")
    }
    return zone
  }

  /// Whether this is a zone name that does not lead out of the database.
  private static func isName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.count <= nameLimit
      && parts.allSatisfy { part in
        part.first.map(isLetter) ?? false
          && part.allSatisfy { byte in
            isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
              || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
          }
      }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26
  }
}
