// A line of `.redo/archives/list`: an archive that belongs to the store, wherever its file lies
// (redo-store(5)).
//
//   <name: 64 hex> SP <nodes> SP <bytes> SP <hash: 64 hex> SP <state> SP <path> LF

package import RedoCrypto
internal import RedoObject

/// An archive whose nodes count as nodes of the store.
package struct RegisteredArchive: Equatable, Sendable {
  /// Whether its nodes may still be in the store itself.
  package enum State: String, Sendable {
    /// The archive is all that was wanted.
    case kept
    /// Its nodes are being removed from the store; the next command that can finishes that.
    case removing
  }

  /// The name of the pack: SHA-256 of its ids.
  package let name: Digest
  /// The number of its nodes.
  package let nodes: Int
  /// The bytes of its file.
  package let bytes: Int
  /// The hash at the end of its file, SHA-256 of all before it.
  package let hash: Digest
  /// Whether its nodes may still be in the store itself.
  package var state: State
  /// Where its file is, from the root on.
  package var path: String

  /// An archive of all its parts.
  package init(
    name: Digest, nodes: Int, bytes: Int, hash: Digest, state: State, path: String
  ) {
    self.name = name
    self.nodes = nodes
    self.bytes = bytes
    self.hash = hash
    self.state = state
    self.path = path
  }

  /// The name as 64 hex digits.
  package var hex: String { Hex.text(name.bytes.span) }

  /// The name of the index of its ids, below `archives`.
  package var indexName: String { "\(hex).idx" }

  /// Appends the line.
  func append(to output: inout [UInt8]) {
    output += "\(hex) \(nodes) \(bytes) \(Hex.text(hash.bytes.span)) \(state.rawValue) ".utf8
    ArchivePath.append(path, to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  /// Reads a line; `nil` when it is malformed.
  ///
  /// - Parameters:
  ///   - scanner: before it, and after it afterwards.
  ///   - bytes: what is scanned.
  init?(_ scanner: inout LineScanner, _ bytes: [UInt8]) {
    guard let name = scanner.digest(), scanner.take(" "), let nodes = scanner.decimal(),
      scanner.take(" "), let size = scanner.decimal(), scanner.take(" "),
      let hash = scanner.digest(), scanner.take(" ")
    else { return nil }
    let state: State
    if scanner.take("kept ") {
      state = .kept
    } else if scanner.take("removing ") {
      state = .removing
    } else {
      return nil
    }
    guard let range = scanner.line(), let path = ArchivePath.read(bytes[range]) else { return nil }
    self.init(
      name: name, nodes: nodes, bytes: size, hash: hash, state: state, path: path)
  }
}

/// Paths in a line: control characters and backslashes are written as `\xNN`, everything else as it is.
enum ArchivePath {
  /// The longest path that Linux knows, PATH_MAX, each byte escaped.
  static let limit = 4 * 4096

  static func append(_ path: String, to output: inout [UInt8]) {
    for byte in path.utf8 {
      guard byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      output += "\\x".utf8
      output.append(Hex.digit(byte >> 4))
      output.append(Hex.digit(byte & 0x0F))
    }
  }

  /// - Returns: `nil` for anything but an absolute path in the one spelling that it has.
  static func read(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var place = text.startIndex
    while place < text.endIndex {
      guard text[place] == UInt8(ascii: "\\") else {
        bytes.append(text[place])
        place += 1
        continue
      }
      guard text.endIndex - place >= 4, text[place + 1] == UInt8(ascii: "x"),
        case let high = Hex.value(text[place + 2]), high < 16,
        case let low = Hex.value(text[place + 3]), low < 16
      else { return nil }
      bytes.append(high << 4 | low)
      place += 4
    }
    guard let path = String(validating: bytes, as: UTF8.self), path.hasPrefix("/") else {
      return nil
    }
    var again: [UInt8] = []
    append(path, to: &again)
    return again.elementsEqual(text) ? path : nil
  }
}
