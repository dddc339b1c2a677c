// Reading checkpoints: the lines are exactly those of the format, and there are no others.

internal import RedoCrypto

extension SignedCheckpoint {
  /// Reads a checkpoint and verifies its signatures.
  ///
  /// - Parameter bytes: the whole note.
  /// - Throws: the first fault.
  package init(decoding bytes: [UInt8]) throws(NoteError) {
    let note = try SignedNote(decoding: bytes)
    let checkpoint = try Checkpoint(text: note.text)
    let signers = try note.signers()
    guard !signers.isEmpty else {
      throw NoteError(
        note.signatures[0].number, "no signature is by a key that is its own name, of 64 hex digits"
      )
    }
    self.init(checkpoint: checkpoint, note: note, signers: signers)
  }
}

extension Checkpoint {
  /// The number of lines that each has.
  static let lineCount = 7

  /// Reads what a checkpoint says.
  ///
  /// - Parameter text: the text of the note, with its last line feed.
  /// - Throws: the first fault.
  package init(text: ArraySlice<UInt8>) throws(NoteError) {
    let lines = text.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { NoteWords($0) }
    func words(_ number: Int) throws(NoteError) -> NoteWords {
      guard number <= lines.count else {
        throw NoteError(number, "the text ends before line \(number)")
      }
      return lines[number - 1]
    }
    store = try words(1).origin(1)
    size = try words(2).number(2, "the number of entries")
    root = try words(3).root(3)
    (entry, chain) = try words(4).numberAndHash(4, "entry")
    (refCount, refsDigest) = try words(5).numberAndHash(5, "refs")
    previous = try words(6).previous(6)
    time = try words(7).time(7)
    statements = []
    for number in stride(from: Self.lineCount + 1, through: lines.count, by: 2) {
      let (kind, count, digest) = try words(number).kindNumberAndHash(number, "objects")
      if let last = statements.last, !last.kind.utf8.lexicographicallyPrecedes(kind.utf8) {
        throw NoteError(number, "a kind that does not come after the one before")
      }
      let heads = try words(number + 1).kindNumberAndHash(number + 1, "heads")
      guard heads.kind == kind else { throw NoteError(number + 1, "not the heads of '\(kind)'") }
      guard heads.number <= count, (heads.number == 0) == (count == 0) else {
        throw NoteError(number + 1, "as many heads as \(count) objects cannot have")
      }
      statements.append(
        HistoryStatement(
          kind: kind, count: count, digest: digest, headCount: heads.number,
          headsDigest: heads.hash))
    }
  }
}

/// A line as its words.
struct NoteWords {
  let line: ArraySlice<UInt8>
  let words: [ArraySlice<UInt8>]

  init(_ line: ArraySlice<UInt8>) {
    self.line = line
    words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
  }

  private func isNamed(_ name: String, count: Int) -> Bool {
    words.count == count && words[0].elementsEqual(name.utf8)
  }

  func origin(_ number: Int) throws(NoteError) -> StoreID {
    let prefix = Array(Checkpoint.originPrefix.utf8)
    guard line.starts(with: prefix),
      let store = StoreID(text: String(decoding: line.dropFirst(prefix.count), as: UTF8.self))
    else { throw NoteError(number, "the origin is not 'redo/' and 32 hex digits") }
    return store
  }

  func number(_ number: Int, _ what: String) throws(NoteError) -> Int {
    guard let value = Self.decimal(line) else {
      throw NoteError(number, "\(what) is not a number without leading zeros")
    }
    return value
  }

  func root(_ number: Int) throws(NoteError) -> Digest {
    guard let root = Self.hash(line) else {
      throw NoteError(number, "the root is not the Base64 of 32 bytes")
    }
    return root
  }

  func numberAndHash(_ number: Int, _ name: String) throws(NoteError) -> (Int, Digest) {
    guard isNamed(name, count: 3), let value = Self.decimal(words[1]),
      let hash = Self.digest(words[2])
    else { throw NoteError(number, "not '\(name)', a number and 64 hex digits") }
    return (value, hash)
  }

  func kindNumberAndHash(
    _ number: Int, _ name: String
  ) throws(NoteError) -> (kind: String, number: Int, hash: Digest) {
    guard isNamed(name, count: 4), let value = Self.decimal(words[2]),
      let hash = Self.digest(words[3]),
      !words[1].isEmpty,
      words[1].allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { throw NoteError(number, "not '\(name)', a kind, a number and 64 hex digits") }
    return (String(decoding: words[1], as: UTF8.self), value, hash)
  }

  func previous(_ number: Int) throws(NoteError) -> ObjectID? {
    guard isNamed("previous", count: 2) else {
      throw NoteError(number, "not 'previous' and an id or '-'")
    }
    if words[1].elementsEqual("-".utf8) { return nil }
    let text = Array(words[1])
    guard let id = ObjectID(ascii: text.span) else {
      throw NoteError(number, "not 'previous' and an id or '-'")
    }
    return id
  }

  func time(_ number: Int) throws(NoteError) -> WallTime {
    let text = Array(words.last ?? [])
    guard isNamed("time", count: 2), let (time, hasFraction) = WallTime.parse(text.span),
      hasFraction
    else { throw NoteError(number, "not 'time' and a time such as 2025-01-15T10:30:00.000Z") }
    return time
  }

  /// A number of up to 63 bits in decimal digits, without leading zeros.
  static func decimal(_ text: ArraySlice<UInt8>) -> Int? {
    guard !text.isEmpty, text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      text.count == 1 || text.first != UInt8(ascii: "0")
    else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }

  /// A hash in Base64.
  static func hash(_ text: ArraySlice<UInt8>) -> Digest? {
    let text = Array(text)
    guard let bytes = Base64.decode(text.span) else { return nil }
    return Digest(raw: bytes.span)
  }

  /// A hash in 64 hex digits.
  private static func digest(_ text: ArraySlice<UInt8>) -> Digest? {
    let text = Array(text)
    return Hex.decode32(text.span).map { Digest(bytes: $0) }
  }
}
