// The hooks of a store that run when nodes are received, in git's manner (githooks(5)):
//
//   hooks/pre-receive    before anything can be seen; a status other than 0 refuses all of it
//   hooks/post-receive   afterwards; its status changes nothing
//
// Both read a line `<old> <new> <ref>` for each head that moves, with zeros for a missing ID.

internal import RedoObject
internal import RedoStore

/// Runs hooks.
package struct ReceiveHooks {
  private let opened: Repository
  private let isOn: Bool

  package init(_ opened: Repository, _ options: Receiver.Options) {
    self.opened = opened
    // A hook of a store that is not the user's own is not run: opening the store has said so.
    isOn = options.runsHooks && options.writes && opened.store.standing.isOwn
  }

  /// Whether there may be a hook to ask; one that cannot be examined counts as present.
  package var isAsked: Bool {
    guard isOn else { return false }
    let path = "\(Layout.hooks)/\(HookProcess.preReceive)"
    do throws(SystemError) {
      return try opened.store.directory.status(path) != nil
    } catch {
      return true
    }
  }

  /// Asks whether nodes may be taken in.
  ///
  /// - Parameters:
  ///   - heads: the heads that would move; if there are none, no hook is asked.
  ///   - effects: receives the answer as an event.
  /// - Returns: whether they may.
  /// - Throws: `SyncFault` when there is a hook that must not, or cannot, be run.
  func allow(
    _ heads: [MovedHeads], _ effects: Effects
  ) throws -> Bool {
    guard let status = try run(HookProcess.preReceive, heads, effects), status != 0 else {
      return true
    }
    effects.report(.sync(.hookRefused(status: status)))
    return false
  }

  /// Reports to the hook that nodes were taken in.
  package func tell(_ heads: [MovedHeads], _ effects: Effects) {
    do {
      if let status = try run(HookProcess.postReceive, heads, effects), status != 0 {
        effects.report(.sync(.hookFailed(status: status)))
      }
    } catch {
      effects.report(.sync(.hookUntold(error)))
    }
  }

  /// - Returns: how it ended; `nil` when nothing was run.
  private func run(
    _ name: String, _ heads: [MovedHeads], _ effects: Effects
  ) throws -> Int32? {
    guard isOn, !heads.isEmpty else { return nil }
    let reason: String
    let store = opened.store.directory.share()
    do throws(SystemError) {
      switch try HookProcess.find(name, in: store) {
      case .none: return nil
      case .program: return try HookProcess.run(name, in: store, input: Self.lines(heads))
      case .idle:
        effects.report(.sync(.hookPassedOver(name: name)))
        return nil
      case .foreign(let why): reason = why
      }
    } catch {
      throw SyncFault.unstartableHook(name: name, error)
    }
    throw SyncFault.foreignHook(name: name, reason: reason)
  }

  /// The lines that a hook reads.
  package static func lines(_ heads: [MovedHeads]) -> [UInt8] {
    var lines: [UInt8] = []
    for head in heads {
      for move in head.moves {
        (move.old ?? RefTransaction.zero).append(to: &lines)
        lines.append(UInt8(ascii: " "))
        (move.new ?? RefTransaction.zero).append(to: &lines)
        lines += " \(head.name.text)\n".utf8
      }
    }
    return lines
  }
}
