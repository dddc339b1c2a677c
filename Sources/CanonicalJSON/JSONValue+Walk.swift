// From a value to those in it. Each walk is a cursor, asked until it has no more:
//
//   var members = value.members
//   while let member = members.next() { ... member.name ... member.value ... }

extension JSONValue {
  /// A member of an object.
  @usableFromInline
  package struct Member: ~Escapable {
    @usableFromInline let text: Span<UInt8>
    @usableFromInline let tape: Span<Token>
    @usableFromInline let index: Int

    @inlinable
    @_lifetime(copy text, copy tape)
    init(_ text: Span<UInt8>, _ tape: Span<Token>, _ index: Int) {
      self.text = text
      self.tape = tape
      self.index = index
    }

    /// Its name, a string.
    @inlinable
    package var name: JSONValue {
      @_lifetime(copy self)
      get { JSONValue(text, tape, index) }
    }

    /// Its value.
    @inlinable
    package var value: JSONValue {
      @_lifetime(copy self)
      get { JSONValue(text, tape, index + 1) }
    }
  }

  /// The members of an object, one after the other in their order in the text.
  @usableFromInline
  package struct Members: ~Escapable {
    @usableFromInline let text: Span<UInt8>
    @usableFromInline let tape: Span<Token>
    @usableFromInline var index: Int
    @usableFromInline let end: Int

    @inlinable
    @_lifetime(copy container)
    init(of container: JSONValue) {
      text = container.text
      tape = container.tape
      index = container.index + 1
      let token = container.token
      end = token.kind == .object ? Int(token.next) : 0
    }

    /// The next member; `nil` after the last.
    @inlinable
    @_lifetime(copy self)
    package mutating func next() -> Member? {
      guard index < end else { return nil }
      let member = Member(text, tape, index)
      index = Int(tape[index + 1].next)
      return member
    }
  }

  /// The elements of an array, one after the other.
  @usableFromInline
  package struct Elements: ~Escapable {
    @usableFromInline let text: Span<UInt8>
    @usableFromInline let tape: Span<Token>
    @usableFromInline var index: Int
    @usableFromInline let end: Int

    @inlinable
    @_lifetime(copy container)
    init(of container: JSONValue) {
      text = container.text
      tape = container.tape
      index = container.index + 1
      let token = container.token
      end = token.kind == .array ? Int(token.next) : 0
    }

    /// No elements.
    @inlinable
    @_lifetime(copy owner)
    init(missingIn owner: JSONValue) {
      text = owner.text
      tape = owner.tape
      index = 0
      end = 0
    }

    /// The next element; `nil` after the last.
    @inlinable
    @_lifetime(copy self)
    package mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      let element = JSONValue(text, tape, index)
      index = Int(tape[index].next)
      return element
    }
  }

  /// A value with all that it contains, names included, in the order of the text.
  @usableFromInline
  package struct Descent: ~Escapable {
    @usableFromInline let text: Span<UInt8>
    @usableFromInline let tape: Span<Token>
    @usableFromInline var index: Int
    @usableFromInline let end: Int

    @inlinable
    @_lifetime(copy top)
    init(into top: JSONValue) {
      text = top.text
      tape = top.tape
      index = top.index
      end = Int(top.token.next)
    }

    /// The next value or name; `nil` after the last.
    @inlinable
    @_lifetime(copy self)
    package mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      index += 1
      return JSONValue(text, tape, index - 1)
    }
  }

  /// The members of an object; none of anything else.
  @inlinable
  package var members: Members {
    @_lifetime(copy self)
    get { Members(of: self) }
  }

  /// The elements of an array; none of anything else.
  @inlinable
  package var elements: Elements {
    @_lifetime(copy self)
    get { Elements(of: self) }
  }

  /// The value itself, and all that it contains.
  @inlinable
  package var descent: Descent {
    @_lifetime(copy self)
    get { Descent(into: self) }
  }

  /// The value of a member; `nil` when there is no member of this name, or this is not an object.
  ///
  /// - Parameter name: characters that JSON does not escape; a name written with escapes is another.
  /// - Returns: the value.
  @inlinable
  package subscript(name: StaticString) -> JSONValue? {
    @_lifetime(copy self)
    get {
      var members = members
      while let member = members.next() {
        if member.name.isText(name) { return member.value }
      }
      return nil
    }
  }

  /// The elements of a member that is an array; empty when there is no such member.
  ///
  /// - Parameter name: characters that JSON does not escape.
  /// - Returns: a cursor.
  @inlinable
  @_lifetime(copy self)
  package func elements(of name: StaticString) -> Elements {
    guard let array = self[name] else { return Elements(missingIn: self) }
    return array.elements
  }

  /// The names of an object's members in their order in the text, by `index`; the value of each is at the next index.
  package var nameIndices: [Int] {
    var indices: [Int] = []
    var members = members
    while let member = members.next() { indices.append(member.name.index) }
    return indices
  }

  /// The elements of an array, by `index`.
  package var elementIndices: [Int] {
    var indices: [Int] = []
    var elements = elements
    while let element = elements.next() { indices.append(element.index) }
    return indices
  }

  /// Whether the members of an object are not in the order of RFC 8785.
  package var isUnordered: Bool { token.marks.contains(.unordered) }

  /// The JSON pointer (RFC 6901) of a value in its text; of a member's name that of its value.
  ///
  /// - Complexity: O(*n*) in the values before it.
  package var pointer: String {
    var pointer: [UInt8] = []
    var container = value(at: 0)
    while container.index != index {
      var inner = container
      var members = container.members
      while let member = members.next() {
        guard Int(member.value.token.next) > index else { continue }
        Self.appendStep(StringEscape.unescape(member.name.content).span, toPointer: &pointer)
        if member.name.index == index { return String(decoding: pointer, as: UTF8.self) }
        inner = member.value
        break
      }
      var elements = container.elements
      var position = 0
      while let element = elements.next() {
        guard Int(element.token.next) <= index else {
          pointer += "/\(position)".utf8
          inner = element
          break
        }
        position += 1
      }
      container = inner
    }
    return String(decoding: pointer, as: UTF8.self)
  }
}

extension JSONValue {
  /// Appends a step to the text of a JSON pointer (RFC 6901).
  ///
  /// - Parameters:
  ///   - name: the name of a member, UTF-8 without the escapes of JSON.
  ///   - pointer: receives a slash and the name, `~` and `/` in it as `~0` and `~1`.
  package static func appendStep(_ name: Span<UInt8>, toPointer pointer: inout [UInt8]) {
    pointer.append(UInt8(ascii: "/"))
    for index in name.indices {
      switch name[index] {
      case UInt8(ascii: "~"): pointer += "~0".utf8
      case UInt8(ascii: "/"): pointer += "~1".utf8
      default: pointer.append(name[index])
      }
    }
  }
}
