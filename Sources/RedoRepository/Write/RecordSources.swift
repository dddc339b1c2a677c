// Where the nodes of a transaction are in its inputs, so that every later report about one names the place.

package import RedoStore

/// The places of records, by the order in which they were noted.
package struct RecordSources {
  /// An input.
  package struct Source: Sendable {
    /// How its records are counted.
    package enum Unit: Sendable {
      case lines
      case bytes
      /// The elements of an array.
      case elements
      case nodes
    }

    /// The name of the input in messages.
    package let input: String
    /// How its records are counted.
    package let unit: Unit

    /// Creates a value with these members.
    package init(input: String, unit: Unit) {
      self.input = input
      self.unit = unit
    }

    /// The place of a record: its number, or the bytes before it.
    package func place(of record: LineRecord) -> Int {
      unit == .bytes ? record.offset : record.number
    }

    /// The name of a record in messages, which put quotes around it.
    package func name(_ record: LineRecord) -> String {
      name(at: place(of: record))
    }

    fileprivate func name(at place: Int) -> String {
      let word =
        switch unit {
        case .lines: "line"
        case .bytes: "byte"
        case .elements: "element"
        case .nodes: "node"
        }
      return "\(input)', \(word) '\(place)"
    }
  }

  private var places: [Int] = []
  /// Each source, with the number of the first record that came from it.
  private var sources: [(first: Int, source: Source)] = []

  /// Notes a record.
  ///
  /// - Returns: the number to name it by.
  package mutating func note(_ record: LineRecord, of source: Source) -> Int {
    if sources.last?.source.input != source.input { sources.append((places.count, source)) }
    places.append(source.place(of: record))
    return places.count - 1
  }

  /// The name of a noted record in messages.
  package func name(of number: Int) -> String {
    guard let source = sources.last(where: { $0.first <= number })?.source else { return "" }
    return source.name(at: places[number])
  }
}
