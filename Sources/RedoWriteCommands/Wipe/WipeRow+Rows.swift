// What is removed, as rows: `<id> <user> <action> <why>`, or the same as JSON.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension WipeRow {
  private var reasonText: String {
    switch reason {
    case .all: "all"
    case .author: "author"
    case .descendant: "descendant"
    case .leftOver: "left-over"
    case .notes: "notes"
    }
  }

  /// `<id> <user> <action> <why>`, on one line.
  static var columns: [RowColumn<WipeRow>] {
    [
      .word("id") { $0.entry.id.text },
      .word("userId") { $0.entry.user },
      .word("label", in: .text) { $0.entry.label },
      .word("action", in: .json) { $0.entry.node == nil ? nil : $0.entry.label },
      .word("kind", in: .json) { $0.entry.node == nil ? $0.entry.label : nil },
      .word("because") { $0.reasonText },
      .word("parent", absent: .leftOut) { $0.parent?.text },
      .word("cid", in: .json) {
        $0.entry.kind == .receipt ? $0.entry.id.cidText(as: .receipt) : nil
      },
    ]
  }

  private var parent: ObjectID? {
    if case .descendant(let parent) = reason { parent } else { nil }
  }
}
