// The grammar of revisions, redo-revisions(7): a name, a place in the past of a ref, and steps to
// ancestors.
//
//   revision  = name [ "@{" ( number | instant ) "}" ] *( "~" [number] / "^" [number] )
//   range     = revision / "^" revision / revision ".." revision / revision "..." revision

/// A revision as it was written; what it resolves to is a separate question.
package struct Revision: Equatable {
  /// A place in the past of a ref.
  package enum Past: Equatable {
    /// This many changes of the ref ago.
    case changes(Int)
    /// At an instant.
    case moment(String)
  }

  /// A step to an ancestor.
  package enum Step: Equatable {
    /// `^n`: the parent of that number, from 1; 0 is the node itself.
    case parent(Int)
    /// `~n`: this many steps along first parents.
    case ancestor(Int)
  }

  /// The whole text, for messages.
  package let text: String
  /// The name before everything else, not empty.
  package let name: String
  /// The place in the past.
  package let past: Past?
  /// The steps, first to last.
  package let steps: [Step]

  /// Whether the text is a name and nothing else.
  package var isPlain: Bool { past == nil && steps.isEmpty }

  /// Reads a revision.
  ///
  /// - Parameter text: as it was written.
  /// - Throws: `RevisionFault.malformed`.
  package init(_ text: String) throws {
    let bytes = Array(text.utf8)
    let at = Self.pastStart(bytes)
    let tail = bytes.firstIndex { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "^") }
    let end = min(at ?? bytes.count, tail ?? bytes.count)
    guard end > 0 else { throw RevisionFault.malformed(text, .unnamed) }
    self.text = text
    name = String(decoding: bytes[..<end], as: UTF8.self)
    var rest = bytes[end...]
    past = try Self.past(&rest, text)
    var steps: [Step] = []
    while let sign = rest.first {
      guard sign == UInt8(ascii: "~") || sign == UInt8(ascii: "^") else {
        let place = String(decoding: rest, as: UTF8.self)
        throw RevisionFault.malformed(text, .noStep(place))
      }
      rest = rest.dropFirst()
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      let number = digits.isEmpty ? 1 : Int(String(decoding: digits, as: UTF8.self))
      guard let number else { throw RevisionFault.malformed(text, .largeNumber) }
      steps.append(sign == UInt8(ascii: "~") ? .ancestor(number) : .parent(number))
    }
    self.steps = steps
  }

  /// The position of the first `@{`.
  private static func pastStart(_ bytes: [UInt8]) -> Int? {
    bytes.indices.first { index in
      bytes[index] == UInt8(ascii: "@") && index + 1 < bytes.count
        && bytes[index + 1] == UInt8(ascii: "{")
    }
  }

  private static func past(
    _ rest: inout ArraySlice<UInt8>, _ text: String
  ) throws -> Past? {
    guard rest.first == UInt8(ascii: "@") else { return nil }
    guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else {
      throw RevisionFault.malformed(text, .unclosedPast)
    }
    let inner = String(decoding: rest[(rest.startIndex + 2)..<close], as: UTF8.self)
    rest = rest[(close + 1)...]
    if !inner.isEmpty, inner.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
      guard let number = Int(inner) else { throw RevisionFault.malformed(text, .largeNumber) }
      return .changes(number)
    }
    guard Moment.isMeant(inner) else {
      throw RevisionFault.malformed(text, .malformedPast(inner))
    }
    return .moment(inner)
  }
}

/// One argument that names a set of nodes.
package enum RevisionRange: Equatable {
  /// A revision, and what it reaches.
  case include(String)
  /// `^A`: not what it reaches.
  case exclude(String)
  /// `A..B`: what B reaches and A does not.
  case difference(from: String, to: String)
  /// `A...B`: what one of them reaches and the other does not.
  case symmetric(String, String)

  /// Reads a range.
  ///
  /// - Parameter text: as it was written.
  /// - Throws: `RevisionFault` when an end is missing.
  package init(_ text: String) throws {
    if text.utf8.first == UInt8(ascii: "^") {
      guard text.utf8.count > 1 else { throw RevisionFault.lonelyCaret }
      self = .exclude(String(text.dropFirst()))
      return
    }
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    let place = bytes.indices.dropLast().first { bytes[$0] == dot && bytes[$0 + 1] == dot }
    guard let place else {
      self = .include(text)
      return
    }
    let isSymmetric = place + 2 < bytes.count && bytes[place + 2] == dot
    let left = String(decoding: bytes[..<place], as: UTF8.self)
    let right = String(decoding: bytes[(place + (isSymmetric ? 3 : 2))...], as: UTF8.self)
    guard !left.isEmpty, !right.isEmpty else {
      throw RevisionFault.openRange(text)
    }
    self = isSymmetric ? .symmetric(left, right) : .difference(from: left, to: right)
  }
}
