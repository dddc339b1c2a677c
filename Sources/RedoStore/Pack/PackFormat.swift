// A pack: objects of one kind in one file, nodes as columns (redo-pack(5)).
//
//   12 bytes    89 "redopack" CR LF, and the version
//   1 byte      in version 2: the kind of the objects
//   frames      each: bytes, nodes, canonical bytes (4 bytes each), checksum (16 bytes), columns
//   directory   4 bytes 0; what is in the frames; what is needed from elsewhere
//   40 bytes    where the directory begins (8 bytes), SHA-256 of all bytes before it
//
// Numbers are little-endian. Nothing in a pack depends on a clock, a path or a machine.

internal import RedoObject

/// The constants of the format.
package enum PackFormat {
  /// The version of packs of nodes.
  package static let version: UInt8 = 1
  /// The version of packs of another kind, which their beginning names.
  package static let kindsVersion: UInt8 = 2
  /// What every pack of any version begins with.
  package static let magic: [UInt8] = [0x89] + Array("redopack\r\n".utf8)
  /// The most bytes of a body: those of the largest node.
  package static let nodeLimit = 1_048_576
  /// The most bytes before the first frame.
  static let headLimit = 13
  /// The bytes of a frame before its columns.
  static let frameHeaderBytes = 28
  /// The bytes of a frame's checksum: the beginning of a SHA-256.
  static let checksumBytes = 16
  /// The bytes after the directory.
  static let footerBytes = 40

  /// The canonical bytes after which a frame is full, unless it holds one node only.
  static let frameTarget = 262_144
  /// The most nodes of a frame.
  static let frameNodeLimit = 4096
  /// The most canonical bytes of a frame.
  static let frameCanonicalLimit = nodeLimit
  /// The most bytes of a frame in the file.
  static let frameFileLimit = 4_194_304
  /// The most bytes of all columns of a frame, inflated.
  static let columnsLimit = 4_194_304
  /// The most shapes and columns of a frame.
  static let shapeLimit = frameNodeLimit
  /// The most bytes of a directory: that of about a hundred million nodes.
  static let directoryLimit = 67_108_864
}

/// The beginning of a pack.
struct PackHead: Equatable {
  /// The kind of its objects.
  let kind: ObjectKind

  /// The beginning of a pack of objects of a kind.
  init(_ kind: ObjectKind) { self.kind = kind }

  /// Reads the beginning of a file.
  ///
  /// - Parameter bytes: its first `PackFormat.headLimit` bytes, or all of them.
  /// - Throws: `notPack`, `unsupported`, `kind`.
  init(_ bytes: [UInt8]) throws(PackError) {
    let count = PackFormat.magic.count
    guard bytes.starts(with: PackFormat.magic), bytes.count > count else { throw .notPack }
    switch bytes[count] {
    case PackFormat.version: kind = .node
    case PackFormat.kindsVersion:
      guard bytes.count > count + 1 else { throw .notPack }
      let number = bytes[count + 1]
      guard number > 0, let kind = ObjectKind(packNumber: number) else { throw .kind(number) }
      self.kind = kind
    case let version: throw .unsupported(version: version)
    }
  }

  /// Its bytes.
  var bytes: [UInt8] {
    guard let number = kind.packNumber else { preconditionFailure("BUG: a pack of no kind") }
    return PackFormat.magic
      + (number == 0 ? [PackFormat.version] : [PackFormat.kindsVersion, number])
  }

  /// How many these are.
  var count: Int { PackFormat.magic.count + (kind.packNumber == 0 ? 1 : 2) }
}

/// Why a pack could not be read.
package enum PackError: Error, Equatable, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// The file does not begin as a pack does.
  case notPack
  /// The file is a pack of a version that is not read here.
  case unsupported(version: UInt8)
  /// The file is a pack of objects of another kind than those that are wanted; the number is that of its beginning.
  case kind(UInt8)
  /// The file is encrypted, and no key that is at hand opens it.
  case locked
  /// The bytes at a place of the file are not what they should be.
  case corrupt(offset: Int, reason: String)
}

extension PackError: CustomStringConvertible {
  /// One line for people, without the name of the file.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .notPack: "it does not begin as a pack does"
    case .locked: "it is encrypted, and no key that is at hand opens it"
    case .unsupported(let version):
      "it is a pack of version \(version); this release reads versions \(PackFormat.version) "
        + "and \(PackFormat.kindsVersion)"
    case .kind(let number):
      if let kind = ObjectKind(packNumber: number) {
        "it is a pack of objects of the kind '\(kind.name)', which are not wanted here"
      } else {
        "it is a pack of objects of kind \(number), of which nothing is known here"
      }
    case .corrupt(let offset, let reason): "at byte \(offset): \(reason)"
    }
  }
}

/// What is wrong with some bytes; the caller, who knows their place, makes a `PackError` from it.
struct PackFault: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension Array where Element == UInt8 {
  /// Appends a number as some bytes, the lowest first.
  mutating func append(littleEndian value: UInt64, bytes: Int) {
    for place in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
  }

  /// Appends a number in groups of seven bits, the lowest first; bit 7 says that more follow.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads a number of some bytes, the lowest first.
  func littleEndian(at start: Int, bytes count: Int) -> UInt64 {
    var value: UInt64 = 0
    for place in 0..<count { value |= UInt64(self[start + place]) << UInt64(8 * place) }
    return value
  }
}

/// Signed numbers as unsigned ones, small where the signed one is near 0.
enum Zigzag {
  static func encode(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

  static func decode(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

/// Bytes that are read from the first to the last.
struct PackStream {
  let bytes: [UInt8]
  private(set) var place: Int

  init(_ bytes: [UInt8], from place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  /// Whether everything has been read.
  var isAtEnd: Bool { place == bytes.count }

  private static let end = PackFault("a column ends too early")

  mutating func byte() throws(PackFault) -> UInt8 {
    guard place < bytes.count else { throw Self.end }
    place += 1
    return bytes[place - 1]
  }

  /// The place of the next bytes.
  mutating func take(_ count: Int) throws(PackFault) -> Range<Int> {
    guard count >= 0, count <= bytes.count - place else { throw Self.end }
    place += count
    return place - count..<place
  }

  mutating func varint() throws(PackFault) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      // The tenth byte has room for one bit; a last group of 0 is a number that has a shorter form.
      guard shift < 63 || next <= 1, next != 0 || shift == 0 else {
        throw PackFault("a number is not written in its shortest form")
      }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  /// A number that counts or names something: smaller than a limit.
  mutating func number(below limit: Int) throws(PackFault) -> Int {
    let value = try varint()
    guard value < UInt64(limit) else { throw PackFault("a number is too large: \(value)") }
    return Int(value)
  }

  /// The place of the bytes before the next line feed.
  mutating func line() throws(PackFault) -> Range<Int> {
    let start = place
    while place < bytes.count {
      place += 1
      if bytes[place - 1] == 0x0A { return start..<place - 1 }
    }
    throw Self.end
  }
}
