// A small store for tests: the nodes of a vector, taken in within the process.

import Foundation
import RedoCrypto
import RedoHistory
import RedoObject
import RedoStore
import TestSupport

@testable import RedoRepository

/// A store in a directory that is removed with it.
///
/// A class, because it notes the nodes that it has taken in.
final class VectorStore {
  private let directory = TemporaryDirectory()
  /// The nodes that were taken in, parents before children.
  private(set) var nodes: [Node] = []
  /// The events that were reported.
  let log = EventLog()

  /// A store with the nodes of some files of `Tests/Vectors/log`.
  init(_ names: String...) throws {
    _ = try Effects().makeRepository(path + "/.redo")
    for name in names { try add(try Self.nodes(of: name)) }
  }

  /// The directory that contains `.redo`.
  var path: String { directory.path }

  /// Surroundings in which the store is found.
  var effects: Effects { effects { 1_760_000_000_000 } }

  /// The same surroundings with another clock.
  func effects(input: Int32 = -1, clock: @escaping @Sendable () -> Int64) -> Effects {
    var effects = Effects(
      clock: clock, random: { Random.uint64() }, reporter: log,
      surroundings: Surroundings(workingDirectory: path))
    effects.surroundings.standardInput = input
    effects.surroundings.settings = [("safe.store", "*")]
    return effects
  }

  /// Opens the store.
  func open() throws -> Repository { try effects.openRepository() }

  /// The nodes of a file of `Tests/Vectors/log`.
  static func nodes(of name: String) throws -> [Node] {
    var decoder = NodeDecoder()
    return try VectorFolder.own("log").bytes("\(name).ndjson").split(separator: 10).compactMap {
      decoder.decode(Array($0).span)
    }
  }

  /// Takes nodes into the history.
  func add(_ more: [Node]) throws {
    let opened = try open()
    var transaction = try NodeTransaction(
      NodeTransaction.Options(identity: .required, updatesHeads: true, message: "test"),
      opened, effects)
    try transaction.stage(more.enumerated().map { (record: $0.offset, node: $0.element) })
    _ = try transaction.finish(effects)
    nodes += more
  }

  /// Removes the files of all objects, and nothing else.
  func loseObjects() throws {
    let objects = path + "/.redo/objects"
    for name in FileManager.default.enumerator(atPath: objects)?.allObjects ?? [] {
      guard let name = name as? String else { continue }
      let file = objects + "/" + name
      var isDirectory: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory),
        !isDirectory.boolValue
      {
        try FileManager.default.removeItem(atPath: file)
      }
    }
  }

  /// Whether a file exists.
  func has(_ name: String) -> Bool { directory.has(name) }

  /// Writes a file.
  func write(_ text: String, to name: String) throws { try directory.write(text, to: name) }

  /// An identity that signs.
  static func identity(seed: UInt8 = 7) -> Identity {
    var seed = [UInt8](repeating: seed, count: 32)
    let key = SecretKey(seed: SecretBytes(moving: &seed))
    let publicKey = key.publicKey
    return Identity(
      key: key, publicKey: publicKey, userID: UserID(of: publicKey), deviceID: "test", name: nil,
      email: nil, deviceName: nil)
  }
}

/// The error of some kind that a body throws; `nil` when it throws none, or one of another kind.
func fault<Kind: Error>(_ kind: Kind.Type, _ body: () throws -> Void) -> Kind? {
  do {
    try body()
    return nil
  } catch {
    return error as? Kind
  }
}
