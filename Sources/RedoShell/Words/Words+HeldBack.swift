// What is held back from an exchange, one line for each reason.

internal import RedoObject
package import RedoRepository
internal import RedoRemote

extension HeldBack {
  /// Where nodes are, and what does not happen to them.
  package enum Side {
    /// They are here, and not sent to the remote of this name; without a name, not sent at all.
    case here(remote: String)
    /// They are at the remote of this name, and not taken.
    case there(remote: String)
  }

  /// One line for people about what is private.
  ///
  /// - Parameter things: writes a number of these objects.
  /// - Returns: the line.
  package func privateText(_ things: (Int) -> String) -> String {
    let why =
      rule == Self.shared
      ? "others have shared \(total == 1 ? "it" : "them"), or what \(total == 1 ? "it follows" : "they follow")"
      : "\(total == 1 ? "it tells" : "they tell") a precise place, or \(total == 1 ? "follows" : "follow") what does"
    return "\(things(total)) \(total == 1 ? "stays" : "stay") here: \(why)"
  }

  /// One line for people.
  ///
  /// - Parameters:
  ///   - side: where they are.
  ///   - things: writes a number of these objects.
  /// - Returns: the line.
  package func text(_ side: Side, _ things: (Int) -> String) -> String {
    let many = total != 1
    let changes = things(total)
    let start =
      switch side {
      case .here(let remote):
        "\(changes) here \(many ? "are" : "is") not sent to '\(remote)'"
      case .there(let remote):
        "\(changes) at '\(remote)' \(many ? "are" : "is") not taken"
      }
    var parts: [String] = []
    if count > 0 { parts.append("\(count) \(fault(count != 1))\(named)\(code(side))") }
    if below > 0 {
      let need = below == 1 ? "needs" : "need"
      parts.append("\(below) \(need) \(count == 1 ? "it" : count == 0 ? "such a one" : "these")")
    }
    let remedy = remedy(side).map { "; \($0)" } ?? ""
    return "\(start): \(parts.joined(separator: ", "))\(remedy)"
  }

  /// The nodes that are named, in parentheses.
  private var named: String {
    let named = ids.prefix(min(count, HeldBack.namedLimit))
    guard !named.isEmpty else { return "" }
    let more = count > named.count ? ", ..." : ""
    return " (\(named.map(\.text).joined(separator: ", "))\(more))"
  }

  /// The documents' name for what is here and cannot be read.
  private func code(_ side: Side) -> String {
    guard case .here = side, isUnreadable, rule != Rule.archiveOffline.id else { return "" }
    return " [\(CommandError.unreadableCode)]"
  }

  /// What is wrong with them.
  private func fault(_ many: Bool) -> String {
    switch rule {
    case Rule.signatureMissing.id: many ? "have no signature" : "has no signature"
    case Rule.objectCorrupt.id: many ? "are damaged" : "is damaged"
    case Rule.objectMissing.id: many ? "are missing" : "is missing"
    case Rule.archiveOffline.id: "\(many ? "are" : "is") in an archive that is away"
    case Rule.parentMissing.id: many ? "lack a parent" : "lacks a parent"
    case Rule.parentRefused.id:
      many ? "have a parent that is refused" : "has a parent that is refused"
    default: (many ? "break " : "breaks ") + Escape.text(rule)
    }
  }

  /// What may help.
  private func remedy(_ side: Side) -> String? {
    switch (rule, side) {
    case (Rule.signatureMissing.id, .here): "'--allow-unsigned' sends \(total == 1 ? "it" : "them")"
    case (Rule.signatureMissing.id, .there):
      "'--allow-unsigned' takes \(total == 1 ? "it" : "them")"
    case (Rule.objectCorrupt.id, .here), (Rule.objectMissing.id, .here):
      "'redo verify --repair-from=<source>' takes \(count == 1 ? "a good copy" : "good copies") from "
        + "another store, or a backup"
    case (Rule.objectCorrupt.id, .there(let remote)), (Rule.objectMissing.id, .there(let remote)):
      "'redo push \(remote)' sends \(total == 1 ? "it" : "them") again where this store has \(total == 1 ? "it" : "them")"
    default: Rule.allCases.contains { $0.id == rule } ? "redo-rules(7) says more" : nil
    }
  }
}
