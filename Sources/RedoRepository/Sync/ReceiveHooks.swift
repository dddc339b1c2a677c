// The hooks of a store that run when nodes are received, in git's manner (githooks(5)):
//
//   hooks/pre-receive            before anything can be seen; a status other than 0 refuses all of it
//   hooks/update                 for each head that moves; a status other than 0 refuses what came for its ref
//   hooks/reference-transaction  'prepared': a status other than 0 refuses all of it; then 'committed' or 'aborted'
//   hooks/post-receive           afterwards; its status changes nothing
//
// The first and the third read, and the last, a line `<old> <new> <ref>` for each head that moves, with zeros for a missing ID; the
// second has these words as arguments. Those that are asked can read what comes (ShownObjects).

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
  package var isAsked: Bool { HookProcess.asked.contains(where: isThere) }

  private func isThere(_ name: String) -> Bool {
    guard isOn else { return false }
    do throws(SystemError) {
      return try opened.store.directory.status("\(Layout.hooks)/\(name)") != nil
    } catch {
      return true
    }
  }

  /// What hooks say before anything is taken in.
  enum Answer {
    /// All of it may come, but what came for these refs.
    case allowed(but: Set<RefName>)
    /// None of it may come: which hook says so.
    case refused(by: String)
  }

  /// Asks whether nodes may be taken in: `pre-receive`, then `update`.
  ///
  /// - Parameters:
  ///   - heads: the heads that would move; if there are none, no hook is asked.
  ///   - shown: what the hooks can read.
  ///   - effects: receives the answers as events.
  /// - Returns: what may be.
  /// - Throws: `SyncFault` when there is a hook that must not, or cannot, be run.
  func ask(
    _ heads: [MovedHeads], _ shown: ShownObjects?, _ effects: Effects
  ) throws -> Answer {
    let name = HookProcess.preReceive
    if let status = try run(name, [], heads, shown, effects), status != 0 {
      effects.report(.sync(.hookRefused(name: name, ref: nil, status: status)))
      return .refused(by: name)
    }
    var refused: Set<RefName> = []
    guard isThere(HookProcess.update) else { return .allowed(but: refused) }
    for head in heads {
      for move in head.moves where !refused.contains(head.name) {
        try effects.checkInterrupt()
        let words = [head.name.text] + Self.words(of: move)
        guard let status = try run(HookProcess.update, words, input: [], shown, effects) else {
          return .allowed(but: refused)
        }
        guard status != 0 else { continue }
        effects.report(
          .sync(.hookRefused(name: HookProcess.update, ref: head.name.text, status: status)))
        refused.insert(head.name)
      }
    }
    return .allowed(but: refused)
  }

  /// Asks `reference-transaction` whether heads may move.
  ///
  /// - Returns: the answer.
  /// - Throws: as `ask`.
  func prepare(
    _ heads: [MovedHeads], _ shown: ShownObjects?, _ effects: Effects
  ) throws -> Answer {
    let name = HookProcess.referenceTransaction
    guard let status = try run(name, ["prepared"], heads, shown, effects), status != 0 else {
      return .allowed(but: [])
    }
    effects.report(.sync(.hookRefused(name: name, ref: nil, status: status)))
    end(heads, isDone: false, effects)
    return .refused(by: name)
  }

  /// Reports to `reference-transaction` whether heads have moved.
  func end(_ heads: [MovedHeads], isDone: Bool, _ effects: Effects) {
    tell(
      HookProcess.referenceTransaction, [isDone ? "committed" : "aborted"], heads, effects)
  }

  /// Reports to the hooks that nodes were taken in.
  package func tell(_ heads: [MovedHeads], _ effects: Effects) {
    end(heads, isDone: true, effects)
    tell(HookProcess.postReceive, [], heads, effects)
  }

  private func tell(
    _ name: String, _ arguments: [String], _ heads: [MovedHeads], _ effects: Effects
  ) {
    do {
      if let status = try run(name, arguments, heads, nil, effects), status != 0 {
        effects.report(.sync(.hookFailed(name: name, status: status)))
      }
    } catch {
      effects.report(.sync(.hookUntold(error)))
    }
  }

  /// Runs a hook that reads lines.
  ///
  /// - Returns: its exit status; `nil` when there is none to run.
  private func run(
    _ name: String, _ arguments: [String], _ heads: [MovedHeads], _ shown: ShownObjects?,
    _ effects: Effects
  ) throws -> Int32? {
    guard !heads.isEmpty else { return nil }
    return try run(name, arguments, input: Self.lines(heads), shown, effects)
  }

  private func run(
    _ name: String, _ arguments: [String], input: [UInt8], _ shown: ShownObjects?,
    _ effects: Effects
  ) throws -> Int32? {
    guard isOn else { return nil }
    let reason: String
    let store = opened.store.directory.share()
    do throws(SystemError) {
      switch try HookProcess.find(name, in: store) {
      case .none: return nil
      case .program:
        return try HookProcess.run(name, arguments, in: store, input: input, shown: shown?.path)
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
        lines += (words(of: move) + [head.name.text]).joined(separator: " ").utf8
        lines.append(UInt8(ascii: "\n"))
      }
    }
    return lines
  }

  /// The ids of a move.
  private static func words(of move: MovedHeads.Move) -> [String] {
    [(move.old ?? RefTransaction.zero).text, (move.new ?? RefTransaction.zero).text]
  }
}
