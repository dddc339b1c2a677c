// DAG-CBOR: what is refused, with its rule and its place; what is accepted has one encoding; no input is too deep or too long.

import DAGCBOR
import TestSupport
import Testing

/// What reading says of bytes.
private enum Outcome: Equatable {
  case accepted
  case refused(CBORRule, Int)
}

private func read(_ bytes: [UInt8], _ profile: CBORProfile = .strict) -> Outcome {
  do throws(CBORError) {
    let document = try CBORDocument(bytes, profile)
    var writer = CBORWriter()
    writer.value(document)
    #expect(writer.bytes == bytes, "written again, it is something else")
    return .accepted
  } catch {
    #expect((0...bytes.count).contains(error.offset))
    return .refused(error.rule, error.offset)
  }
}

private func read(_ hex: String, _ profile: CBORProfile = .strict) -> Outcome {
  read(bytes(hex: hex), profile)
}

@Suite("DAG-CBOR")
struct CBORTests {
  static let cid = "0155122066687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"

  @Test(
    "each rule, at its byte",
    arguments: [
      ("", CBORRule.syntax, 0), ("18", .syntax, 1), ("1b00", .syntax, 2), ("6161ff", .trailing, 2),
      ("0000", .trailing, 1), ("1c", .syntax, 0), ("1f", .syntax, 0), ("ff", .syntax, 0),
      ("82", .syntax, 1), ("8201", .syntax, 2), ("a16161", .syntax, 3),
      ("9bffffffffffffffff", .syntax, 9),
      ("bbffffffffffffffff", .syntax, 9), ("5bffffffffffffffff", .syntax, 9), ("4261", .syntax, 2),
      ("1817", .length, 0), ("190018", .length, 0), ("1a0000ffff", .length, 0),
      ("1b00000000ffffffff", .length, 0), ("810158", .trailing, 2), ("7801ff", .length, 0),
      ("8158ff", .syntax, 3), ("b801616100", .length, 0), ("d9002a", .length, 0),
      ("9fff", .indefinite, 0), ("bfff", .indefinite, 0), ("5fff", .indefinite, 0),
      ("817f60ff", .indefinite, 1), ("a2616200616100", .keyOrder, 4),
      ("a262616100616200", .keyOrder, 5),
      ("a2616100616100", .duplicateKey, 4), ("a10000", .keyType, 1), ("a1410000", .keyType, 1),
      ("61ff", .utf8, 0), ("82616162c080", .utf8, 3), ("63eda080", .utf8, 0), ("f93e00", .float, 0),
      ("fa3fc00000", .float, 0), ("fb7ff0000000000000", .float, 0),
      ("fb7ff8000000000000", .float, 0),
      ("fb8000000000000000", .float, 0), ("1b8000000000000000", .integer, 0),
      ("3b8000000000000000", .integer, 0), ("f7", .simple, 0), ("e0", .simple, 0),
      ("81f820", .simple, 1),
      ("c000", .tag, 0), ("d82a00", .tag, 0), ("d82a4100", .tag, 0), ("d82a58250100", .syntax, 6),
      ("d82a5825" + "01" + CBORTests.cid, .tag, 0),
      ("81d82a5823" + "00" + "1220" + String(CBORTests.cid.suffix(64)), .tag, 1),
      ("d82a5825" + "00" + "0170" + String(CBORTests.cid.dropFirst(4)), .tag, 0),
    ])
  func rules(hex: String, rule: CBORRule, offset: Int) {
    #expect(read(hex) == .refused(rule, offset), "\(hex)")
  }

