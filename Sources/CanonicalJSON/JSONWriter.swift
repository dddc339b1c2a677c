// Writes JSON without white space, value by value. It writes the commas; the caller is responsible for the
// order of members, which is that of RFC 8785 if the text must be canonical.

/// What is written as one JSON value.
package protocol JSONWritable {
  /// Writes the value.
  ///
  /// - Parameter json: receives it.
  func write(to json: inout JSONWriter)
}

extension JSONWritable {
  /// Appends the value.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in write(to: &json) }
  }
}

/// Writes one JSON text.
package struct JSONWriter: Sendable {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []
  /// Whether a value precedes the next one in the same container.
  private var needsComma = false

  /// A writer that has written nothing.
  package init() {}

  /// Appends a text to bytes.
  ///
  /// - Parameters:
  ///   - output: receives what is written.
  ///   - body: writes one value.
  /// - Throws: what the body throws; what it had written by then is still appended.
  package static func append<Failure: Error>(
    to output: inout [UInt8], _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter()
    swap(&writer.bytes, &output)
    defer { swap(&writer.bytes, &output) }
    try body(&writer)
  }

  // MARK: Strings

  /// Appends a text as a JSON string, with its quotes (RFC 8785 section 3.2.2.2).
  package static func appendString(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      // SAFETY: the span is used during the call only.
      unsafe appendString(utf8.span, to: &output)
    }
  }

  /// Appends well-formed UTF-8 as a JSON string, with its quotes.
  package static func appendString(_ text: Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    StringEscape.append(text, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  // MARK: Values

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// Writes a string.
  package mutating func value(_ text: String) {
    beginValue()
    Self.appendString(text, to: &bytes)
  }

  /// Writes a string.
  ///
  /// - Parameter text: well-formed UTF-8.
  package mutating func value(utf8 text: Span<UInt8>) {
    beginValue()
    Self.appendString(text, to: &bytes)
  }

  /// Writes a string that is escaped already, or has nothing to escape.
  ///
  /// - Parameter append: appends the content, without quotes.
  package mutating func value(escaped append: (inout [UInt8]) -> Void) {
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a string that is escaped already, given without quotes.
  package mutating func value(escaped content: [UInt8]) { value(escaped: { $0 += content }) }

  /// Writes an integer.
  package mutating func value(_ number: some BinaryInteger) {
    beginValue()
    bytes += String(number).utf8
  }

  /// Writes a finite number as RFC 8785 does.
  package mutating func value(_ number: Double) {
    beginValue()
    NumberText.append(number, to: &bytes)
  }

  /// Writes `true` or `false`.
  package mutating func value(_ truth: Bool) {
    beginValue()
    bytes += (truth ? "true" : "false").utf8
  }

  /// Writes `null`.
  package mutating func null() {
    beginValue()
    bytes += "null".utf8
  }

  /// Writes a value that is JSON already.
  package mutating func value(json: [UInt8]) {
    beginValue()
    bytes += json
  }

  /// Writes a value that writes itself.
  package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

  /// Writes an array of values that write themselves.
  package mutating func array(_ values: some Sequence<some JSONWritable>) {
    array { json in
      for value in values { json.value(value) }
    }
  }

  /// Writes an array of strings.
  package mutating func array(_ texts: some Sequence<String>) {
    array { json in
      for text in texts { json.value(text) }
    }
  }

  /// Writes an object, whose members the body writes.
  package mutating func object<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try container(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
  }

  /// Writes an array, whose elements the body writes.
  package mutating func array<Failure: Error>(
    _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try container(UInt8(ascii: "["), UInt8(ascii: "]"), body)
  }

  private mutating func container<Failure: Error>(
    _ opening: UInt8, _ closing: UInt8, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginValue()
    bytes.append(opening)
    needsComma = false
    try body(&self)
    bytes.append(closing)
    needsComma = true
  }

  // MARK: Members

  /// Writes the name of a member, whose value is written next.
  ///
  /// - Parameter name: characters that JSON does not escape.
  package mutating func name(_ name: StaticString) {
    beginValue()
    needsComma = false
    bytes.append(UInt8(ascii: "\""))
    // SAFETY: a literal's bytes are there for ever.
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the name of a member, any text.
  package mutating func name(text name: String) {
    value(name)
    needsComma = false
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the name of a member that is escaped already, given without quotes.
  package mutating func name(escaped name: [UInt8]) {
    value(escaped: name)
    needsComma = false
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a member that is a string.
  package mutating func add(_ name: StaticString, _ text: String) {
    self.name(name)
    value(text)
  }

  /// Writes a member that is an integer.
  package mutating func add(_ name: StaticString, _ number: some BinaryInteger) {
    self.name(name)
    value(number)
  }

  /// Writes a member that is `true` or `false`.
  package mutating func add(_ name: StaticString, _ truth: Bool) {
    self.name(name)
    value(truth)
  }

  /// Writes a member whose value is JSON already.
  package mutating func add(_ name: StaticString, json: [UInt8]) {
    self.name(name)
    value(json: json)
  }

  /// Writes a member that is a string, escaped already and given without quotes.
  package mutating func add(_ name: StaticString, escaped content: [UInt8]) {
    self.name(name)
    value(escaped: content)
  }

  /// Writes a member whose value writes itself.
  package mutating func add(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    self.value(value)
  }

  /// Writes a member that is an array of values that write themselves.
  package mutating func add(_ name: StaticString, _ values: some Sequence<some JSONWritable>) {
    self.name(name)
    array(values)
  }

  /// Writes a member that is an array of strings.
  package mutating func add(_ name: StaticString, _ texts: some Sequence<String>) {
    self.name(name)
    array(texts)
  }

  /// Writes a member that is an object, whose members the body writes.
  package mutating func addObject<Failure: Error>(
    _ name: StaticString, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try object(body)
  }

  /// Writes a member that is an array, whose elements the body writes.
  package mutating func addArray<Failure: Error>(
    _ name: StaticString, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try array(body)
  }
}
