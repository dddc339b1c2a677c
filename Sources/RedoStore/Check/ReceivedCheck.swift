// The received log: every frame, and what they say together.

package import RedoObject

/// The check of `received`.
package struct ReceivedCheck: Sendable {
  /// What is wrong.
  package private(set) var findings: [StoreFinding] = []
  /// When each node was received, in milliseconds since 1970: the first note counts, unless the node
  /// was taken back.
  package private(set) var times: [ObjectID: Int64] = [:]
  /// Whether that is all.
  package private(set) var isWhole = false

  /// Reads the log to the end of what counts, or to the first frame that is wrong.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - refs: what the refs say about its length.
  package init(in store: borrowing Directory, _ refs: RefsCheck) {
    let name = Refs.Name.received
    var found: [ObjectID: Int64] = [:]
    do throws(RefsError) {
      guard let size = try ReflogCheck.size(of: name, in: store) else { return }
      try Received(in: store).forEach(to: refs.receivedBytes ?? size) { id, note in
        switch note {
        case .received(let time): if found[id] == nil { found[id] = time }
        case .forgotten: found[id] = nil
        }
        return true
      }
      isWhole = refs.receivedBytes != nil
      // A writer may just have added some: only what is counted even now is looked at.
      let mark = try Received(in: store).end()?.mark == nil ? 0 : ReceivedMark.byteCount
      if let counted = refs.receivedBytes, size > counted + mark,
        let now = Self.counted(in: store), size > now + mark
      {
        findings.append(
          StoreFinding(
            .fileUnfinished, path: name,
            detail: "\(size - now - mark) bytes that no change of the refs counts: a writer is at "
              + "work or was stopped",
            repair: "the next change of refs takes their place"))
      }
    } catch {
      findings.append(StoreFinding(error, .receivedCorrupt, path: name))
    }
    times = found
  }

  /// The bytes that count at this moment; `nil` when the refs cannot be read, which others say.
  private static func counted(in store: borrowing Directory) -> Int? {
    do throws(RefsError) {
      return try Refs(in: store).snapshot().receivedBytes
    } catch {
      return nil
    }
  }
}
