// The C library's text for an error number, in the manner of our messages.

import Glibc
internal import RedoRepository

/// Texts for `errno` values.
package enum ErrorNumber {
  /// The text of an error number, beginning in lower case.
  package static func text(_ number: Int32) -> String {
    // SAFETY: known numbers have constant texts, and any other is copied at once.
    guard let pointer = unsafe strerror(number) else { return "error \(number)" }
    let text = unsafe String(cString: pointer)
    guard let first = text.unicodeScalars.first else { return "error \(number)" }
    let rest = text.unicodeScalars.dropFirst()
    // "RPC struct is bad" begins with an acronym, "I/O" is none of glibc's texts.
    if let second = rest.first, second.properties.isUppercase { return text }
    return first.properties.lowercaseMapping + String(rest)
  }
}
