// Searches in texts: upper and lower case are the same.

/// A text that others are searched for.
package struct QueryNeedle: Sendable {
  private let text: String
  /// Its bytes, if all of them are ASCII.
  private let ascii: [UInt8]?

  /// A text to search for, UTF-8.
  package init(_ bytes: [UInt8]) {
    text = Self.lowered(bytes)
    ascii = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : nil
  }

  /// Whether a text, UTF-8, has it.
  package func isIn(_ bytes: [UInt8]) -> Bool {
    // Most texts are ASCII, where a letter and its other case differ in one bit.
    guard let ascii, bytes.allSatisfy({ $0 < 0x80 }) else {
      // By bytes, as above: a letter is found whatever accents follow it.
      return Array(Self.lowered(bytes).utf8).contains(Array(text.utf8))
    }
    guard ascii.count <= bytes.count else { return false }
    return (0...bytes.count - ascii.count).contains { start in
      ascii.indices.allSatisfy { place in
        let byte = bytes[start + place]
        return (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte) == ascii[place]
      }
    }
  }

  private static func lowered(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

/// A search for a text in the texts of a task or of a todo.
package struct QuerySearch: Sendable {
  private let needle: QueryNeedle

  /// A search for a text.
  package init(_ text: String) { needle = QueryNeedle(Array(text.utf8)) }

  /// Whether a task has the text in its title, its description, or the title or notes of some todo.
  package func matches(_ task: TaskState) -> Bool {
    has(task.value(.title)) || has(task.value(.description))
      || task.todos.items.contains(where: matches)
  }

  /// Whether a todo has the text in its title or its notes.
  package func matches(_ todo: TodoState) -> Bool {
    has(todo.value(.notes)) || has(todo.value(.other(Array("title".utf8))))
  }

  private func has(_ json: [UInt8]?) -> Bool {
    guard case .text(let bytes) = QueryValue(json: json) else { return false }
    return needle.isIn(bytes)
  }
}
