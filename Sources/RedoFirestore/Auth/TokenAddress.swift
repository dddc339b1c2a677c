// Where secrets may be sent.

internal import RedoHTTP
internal import RedoStore

/// Addresses of token endpoints.
enum TokenAddress {
  /// Whether what is sent there is encrypted, or does not leave this machine.
  ///
  /// - Parameter address: an address; a query may follow it.
  /// - Returns: `false` also for anything that is not an address.
  static func isSafe(_ address: String) -> Bool {
    let place = String(address.prefix { $0 != "?" })
    guard let endpoint = try? HTTPEndpoint(place) else { return false }
    return endpoint.origin.isEncrypted || endpoint.origin.isLoopback
  }

  /// A form in its posted form (application/x-www-form-urlencoded; RFC 6749, appendix B).
  ///
  /// - Parameter members: names and values.
  /// - Returns: the bytes.
  static func form(_ members: [(name: String, value: [UInt8])]) -> [UInt8] {
    var form: [UInt8] = []
    for (name, value) in members {
      if !form.isEmpty { form.append(UInt8(ascii: "&")) }
      form += name.utf8
      form.append(UInt8(ascii: "="))
      for byte in value { append(byte, to: &form) }
    }
    return form
  }

  /// Appends a byte, as `%XX` unless it is unreserved (RFC 3986, section 2.3).
  private static func append(_ byte: UInt8, to form: inout [UInt8]) {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: form.append(byte)
    default:
      let digits = Array("0123456789ABCDEF".utf8)
      form += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
    }
  }
}
