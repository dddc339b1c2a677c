// What refs name must be here; a task's ref must name nodes of that task, and no head of a task may be an ancestor of
// another one.

internal import RedoHistory
internal import RedoObject
package import RedoStore

/// The check of the IDs in refs.
package struct RefAudit {
  private let table: NodeTable
  private let refs: [Ref]

  package init(_ table: NodeTable, _ refs: [Ref]) {
    self.table = table
    self.refs = refs
  }

  package func findings() -> [StoreFinding] {
    var findings = refs.compactMap { target($0) }
    var start = 0
    while start < refs.count {
      var end = start + 1
      while end < refs.count, refs[end].name == refs[start].name { end += 1 }
      if end - start > 1 { findings += ancestors(among: refs[start..<end]) }
      start = end
    }
    return findings
  }

  /// What is wrong with the object that a ref names.
  private func target(_ ref: Ref) -> StoreFinding? {
    func finding(_ what: String, _ repair: String) -> StoreFinding {
      StoreFinding(
        .refTarget, id: ref.id, path: "refs", detail: "'\(ref.name.text)' names \(what)",
        repair: repair)
    }
    guard let place = table.place(of: ref.id), table.kind(place) != .missing else {
      return finding("it, and it is not here", "\(StoreRepair.objects), or \(StoreRepair.refs)")
    }
    guard ref.name.isMultiValued, table.kind(place) != .unreadable else { return nil }
    guard let kind = table.kind(place).objectKind, kind == ref.name.kind else {
      let word = table.kind(place).objectKind ?? .blob
      return finding("a \(word.name)", StoreRepair.refs)
    }
    if let link = table.link(place) {
      guard !ref.name.names(link.group) else { return nil }
      switch link.group {
      case .chain(let root): return finding("a receipt of the chain \(root.text)", StoreRepair.refs)
      case .schema(let name): return finding("a schema of '\(name.text)'", StoreRepair.refs)
      case .task, nil: return nil
      }
    }
    let task = table.task(place)
    let own = ref.name.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    guard !own.elementsEqual((task?.text ?? "-").utf8) else { return nil }
    return finding(
      task.map { "a node of task \($0.text)" } ?? "a node without a task", StoreRepair.refs)
  }

  /// Heads of one name that are ancestors of other heads.
  private func ancestors(among heads: ArraySlice<Ref>) -> [StoreFinding] {
    var seen: Set<Int> = []
    var pending = heads.compactMap { table.place(of: $0.id) }
    // A parent's clock is normally lower: no head can be found below the lowest one.
    let lowest = pending.map { table.lamport($0) }.min() ?? 0
    while let place = pending.popLast() {
      for parent in table.parents(place) {
        guard let found = table.place(of: parent), table.lamport(found) >= lowest,
          seen.insert(found).inserted
        else { continue }
        pending.append(found)
      }
    }
    return heads.compactMap { ref in
      guard let place = table.place(of: ref.id), seen.contains(place) else { return nil }
      return StoreFinding(
        .refHead, id: ref.id, path: "refs",
        detail: "'\(ref.name.text)' names it, and a node that descends from it",
        repair: StoreRepair.refs)
    }
  }
}