  @Test("what there is: each form, and its value")
  func forms() throws {
    func form(_ hex: String, _ profile: CBORProfile = .strict) throws -> CBORValue.Form {
      #expect(read(hex, profile) == .accepted, "\(hex)")
      return try CBORDocument(bytes(hex: hex), profile).root.form
    }
    #expect(try form("00") == .integer(0))
    #expect(try form("17") == .integer(23))
    #expect(try form("1818") == .integer(24))
    #expect(try form("1b7fffffffffffffff") == .integer(.max))
    #expect(try form("20") == .integer(-1))
    #expect(try form("3b7fffffffffffffff") == .integer(.min))
    #expect(try form("1bffffffffffffffff", .ipld) == .largeInteger(.max, isNegative: false))
    #expect(try form("3bffffffffffffffff", .ipld) == .largeInteger(.max, isNegative: true))
    #expect(try form("fb3ff8000000000000") == .float(1.5))
    #expect(try form("fb8000000000000000", .ipld) == .float(-0.0))
    #expect(try form("f4") == .bool(false))
    #expect(try form("f5") == .bool(true))
    #expect(try form("f6") == .null)
    #expect(try form("40") == .bytes)
    #expect(try form("60") == .text)
    #expect(try form("80") == .array(count: 0))
    #expect(try form("a0") == .map(count: 0))
    #expect(try form("d82a582500" + Self.cid) == .link)
    let document = try CBORDocument(
      bytes(hex: "a4616101616282036174616381d82a582500" + Self.cid + "62616163c3a962"))
    let root = document.root
    #expect(root.members.map(\.key.text) == ["a", "b", "c", "aa"])
    #expect(root.member("a")?.form == .integer(1))
    #expect(root.member("b")?.elements.map(\.form) == [.integer(3), .text])
    #expect(root.member("c")?.elements.first?.link?.bytes == bytes(hex: Self.cid))
    #expect(root.member("aa")?.text == "éb")
    #expect(root.member("aa")?.offset == document.bytes.count - 4)
    #expect(root.member("d") == nil)
  }

  @Test("32 deep, and no deeper; as deep as bytes go without recursion")
  func depth() {
    func nested(_ count: Int) -> [UInt8] {
      [UInt8](repeating: 0x81, count: count - 1) + [0x80]
    }
    #expect(read(nested(32)) == .accepted)
    #expect(read(nested(33)) == .refused(.depth, 32))
    var profile = CBORProfile.ipld
    profile.depthLimit = 1 << 20
    #expect(read(nested(1 << 20), profile) == .accepted)
  }

  @Test("what is written is read as it was meant, and in its one form")
  func written() throws {
    var writer = CBORWriter()
    writer.map(["bb", "a", "", "ab", "b"]) { key, json in
      switch key {
      case "": json.array([Int64.min, -1, 0, 255, 65_536, .max]) { $1.value($0) }
      case "a": json.value([UInt8](repeating: 7, count: 300))
      case "b": json.value(2.5)
      case "ab": json.value(true)
      default: json.null()
      }
    }
    let root = try CBORDocument(writer.bytes).root
    #expect(root.members.map(\.key.text) == ["", "a", "b", "ab", "bb"])
    #expect(
      root.member("")?.elements.map(\.form)
        == [.min, -1, 0, 255, 65_536, .max].map { .integer($0) })
    #expect(root.member("a")?.content.count == 300)
    #expect(read(writer.bytes) == .accepted)
  }

  /// A random value.
  private func append(
    _ random: inout SeededRandom, _ depth: Int, _ writer: inout CBORWriter
  ) {
    switch random.below(depth < 5 ? 9 : 7) {
    case 0: writer.value(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
    case 1: writer.value(random.bytes(random.below(30)))
    case 2:
      writer.value(String(["a", "é", "水", "𐅑", "\u{301}"].randomElement(using: &random) ?? ""))
    case 3: writer.value(random.once(in: 2))
    case 4: writer.null()
    case 5: writer.value(Double(random.below(1000)) / 8 + 1)
    case 6: writer.value(CID(random.once(in: 2) ? .raw : .dagCBOR, sha256: random.bytes(32)))
    case 7:
      let count = random.below(5)
      writer.array(0..<count) { _, writer in append(&random, depth + 1, &writer) }
    default:
      let keys = Set((0..<random.below(5)).map { _ in String(random.below(300)) })
      writer.map(Array(keys)) { _, writer in append(&random, depth + 1, &writer) }
    }
  }

  @Test("whatever is changed in bytes: they are refused, or have one form still")
  func mutations() {
    for seed in SeededRandom.seeds("CBOR") {
      var random = SeededRandom(seed: seed)
      for _ in 0..<300 {
        var writer = CBORWriter()
        append(&random, 0, &writer)
        #expect(read(writer.bytes) == .accepted, "seed \(seed)")
        for _ in 0..<20 {
          var bytes = writer.bytes
          switch random.below(3) {
          case 0: bytes[random.below(bytes.count)] = UInt8(random.below(256))
          case 1: bytes.remove(at: random.below(bytes.count))
          default: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count + 1))
          }
          // Whatever is accepted is written as it was: see `read`.
          _ = read(bytes)
          _ = read(bytes, .ipld)
        }
      }
    }
  }
}
