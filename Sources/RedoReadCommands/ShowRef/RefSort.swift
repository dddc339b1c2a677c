// The order of a listing of refs: --sort=<atom>, with `-` for descending; the last key given is the most
// significant, as in git, and names decide ties.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// One key of an order.
struct RefSort: Sendable {
  let atom: RefAtom
  private let isDescending: Bool

  /// The value of a row for a key.
  enum Value: Sendable {
    case number(UInt64)
    case bytes([UInt8])
  }

  /// Reads a key.
  ///
  /// - Throws: `fatal` for an unknown atom.
  init(_ text: String) throws {
    isDescending = text.utf8.first == UInt8(ascii: "-")
    let name = isDescending ? String(text.dropFirst()) : text
    guard let found = RefAtom.all.first(where: { $0.key == name }) else {
      throw CommandError.fatal(
        "unknown atom '\(name)' to sort by",
        hints: Suggestion.hints(for: name, among: RefAtom.all.map(\.key)))
    }
    atom = found.value
  }

  /// The value of a row for the key; numbers and times are compared as such.
  func value(of row: RefRow) -> Value {
    switch atom {
    case .object(.lamport): return .number(row.node?.lamport.value ?? 0)
    case .object(.size):
      return .number(row.object.map { UInt64(ObjectRow(object: $0, node: nil).size) } ?? 0)
    case .object(.wall):
      // The offset sorts times before 1970 correctly; refs without a node come before all others.
      return .number(
        row.node.map { UInt64(bitPattern: $0.wall.milliseconds) ^ (1 << 63) } ?? 0)
    case .name, .id, .task, .object:
      var bytes: [UInt8] = []
      row.append(atom, to: &bytes)
      return .bytes(bytes)
    }
  }

  /// Whether one row comes before another, given the values of all keys, most significant first.
  static func precedes(
    _ left: (ref: Ref, values: [Value]), _ right: (ref: Ref, values: [Value]), _ keys: [RefSort]
  ) -> Bool {
    for (index, key) in keys.enumerated() {
      let isBefore: Bool
      let isAfter: Bool
      switch (left.values[index], right.values[index]) {
      case (.number(let a), .number(let b)): (isBefore, isAfter) = (a < b, b < a)
      case (.bytes(let a), .bytes(let b)):
        (isBefore, isAfter) = (a.lexicographicallyPrecedes(b), b.lexicographicallyPrecedes(a))
      case (.number, .bytes), (.bytes, .number): continue
      }
      if isBefore || isAfter { return isBefore != key.isDescending }
    }
    return left.ref < right.ref
  }
}
