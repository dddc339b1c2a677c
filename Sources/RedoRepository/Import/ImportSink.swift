// Who receives what is in inputs, and what comes out of one.

package import RedoObject
package import RedoStore

/// A receiver of the values of inputs.
package protocol ImportSink: ~Copyable {
  /// Takes a batch of values.
  ///
  /// - Returns: those that are not nodes, or must not be taken.
  mutating func take(
    _ batch: RecordBatch, from source: RecordSources.Source
  ) throws -> [NodeTransaction.Refused]

  /// Counts a value that is refused, and reports why.
  mutating func refuse(_ findings: [Finding], of subject: String, _ effects: Effects)

  /// Takes a database of the app.
  ///
  /// - Throws: `ImportFault.database` for what cannot be read; what the sink throws.
  mutating func take(database path: String, named name: String, _ effects: Effects) throws
}

extension ImportSink where Self: ~Copyable {
  /// Most have no use for one.
  package mutating func take(
    database path: String, named name: String, _ effects: Effects
  ) throws { throw ImportFault.unreadDatabase(name: name) }
}

extension NodeTransaction: ImportSink {}

extension ImportSink where Self: ~Copyable {
  mutating func take(
    _ step: ImportStep, _ effects: Effects
  ) throws -> [NodeTransaction.Refused] {
    switch step {
    case .values(let batch, let source): return try take(batch, from: source)
    case .refused(let findings, let subject):
      refuse(findings, of: subject, effects)
      return []
    case .database(let path, let name):
      try take(database: path, named: name, effects)
      return []
    }
  }
}

/// What comes out of an input.
enum ImportStep {
  /// A batch of values, and where they are from.
  case values(RecordBatch, RecordSources.Source)
  /// A value that is refused.
  case refused([Finding], of: String)
  /// A database of the app.
  case database(path: String, name: String)
}

/// Passes on what comes out of an input, and returns the values that are not nodes, or must not be taken.
typealias ImportFeed = (ImportStep) throws -> [NodeTransaction.Refused]
