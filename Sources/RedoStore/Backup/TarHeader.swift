// The header of a file in a tar archive, in the form "ustar" (POSIX.1-1988, pax(1)): a block of 512 bytes.
//
//   0 name, 100        124 size, 12      156 type, 1     257 "ustar" NUL "00"
//   100 mode, 8        136 time, 12      157 link, 100   345 prefix of the name, 155
//   108 user, 8; 116 group, 8            148 sum of all bytes, itself as blanks, 8
//
// Numbers are octal digits with zeros in front, and a NUL; the sum has 6 digits, a NUL and a blank.

/// Makes headers of tar archives.
package enum TarHeader {
  /// The bytes of a block; a file fills whole ones, with zeros at its end.
  package static let blockBytes = 512
  /// What ends an archive: two blocks of zeros.
  package static var end: [UInt8] { [UInt8](repeating: 0, count: 2 * blockBytes) }
  /// The most bytes of a file: 11 octal digits.
  package static let sizeLimit = 1 << 33 - 1

  /// The header of a regular file of mode 0644 that belongs to nobody.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - size: its bytes.
  ///   - seconds: its time, since 1970.
  /// - Returns: the block; `nil` when the name or the size does not fit into one.
  package static func block(_ name: String, size: Int, seconds: Int64) -> [UInt8]? {
    guard let (prefix, rest) = split(Array(name.utf8)), size <= sizeLimit else { return nil }
    var block = [UInt8](repeating: 0, count: blockBytes)
    func put(_ bytes: some Sequence<UInt8>, at place: Int) {
      for (index, byte) in bytes.enumerated() { block[place + index] = byte }
    }
    put(rest, at: 0)
    put(octal(0o644, 7), at: 100)
    put(octal(0, 7), at: 108)
    put(octal(0, 7), at: 116)
    put(octal(size, 11), at: 124)
    put(octal(Int(min(max(seconds, 0), Int64(sizeLimit))), 11), at: 136)
    put([UInt8](repeating: UInt8(ascii: " "), count: 8), at: 148)
    block[156] = UInt8(ascii: "0")
    put("ustar\u{0}00".utf8, at: 257)
    put(prefix, at: 345)
    put(octal(block.reduce(0) { $0 + Int($1) }, 6) + [0], at: 148)
    return block
  }

  /// The zeros after a file of a size.
  package static func padding(after size: Int) -> Int {
    (blockBytes - size % blockBytes) % blockBytes
  }

  private static func octal(_ number: Int, _ digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: digits - text.utf8.count) + text.utf8
  }

  /// A name, cut at a slash if it does not fit otherwise.
  private static func split(_ name: [UInt8]) -> (prefix: [UInt8], rest: [UInt8])? {
    guard !name.isEmpty else { return nil }
    if name.count <= 100 { return ([], name) }
    for place in name.indices where name[place] == UInt8(ascii: "/") {
      let rest = name.count - place - 1
      if place > 0, place <= 155, rest > 0, rest <= 100 {
        return (Array(name[..<place]), Array(name[(place + 1)...]))
      }
    }
    return nil
  }
}
