// The written forms of ids, users and tasks.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Identifiers")
struct IdentifierTests {
  static let digits = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  @Test("an object id is sha256: and 64 lower-case hex digits, and nothing else is one")
  func objectID() throws {
    let id = try #require(ObjectID(text: "sha256:" + Self.digits))
    #expect(id.text == "sha256:" + Self.digits)
    #expect(id.hex == Self.digits)
    let empty: [UInt8] = []
    let digest = SHA256.digest(of: empty.span)
    #expect(id == ObjectID(digest: digest))
    #expect(id[0] == 0xE3 && id[31] == 0x55)
    let wrong = [
      "", "sha256:", Self.digits, "sha256:" + Self.digits.uppercased(), "SHA256:" + Self.digits,
      "sha256-" + Self.digits, "sha256:" + Self.digits.dropLast(), "sha256:" + Self.digits + "0",
      " sha256:" + Self.digits, "sha256:" + Self.digits + "\n", "sha512:" + Self.digits,
      "sha256:" + Self.digits.dropLast() + "g", "sha256:" + Self.digits.dropLast() + "５",
    ]
    for text in wrong { #expect(ObjectID(text: text) == nil, "'\(text)'") }
  }

  @Test("ids are ordered bytewise, as their texts are")
  func order() {
    var random = SeededRandom(seed: 5)
    let ids = (0..<200).compactMap { _ in ObjectID(text: "sha256:" + hex(random.bytes(32))) }
    #expect(ids.count == 200)
    #expect(ids.sorted().map(\.text) == ids.map(\.text).sorted())
  }

  @Test("a task is a UUID, compared without case, written in lower case")
  func taskID() throws {
    func task(_ text: String) -> TaskID? { TaskID(Array(text.utf8).span) }
    let lower = "7a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d"
    let one = try #require(task(lower))
    #expect(one == task(lower.uppercased()))
    #expect(one.hashValue == task(lower.uppercased())?.hashValue)
    #expect(one == task("7A0b1c2D-3e4f-4a5b-8c6d-7e8f9a0b1c2d"))
    #expect(task(lower.uppercased())?.text == lower)
    #expect(one != task("7a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2e"))
    let wrong = [
      "", "-", String(lower.dropLast()), lower + "0", "{\(lower)}", lower.filter { $0 != "-" },
      "7a0b1c2d3-e4f-4a5b-8c6d-7e8f9a0b1c2d", "7a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2g",
      "7a0b1c2d_3e4f-4a5b-8c6d-7e8f9a0b1c2d", "7a0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2\u{FF44}",
    ]
    for text in wrong { #expect(task(text) == nil, "'\(text)'") }
  }

  @Test(
    "those that differ in one byte only, wherever it is, have different hashes", arguments: 0..<32)
  func hashes(_ place: Int) {
    func expect(_ hash: (UInt8) -> Int) {
      #expect(Set((UInt8.min...(.max)).map(hash)).count > 250)
    }
    expect { value in PublicKey(bytes: InlineArray { $0 == place ? value : 7 }).hashValue }
    expect { value in
      Signer.key(PublicKey(bytes: InlineArray { $0 == place ? value : 7 })).hashValue
    }
    guard place < 16 else { return }
    let bytes = { (value: UInt8) in InlineArray<16, UInt8> { $0 == place ? value : 7 } }
    expect { UserID(bytes: bytes($0)).hashValue }
    expect { Signer.user(UserID(bytes: bytes($0))).hashValue }
    expect { value in StoreID(text: UserID(bytes: bytes(value)).text)?.hashValue ?? 0 }
  }

  @Test("a user is the first half of a public key")
  func userID() {
    let key = PublicKey(bytes: InlineArray { UInt8($0 * 3) })
    let user = UserID(of: key)
    #expect(user.text == hex((0..<16).map { UInt8($0 * 3) }))
    func read(_ text: String) -> UserID? { UserID(hex: Array(text.utf8).span) }
    #expect(read(user.text) == user)
    #expect(read(user.text.uppercased()) == nil)
    #expect(read(String(user.text.dropLast())) == nil)
  }

  @Test("object kinds have the words of loose headers and options")
  func kinds() {
    for kind in ObjectKind.allCases { #expect(ObjectKind(name: "\(kind.name)") == kind) }
    #expect(ObjectKind(name: "Node") == nil)
    #expect(ObjectKind(name: "") == nil)
  }
}

@Suite("Lamport")
struct LamportTests {
  @Test("a Lamport time is 1 to 2^48")
  func bounds() {
    #expect(Lamport(0) == nil)
    #expect(Lamport(1)?.value == 1)
    #expect(Lamport(1 << 48)?.value == 281_474_976_710_656)
    #expect(Lamport(1 << 48 + 1) == nil)
    #expect(Lamport(.max) == nil)
  }

  @Test("they are ordered as numbers, not as texts")
  func order() throws {
    #expect(try #require(Lamport(9)) < #require(Lamport(10)))
    #expect(!(try #require(Lamport(10)) < #require(Lamport(10))))
  }
}

@Suite("Actions")
struct ActionTests {
  @Test("every known action is found by its name and by no other")
  func names() {
    for action in Action.allCases {
      #expect("\(action.name)" == action.rawValue)
      #expect(known(action.rawValue) == action)
      #expect(isName(action.rawValue))
      #expect(known(action.rawValue + "S") == nil)
      #expect(known(String(action.rawValue.dropLast())) == nil)
      #expect(known(action.rawValue.lowercased()) == nil)
      // One letter changed, wherever: no look-up by count and first letter alone.
      for place in 0..<action.rawValue.utf8.count {
        var letters = Array(action.rawValue.utf8)
        letters[place] = UInt8(ascii: "X")
        #expect(known(string(letters)) == nil)
      }
    }
  }

  @Test("a name is an upper-case word of at most 64 letters, digits and underscores")
  func forms() {
    let right = ["A", "A1", "A_", "REMIND_ME", String(repeating: "A", count: 64)]
    let wrong = [
      "", "a", "1A", "_A", "A-B", "A B", "Á", String(repeating: "A", count: 65), "A\n", "Ａ",
    ]
    for name in right { #expect(isName(name), "'\(name)'") }
    for name in wrong { #expect(!isName(name), "'\(name)'") }
  }

  private func known(_ name: String) -> Action? { Action(name: Array(name.utf8).span) }
  private func isName(_ name: String) -> Bool { Action.isName(Array(name.utf8).span) }
}
