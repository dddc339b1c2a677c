// The file of a slot whose secret is meant for some addresses only:
//
//   "redo-token 1"
//   "for" SP <origin>       once or more, sorted
//   an empty line
//   the secret, as a slot without addresses has it
//
// The first line can be no token, so that a program that does not know this form hands out nothing.

package import RedoCrypto

/// A secret, and the addresses for which it was stored.
package struct BoundSecret: ~Copyable {
  /// The secret; of a line what precedes its line feed.
  package let secret: SecretBytes
  /// The origins that may get it; none where it was stored for no address in particular.
  package let origins: [WebOrigin]

  /// The most origins of a secret.
  package static let originLimit = 64

  /// The variable that tells the command of a token which origin gets it.
  package static let addressVariable = "REDO_TOKEN_FOR"
  /// The most bytes that precede a secret: a line for each origin, of a host of at most 253 bytes.
  static let headByteLimit = 32_768

  static let firstLine = "redo-token 1\n"
  private static let word = "for "

  /// Whether it may be handed out.
  ///
  /// - Parameter address: the origin that is to get it; `nil` when nobody says who is.
  /// - Returns: `false` when it was stored for others.
  package borrowing func isFor(_ address: String?) -> Bool {
    guard let address, !origins.isEmpty else { return true }
    return origins.contains { $0.text == address }
  }

  /// Whether the bytes of a secret would be taken for addresses and another secret.
  package static func isAmbiguous(_ secret: Span<UInt8>) -> Bool {
    var index = 0
    for byte in firstLine.utf8 {
      guard index < secret.count, secret[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// What precedes the secret in its file.
  static func header(_ origins: [WebOrigin]) -> [UInt8] {
    guard !origins.isEmpty else { return [] }
    var text = firstLine
    for origin in Set(origins.map(\.text)).sorted() { text += "\(word)\(origin)\n" }
    return Array((text + "\n").utf8)
  }

  /// Where in a file the secret begins, and for whom it is.
  ///
  /// - Parameter file: the bytes of the file.
  /// - Returns: 0 and none where there are no addresses; `nil` when they are malformed.
  static func head(of file: Span<UInt8>) -> (count: Int, origins: [WebOrigin])? {
    guard isAmbiguous(file) else { return (0, []) }
    var origins: [WebOrigin] = []
    var index = firstLine.utf8.count
    while true {
      var line: [UInt8] = []
      while index < file.count, file[index] != UInt8(ascii: "\n") {
        line.append(file[index])
        index += 1
      }
      guard index < file.count else { return nil }
      index += 1
      if line.isEmpty { return origins.isEmpty ? nil : (index, origins) }
      let text = String(decoding: line, as: UTF8.self)
      guard origins.count < originLimit, text.hasPrefix(word),
        let origin = WebOrigin(String(text.dropFirst(word.utf8.count))),
        text == word + origin.text
      else { return nil }
      origins.append(origin)
    }
  }

  /// The part of a slot's file that is its secret.
  ///
  /// - Parameters:
  ///   - file: the bytes of the file.
  ///   - kind: the kind of the slot.
  /// - Returns: the place of the secret without the end of its line, and for whom it is; or what is wrong, never with a
  ///   part of the secret.
  static func part(
    of file: Span<UInt8>, _ kind: SlotKind
  ) -> (range: Range<Int>, origins: [WebOrigin], fault: String?) {
    guard let head = kind.isBindable ? head(of: file) : (0, []) else {
      return (0..<file.count, [], "the addresses that it is for are malformed")
    }
    let isEnded = file.count > head.count && file[file.count - 1] == UInt8(ascii: "\n")
    let range = head.count..<(file.count - (kind.isLine && isEnded ? 1 : 0))
    return (range, head.origins, kind.fault(of: file.extracting(range)))
  }
}
