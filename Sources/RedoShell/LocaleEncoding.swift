// Whether output is read as UTF-8, according to the environment (POSIX.1-2017, XBD 8.2).

internal import RedoRepository

/// The encoding of the locale.
package enum LocaleEncoding {
  /// Whether the locale uses UTF-8, according to the first of `LC_ALL`, `LC_CTYPE` and `LANG` that has a
  /// value.
  package static func isUTF8(_ environment: (String) -> String?) -> Bool {
    let values = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment)
    guard let locale = values.first(where: { !$0.isEmpty }) else { return false }
    // For example de_DE.UTF-8@euro.
    let encoding = locale.drop { $0 != "." }.dropFirst().prefix { $0 != "@" }.lowercased()
    return encoding == "utf-8" || encoding == "utf8"
  }
}
