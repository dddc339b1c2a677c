// Whether what is written is read as UTF-8, as the environment tells (POSIX.1-2017, XBD 8.2).

internal import RedoRepository

/// The encoding of the locale.
package enum LocaleEncoding {
  /// Whether the locale writes UTF-8: of `LC_ALL`, `LC_CTYPE` and `LANG`, the first one with a value
  /// says so.
  package static func isUTF8(_ environment: (String) -> String?) -> Bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment)
    guard let locale = values.first(where: { !$0.isEmpty }) else { return false }
    // Such as de_DE.UTF-8@euro.
    let encoding = locale.drop { $0 != "." }.dropFirst().prefix { $0 != "@" }.lowercased()
    return encoding == "utf-8" || encoding == "utf8"
  }
}
