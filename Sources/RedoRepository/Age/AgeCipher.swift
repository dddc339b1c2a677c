// The work of `redo age`: a stream of any length becomes an age file, or the contents of one. No more than a chunk is
// ever in memory.

package import RedoCrypto
internal import RedoStore

/// Where the bytes come from.
package struct AgeInput: Sendable {
  /// An open descriptor.
  package let descriptor: Int32
  /// Its name in messages.
  package let name: String

  /// A descriptor and its name.
  package init(_ descriptor: Int32, _ name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// The bytes that are read at a time.
  private static let pieceBytes = 65_536

  /// Reads the next bytes; none at the end.
  fileprivate func next(_ effects: Effects) throws -> [UInt8] {
    try effects.checkInterrupt()
    var bytes: [UInt8] = []
    _ = try InterruptibleRead.append(
      descriptor, atMost: Self.pieceBytes, to: &bytes, name: name)
    return bytes
  }
}

/// Encrypts and decrypts streams.
package enum AgeCipher {
  /// Begins a file.
  ///
  /// - Parameter lock: what is to open it.
  /// - Returns: what makes its bytes.
  /// - Throws: `SealFault.memory`.
  package static func writer(_ lock: borrowing AgeLock) throws -> AgeWriter {
    do throws(AgeFault) { return try AgeWriter(lock) } catch {
      guard case .memory(let logarithm) = error else { throw SealFault.file(.age(error), path: "") }
      throw SealFault.memory(logarithm: logarithm)
    }
  }

  /// Encrypts a stream.
  ///
  /// - Parameters:
  ///   - input: what is encrypted.
  ///   - lock: what is to open it.
  ///   - isArmored: whether the file is to be text.
  ///   - effects: says whether the work is cancelled.
  ///   - write: receives the bytes of the file.
  /// - Throws: `SealFault.memory`; when the input cannot be read; what the closure throws.
  package static func encrypt(
    _ input: AgeInput, _ lock: borrowing AgeLock, isArmored: Bool, _ effects: Effects,
    _ write: ([UInt8]) throws -> Void
  ) throws {
    var writer = try writer(lock)
    var armor = AgeArmorWriter()
    func put(_ bytes: [UInt8]) throws {
      guard isArmored else { return try write(bytes) }
      armor.add(bytes)
      try write(armor.take())
    }
    while true {
      let bytes = try input.next(effects)
      if bytes.isEmpty { break }
      writer.add(bytes)
      try put(writer.take())
    }
    writer.finish()
    try put(writer.take())
    guard isArmored else { return }
    armor.finish()
    try write(armor.take())
  }

  /// Decrypts a stream, with or without armor.
  ///
  /// - Parameters:
  ///   - input: an age file.
  ///   - keys: what is tried.
  ///   - effects: says whether the work is cancelled, and whose keyring and terminal are asked.
  ///   - write: receives the contents, a chunk at a time, each once it is proved to be unchanged; that none is missing is
  ///     proved by the end of the call.
  /// - Throws: `SealFault`; when the input cannot be read; what the closure throws.
  package static func decrypt(
    _ input: AgeInput, _ keys: SealKeys, _ effects: Effects, _ write: ([UInt8]) throws -> Void
  ) throws {
    var bare = BareInput(input)
    let header = try header(&bare, effects)
    var opener = AgeOpener(key: try keys.payloadKey(header, input.name, effects))
    var contents: [UInt8] = []
    do {
      while true {
        let bytes = try bare.next(effects)
        if bytes.isEmpty { break }
        try Self.naming(input) { () throws(AgeFault) in try opener.add(bytes, into: &contents) }
        try write(contents)
        contents = []
      }
      try Self.naming(input) { () throws(AgeFault) in try opener.finish(into: &contents) }
    } catch let fault as SealFault {
      // What precedes the place of the fault is proved.
      try write(contents)
      throw fault
    }
    try write(contents)
  }

  /// Reads the header; what is read beyond it is given back.
  private static func header(_ input: inout BareInput, _ effects: Effects) throws -> AgeHeader {
    var bytes: [UInt8] = []
    // Twice as much each time, so that a header in small pieces is not read again for each.
    var wanted = 0
    while true {
      let more = try input.next(effects)
      bytes += more
      guard bytes.count >= wanted || more.isEmpty else { continue }
      wanted = 2 * bytes.count
      if let error = ForeignFile.error(bytes, input.input.name) { throw error }
      let header = try Self.naming(input.input) { () throws(AgeFault) in
        try AgeHeader.read(bytes, isWhole: more.isEmpty)
      }
      guard let header else { continue }
      input.giveBack(Array(bytes[header.end...]))
      return header
    }
  }

  fileprivate static func naming<Value>(
    _ input: AgeInput, _ body: () throws(AgeFault) -> Value
  ) throws -> Value {
    do throws(AgeFault) { return try body() } catch {
      throw SealFault.file(.age(error), path: input.name)
    }
  }
}

/// An input without its armor, if it has one.
private struct BareInput {
  let input: AgeInput
  private var armor: AgeArmorReader?
  private var waiting: [UInt8]?
  private var isKnown = false
  private var isEnd = false
  private var failure: SealFault?

  init(_ input: AgeInput) { self.input = input }

  /// The next bytes; none at the end.
  mutating func next(_ effects: Effects) throws -> [UInt8] {
    if let bytes = waiting {
      waiting = nil
      if !bytes.isEmpty { return bytes }
    }
    if let failure { throw failure }
    while !isEnd {
      let text = isKnown ? try input.next(effects) : try start(effects)
      if text.isEmpty { isEnd = true }
      guard armor != nil else { return text }
      var bytes: [UInt8] = []
      do throws(AgeFault) {
        if isEnd { try armor?.finish(into: &bytes) } else { try armor?.add(text, into: &bytes) }
      } catch {
        // What precedes it counts.
        failure = .file(.age(error), path: input.name)
        if bytes.isEmpty { throw SealFault.file(.age(error), path: input.name) }
      }
      if !bytes.isEmpty { return bytes }
    }
    return []
  }

  /// The first bytes, by which it is known whether there is an armor.
  private mutating func start(_ effects: Effects) throws -> [UInt8] {
    isKnown = true
    var bytes: [UInt8] = []
    while true {
      let more = try input.next(effects)
      bytes += more
      let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if more.isEmpty || text.count >= AgeArmor.firstLine.utf8.count || bytes.count > 4096 { break }
    }
    if AgeArmor.isArmor(bytes) { armor = AgeArmorReader() }
    return bytes
  }

  /// Takes back bytes that come next.
  mutating func giveBack(_ bytes: [UInt8]) { waiting = bytes }
}
