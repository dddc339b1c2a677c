// Rows in three forms from one description.

import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Testing

/// A row with one column of each kind.
private struct Fruit {
  var name = "red pear"
  var count: Int? = 3
  var place: String? = "a\tb c"
  var parts = ["core", "skin"]
  var remark: String?
  var isRipe: Bool?

  static var columns: [RowColumn<Fruit>] {
    [
      .text("name") { $0.name },
      .number("count") { $0.count },
      .text("place", .word) { $0.place },
      .list("parts") {
        $0.parts
      } text: {
        $0.first
      },
      .text("remark", .field, absent: .leftOut) { $0.remark },
      .truth("isRipe") { $0.isRipe },
      .word("Colour", in: .json) { _ in "red" },
      .word("label", in: .text, absent: .leftOut) { $0.isRipe == true ? "(ripe)" : nil },
      .json("raw") { $0.isRipe == true ? Array("[1,2]".utf8) : nil },
    ]
  }

  func row(isJSON: Bool = false, end: UInt8 = UInt8(ascii: "\n")) throws -> String {
    var context = Context(arguments: [])
    try RowWriter(Self.columns, isJSON: isJSON, end: end).write(self, &context)
    return context.output.text
  }
}

@Suite("Rows: text, NUL and JSON from one description")
struct RowWriterTests {
  @Test("text has the columns in their order, and escapes what must not stand there")
  func text() throws {
    #expect(try Fruit().row() == "red pear 3 a\\x09b\\x20c core\n")
    #expect(
      try Fruit(name: "a\nb", remark: "x\ty").row() == "a\\x0ab 3 a\\x09b\\x20c core x\\x09y\n")
  }

  @Test("NUL ends a row, in which fields stand as they are")
  func nul() throws {
    #expect(try Fruit(remark: "x\ty").row(end: 0) == "red pear 3 a\tb c core x\ty\0")
    // A NUL in a text would end the row; columns that are always escaped stay escaped.
    #expect(
      try Fruit(name: "a\nb", remark: "x\0\ty").row(end: 0)
        == "a\\x0ab 3 a\tb c core x\\x00\\x09y\0")
  }

  @Test("what is absent is a dash in text, or left out with its separator")
  func absent() throws {
    var fruit = Fruit(count: nil, place: nil, parts: [], remark: "", isRipe: true)
    #expect(try fruit.row() == "red pear - - - (ripe)\n")
    fruit.remark = "x"
    #expect(try fruit.row() == "red pear - - - x (ripe)\n")
  }

  @Test("JSON has the members in the order of RFC 8785, and leaves out what is absent")
  func json() throws {
    #expect(
      try Fruit(remark: "x\ty", isRipe: true).row(isJSON: true)
        == #"{"Colour":"red","count":3,"isRipe":true,"name":"red pear","parts":["core","skin"],"#
        + #""place":"a\tb c","raw":[1,2],"remark":"x\ty"}"# + "\n")
    #expect(
      try Fruit(count: nil, place: nil, parts: []).row(isJSON: true, end: 0)
        == #"{"Colour":"red","name":"red pear","parts":[]}"# + "\0")
  }

  @Test("the options choose the form and the end")
  func options() throws {
    func writer(_ words: String...) throws -> (isJSON: Bool, end: UInt8) {
      guard case .run(let options) = try OptionParser.parse(words, [.json, .nul]) else {
        throw CommandError.usage("not parsed")
      }
      let writer = RowWriter(Fruit.columns, separator: "\t", options)
      return (writer.isJSON, writer.end)
    }
    #expect(try writer() == (false, 10))
    #expect(try writer("-z") == (false, 0))
    #expect(try writer("--json") == (true, 10))
    #expect(try writer("--json", "-z", "--no-json") == (false, 0))
  }

  @Test("a row of JSON is what the one writer writes")
  func jsonRow() {
    var row = JSONRow()
    row.add("a", "x\"y")
    row.add("b", 3)
    row.add("c", true)
    row.addIfAny("d", "")
    row.add("e", json: Array("null".utf8))
    row.add("f", escaped: Array(#"\n"#.utf8))
    row.add("g", ["1", "2"])
    row.add("h", [1, 2]) { number, output in output += "\(number)".utf8 }
    row.add("i", [Int]()) { number, output in output += "\(number)".utf8 }
    var text: [UInt8] = []
    row.append(to: &text)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"a":"x\"y","b":3,"c":true,"e":null,"f":"\n","g":["1","2"],"h":[1,2],"i":[]}"#)
  }
}
