// JSON for people: two spaces per level, one member per line, texts escaped as in RFC 8785.

internal import CanonicalJSON
internal import RedoRepository

/// Lays canonical JSON out over several lines.
package enum PrettyJSON {
  /// Appends a canonical text with line breaks; strings stay unchanged.
  package static func append(_ canonical: Span<UInt8>, to output: inout [UInt8]) {
    var depth = 0
    var isInString = false
    var index = 0
    func newLine(_ output: inout [UInt8]) {
      output.append(UInt8(ascii: "\n"))
      for _ in 0..<depth {
        output.append(UInt8(ascii: " "))
        output.append(UInt8(ascii: " "))
      }
    }
    while index < canonical.count {
      let byte = canonical[index]
      index += 1
      if isInString {
        output.append(byte)
        if byte == UInt8(ascii: "\\"), index < canonical.count {
          output.append(canonical[index])
          index += 1
        }
        isInString = byte != UInt8(ascii: "\"")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        if index < canonical.count, canonical[index] == byte + 2 {
          output.append(byte + 2)
          index += 1
        } else {
          depth += 1
          newLine(&output)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // Only an object that is not a node can have more closing brackets than opening ones.
        depth = max(depth - 1, 0)
        newLine(&output)
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        newLine(&output)
      case UInt8(ascii: ":"):
        output.append(byte)
        output.append(UInt8(ascii: " "))
      default:
        output.append(byte)
        isInString = byte == UInt8(ascii: "\"")
      }
    }
  }
}
