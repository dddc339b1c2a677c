// Where a value stands that was read from outside a store.

internal import RedoStore

/// A place in an input.
package struct InputPlace: Hashable, Sendable {
  /// The name of the input; `-` for standard input.
  package let input: String
  /// What is counted.
  package let unit: RecordSources.Source.Unit
  /// Its number, from 1.
  package let number: Int

  init(_ record: LineRecord, in source: RecordSources.Source) {
    input = source.input == InputFile.standardInputName ? InputFile.standardInputSign : source.input
    unit = source.unit
    number = source.place(of: record)
  }
}
