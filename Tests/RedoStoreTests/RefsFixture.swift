// A store's refs in a directory of their own, and short ways to say things about them.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

/// The id of the object for a number.
func id(_ number: Int) -> ObjectID {
  ObjectID(digest: SHA256.digest(of: Array("object \(number)".utf8).span))
}

/// A valid name.
func name(_ text: String) -> RefName {
  guard let name = RefName(text) else { preconditionFailure("'\(text)' is no name") }
  return name
}

extension Scratch {
  /// A directory with the files of a new store's refs.
  static func withRefs() throws -> Scratch {
    let scratch = try Scratch()
    try Refs(in: scratch.directory).createFiles(RefsOptions(sync: .none))
    return scratch
  }
}

/// A scratch directory with the files of a new store.
struct RefsFixture: ~Copyable {
  let scratch: Scratch
  let refs: Refs
  /// Nothing survives a crash of the machine in these tests anyway.
  var options = RefsOptions(sync: .none)

  init() throws {
    scratch = try Scratch.withRefs()
    refs = Refs(in: scratch.directory)
  }

  /// All refs as lines.
  func lines() throws -> [String] {
    var lines: [String] = []
    var snapshot = try refs.snapshot()
    try snapshot.forEach { ref in
      lines.append("\(ref.name.text) \(ref.id.hex.prefix(8))")
      return true
    }
    return lines
  }

  /// Makes a change that must succeed.
  @discardableResult
  func commit(
    _ message: String = "test", received: [ObjectID] = [],
    _ build: (inout RefTransaction) -> Void = { _ in }
  ) throws -> RefCommit {
    var transaction = RefTransaction(message: message)
    build(&transaction)
    transaction.received = received
    switch try refs.commit(transaction, at: 1_700_000_000_000, options) {
    case .committed(let commit): return commit
    case .refused(let conflicts):
      throw Refused(conflicts: conflicts)
    }
  }

  /// A change that was not made.
  struct Refused: Error {
    let conflicts: [RefConflict]
  }

  /// The four files as they are now.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in ["refs", "refs.journal", "reflog", "received"] {
      files[name] = try scratch.read(name)
    }
    return files
  }

  /// Puts back what `files` gave.
  func restore(_ files: [String: [UInt8]]) throws {
    for (name, bytes) in files { try scratch.write(name, bytes) }
  }
}
