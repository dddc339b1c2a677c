// Changes of the trust file: lines are added in one step, while nobody else can change it.

package import RedoObject
internal import RedoStore

/// What a change of the trust file did, or would do.
package struct TrustChange: Sendable {
  /// The lines that are new.
  package let lines: [TrustLine]
  /// The text with them.
  package let text: TrustText
  /// Whether there was no file before.
  package let isNew: Bool

  private init(_ lines: [TrustLine], to old: TrustText?) throws {
    var text = old ?? TrustText()
    do throws(TrustFault) {
      try text.append(lines)
    } catch {
      throw TrustEditFault.contradiction(error)
    }
    (self.lines, self.text, isNew) = (lines, text, old == nil)
  }

  /// Adds lines in one step.
  ///
  /// - Parameters:
  ///   - opened: the store, if there is one.
  ///   - isDryRun: whether the file is left as it is.
  ///   - effects: where the file is looked for, and whether the work is cancelled.
  ///   - choose: returns the lines for the present content of the file.
  /// - Returns: what was added, or would be.
  /// - Throws: `contradiction`; what `choose` throws; the error when there is no place for a file, or it cannot be read
  ///   or written.
  static func make(
    _ opened: Repository?, isDryRun: Bool, _ effects: Effects,
    _ choose: (TrustList) throws -> [TrustLine]
  ) throws -> TrustChange {
    guard let file = try effects.trustFile(opened) else {
      throw StoreDirectoryError.notFound(from: "")
    }
    let options = try opened?.refsOptions() ?? RefsOptions(sync: .batch)
    if isDryRun {
      let text = try text(of: file)
      return try TrustChange(try choose((text ?? TrustText()).list), to: text)
    }
    try opened?.store.checkWritable()
    effects.cancellation.hold()
    while true {
      try effects.checkInterrupt()
      let held = try file.hold(options)
      let change = try TrustChange(try choose(held.text.list), to: held.isNew ? nil : held.text)
      if change.lines.isEmpty { return change }
      if try held.commit(change.text, options.sync) { return change }
    }
  }

  /// The text of a file; `nil` when there is none.
  private static func text(of file: TrustFile) throws -> TrustText? {
    do throws(TrustError) {
      return try file.read()?.text
    } catch {
      if case .missing = error { return nil }
      throw error
    }
  }
}
