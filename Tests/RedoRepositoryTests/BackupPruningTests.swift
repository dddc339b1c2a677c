// Which points of a backup stay, beside those that a plan keeps.

import RedoCrypto
import RedoStore
import Testing

@testable import RedoRepository

@Suite("A plan for backups")
struct BackupPruningTests {
  private static let digest = Digest(bytes: InlineArray(repeating: 0))

  private static func manifest(_ letter: Character, _ time: Int64) -> BackupManifest {
    let none = BackupManifest.IDSet(count: 0, digest: digest)
    let isFull = letter.lowercased() == "f"
    var manifest = BackupManifest(
      kind: isFull ? .full : .increment, time: time, store: nil, depth: isFull ? 0 : 1, nodes: 0,
      history: none, objects: none,
      logs: LogPoint(
        entry: 0, chain: digest, reflogBytes: 0, receivedBytes: 0, receivedDigest: digest),
      refs: none)
    if letter.isLowercase { manifest.left[StoredPath.LeftKind.unreadable] = 1 }
    return manifest
  }

  /// What becomes of points, a letter each.
  ///
  /// - Parameters:
  ///   - text: `f` is a full one, `i` an increment on the one before; in small letters they lack objects. `.` is a file
  ///     that cannot be read.
  ///   - last: how many the plan keeps.
  /// - Returns: `k` for those that the plan keeps, `-` for those that go, `p`, `n` and `u` for a prerequisite, a needed
  ///   and an unreadable one; `.` stays.
  private static func outcome(_ text: String, last: Int) -> String {
    var points: [BackupShelf.Point] = []
    var unknown: [String] = []
    var before = ""
    for (index, letter) in text.enumerated() {
      let time = Int64(index) * 86_400_000
      if letter == "." {
        before = BackupManifest.fileName(.increment, time)
        unknown.append(before)
        continue
      }
      var manifest = manifest(letter, time)
      if manifest.kind == .increment {
        manifest.needs = BackupManifest.Part(name: before, digest: digest, size: 0)
      }
      before = manifest.fileName
      points.append(BackupShelf.Point(name: before, manifest: manifest, bytes: 0, isSealed: false))
    }
    var plan = RetentionPlan()
    plan.counts[.last] = last
    var chosen = BackupPruning.choose(plan, BackupShelf.linked(points), unknown: unknown)[...]
    return String(text.map { $0 == "." ? "." : Self.letter(chosen.removeFirst().reasons) })
  }

  private static func letter(_ reasons: [PrunedArchive.Reason]) -> Character {
    switch reasons {
    case []: "-"
    case [.prerequisite]: "p"
    case [.needed]: "n"
    case [.unreadable]: "u"
    default: "k"
    }
  }

  @Test("keeps what a kept point needs, and nothing else")
  func chain() {
    #expect(Self.outcome("FIFI", last: 1) == "--pk")
    #expect(Self.outcome("FIIF", last: 2) == "ppkk")
    #expect(Self.outcome("FFF", last: 1) == "--k")
  }

  @Test("keeps all points before a file that cannot be read, or is away")
  func unknown() {
    #expect(Self.outcome("FI.F", last: 1) == "pp.k")
    #expect(Self.outcome("F.FF", last: 1) == "p.-k")
    #expect(Self.outcome("FI.I", last: 1) == "pk.u")
    #expect(Self.outcome("FFF.", last: 1) == "ppk.")
  }

  @Test("keeps what an incomplete point lacks, back to the last one that lacks nothing")
  func incomplete() {
    #expect(Self.outcome("FFf", last: 1) == "-nk")
    #expect(Self.outcome("FIf", last: 1) == "pnk")
    #expect(Self.outcome("FFff", last: 1) == "-nnk")
    #expect(Self.outcome("fff", last: 1) == "nnk")
    #expect(Self.outcome("FfF", last: 1) == "--k")
    #expect(Self.outcome("FfI", last: 1) == "-pk")
    #expect(Self.outcome("FFfI", last: 2) == "-nkk")
  }
}
