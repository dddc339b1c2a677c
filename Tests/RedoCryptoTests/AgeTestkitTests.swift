// The vectors of age (C2SP/CCTV, age/testdata): each file says itself what must come of it. Post-quantum keys are not
// supported; their files are read as far as it takes to say so.

import CZlib
import RedoCrypto
import TestSupport
import Testing

import struct Foundation.URL
import class Foundation.FileManager

/// A file of the testkit.
struct AgeVector: Sendable, CustomTestStringConvertible {
  let name: String
  var expected = ""
  var payload: String?
  var identities: [String] = []
  var passphrases: [String] = []
  var isArmored = false
  var bytes: [UInt8] = []

  var testDescription: String { name }

  /// Lines of `key: value`, an empty line, and the file, compressed if it says so.
  init(_ name: String, _ text: [UInt8]) throws {
    self.name = name
    var rest = text[...]
    var isCompressed = false
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      if line.isEmpty { break }
      let cut = try #require(line.firstRange(of: ": "))
      let value = String(line[cut.upperBound...])
      switch line[..<cut.lowerBound] {
      case "expect": expected = value
      case "payload": payload = value
      case "identity": identities.append(value)
      case "passphrase": passphrases.append(value)
      case "armored": isArmored = value == "yes"
      case "compressed": isCompressed = value == "zlib"
      case "file key", "comment": break
      case let key: Issue.record("unknown field '\(key)'")
      }
    }
    bytes = isCompressed ? try Self.inflated(Array(rest)) : Array(rest)
  }

  private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 64 << 20)
    var count = uLong(output.count)
    // SAFETY: writes at most the output's bytes.
    let status = unsafe uncompress(&output, &count, bytes, uLong(bytes.count))
    try #require(status == Z_OK)
    return Array(output[..<Int(count)])
  }

  static let all: [AgeVector] = {
    guard VectorFolder.isSharedPresent else { return [] }
    let folder = VectorFolder.repository.deletingLastPathComponent()
      .appending(path: "shared/vectors/age-testkit")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0 != "SOURCE.txt" }.compactMap { name in
      try? AgeVector(name, VectorFolder.shared("age-testkit").bytes(name))
    }
  }()
}

/// What came of a file.
private enum AgeOutcome: Equatable {
  case success
  case noMatch
  case hybridOnly
  case fault(AgeFault)

  /// In the words of the testkit.
  var text: String {
    switch self {
    case .success: "success"
    case .noMatch: "no match"
    case .hybridOnly: "hybrid is not supported"
    case .fault(let fault):
      switch fault {
      case .notAge, .version, .header, .work, .memory: "header failure"
      case .changedHeader: "HMAC failure"
      case .payload: "payload failure"
      case .armor: "armor failure"
      }
    }
  }
}

/// Decrypts as a program does, in pieces of one size.
private struct AgeDecryption {
  var output: [UInt8] = []

  mutating func run(_ vector: AgeVector, piece: Int) -> AgeOutcome {
    do throws(AgeFault) { return try attempt(vector, piece: piece) } catch { return .fault(error) }
  }

  private mutating func attempt(
    _ vector: AgeVector, piece: Int
  ) throws(AgeFault) -> AgeOutcome {
    let pieces = stride(from: 0, to: vector.bytes.count, by: piece).map {
      Array(vector.bytes[$0..<min($0 + piece, vector.bytes.count)])
    }
    var armor = AgeArmorReader()
    var waiting: [UInt8] = []
    var header: AgeHeader?
    var opener: AgeOpener?
    // One turn more than there are pieces: the end.
    for index in 0...pieces.count {
      let isEnd = index == pieces.count
      var bytes: [UInt8] = []
      var failure: AgeFault?
      do throws(AgeFault) {
        if !vector.isArmored {
          bytes = isEnd ? [] : pieces[index]
        } else if isEnd {
          try armor.finish(into: &bytes)
        } else {
          try armor.add(pieces[index], into: &bytes)
        }
      } catch {
        failure = error
      }
      if header == nil {
        waiting += bytes
        if let read = try AgeHeader.read(waiting, isWhole: isEnd && failure == nil) {
          header = read
          bytes = Array(waiting[read.end...])
          guard let key = try unlock(read, vector) else {
            return read.hasHybrid ? .hybridOnly : .noMatch
          }
          opener = AgeOpener(key: key)
        }
      }
      if header != nil { try opener?.add(bytes, into: &output) }
      if let failure { throw failure }
      if isEnd { try opener?.finish(into: &output) }
    }
    return .success
  }

  private func unlock(
    _ header: AgeHeader, _ vector: AgeVector
  ) throws(AgeFault) -> SecretBytes? {
    for text in vector.identities where !text.hasPrefix(AgeIdentity.hybridPrefix) {
      guard let identity = AgeIdentity(text: Array(text.utf8).span) else {
        Issue.record("'\(text)' is not taken")
        continue
      }
      if let key = try header.fileKey(identity) { return try header.payloadKey(for: key) }
    }
    for text in vector.passphrases {
      var bytes = Array(text.utf8)
      if let key = try header.fileKey(passphrase: SecretBytes(moving: &bytes)) {
        return try header.payloadKey(for: key)
      }
    }
    return nil
  }
}

@Suite(
  "The testkit of age",
  .enabled(if: VectorFolder.isSharedPresent, "SKIPPED: ../shared/vectors is absent"))
struct AgeTestkitTests {
  @Test("the vectors are all there")
  func count() {
    #expect(AgeVector.all.count >= 120)
  }

  @Test("each file behaves as it says", arguments: AgeVector.all)
  func behaves(_ vector: AgeVector) {
    let isHybrid = vector.identities.contains { $0.hasPrefix(AgeIdentity.hybridPrefix) }
    for text in vector.identities where text.hasPrefix(AgeIdentity.hybridPrefix) {
      switch AgeIdentity(text: Array(text.utf8).span) {
      case .some: Issue.record("a post-quantum key is taken")
      case .none: break
      }
    }
    for piece in [vector.bytes.count + 1, 65_536, vector.bytes.count > 400_000 ? 9_973 : 7] {
      var run = AgeDecryption()
      let outcome = run.run(vector, piece: piece)
      // Whether a post-quantum stanza is well formed is not looked at.
      if isHybrid, outcome == .hybridOnly {
        #expect(vector.name.contains("hybrid") && vector.name != "hybrid_x25519_arg")
        continue
      }
      #expect(outcome.text == vector.expected, "pieces of \(piece)")
      #expect(!isHybrid || vector.expected == "header failure")
      let digest = SHA256.digest(of: run.output.span)
      if let payload = vector.payload { #expect(Hex.text(digest.bytes.span) == payload) }
      if vector.payload == nil { #expect(run.output.isEmpty) }
    }
  }
}
