// Which accounts may see a node: what `accessList` of its document says (redo-firestore(5)), kept beside the node and
// never hashed. In files and on the wire a list has one form:
//
//   for each account, ascending: 1 byte, how many follow (1 to 128); the account's id in UTF-8
//
// So two lists are equal where their bytes are.

/// The accounts that may see a node, in the order of their bytes, each once.
package struct AccessList: Hashable, Sendable {
  /// The most bytes of an account's id.
  package static let accountByteLimit = 128
  /// The most bytes of a list; an account in addition is left out.
  package static let byteLimit = 32_768

  /// The list as it is written.
  package let bytes: [UInt8]

  /// Nobody.
  package static let nobody = AccessList(of: [])

  /// A list of accounts; what cannot be the id of an account is left out.
  ///
  /// - Parameter accounts: ids in any order.
  package init(of accounts: some Sequence<String>) {
    let ids = Set(accounts.map { Array($0.utf8) })
      .filter { (1...Self.accountByteLimit).contains($0.count) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    var bytes: [UInt8] = []
    for id in ids where bytes.count + 1 + id.count <= Self.byteLimit {
      bytes.append(UInt8(id.count))
      bytes += id
    }
    self.bytes = bytes
  }

  /// Reads a list.
  ///
  /// - Parameter bytes: what was written; the result is `nil` when it has another form.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count <= Self.byteLimit else { return nil }
    var last: ArraySlice<UInt8> = []
    var place = 0
    while place < bytes.count {
      let count = Int(bytes[place])
      let end = place + 1 + count
      guard (1...Self.accountByteLimit).contains(count), end <= bytes.count else { return nil }
      let id = bytes[place + 1..<end]
      guard last.lexicographicallyPrecedes(id), String(validating: id, as: UTF8.self) != nil else {
        return nil
      }
      last = id
      place = end
    }
    self.bytes = bytes
  }

  /// The ids of the accounts.
  package var accounts: [String] {
    var accounts: [String] = []
    forEach { accounts.append(String(decoding: $0, as: UTF8.self)) }
    return accounts
  }

  /// Whether an account is on the list, to the byte.
  ///
  /// - Parameter account: its id.
  /// - Returns: whether it is.
  package func contains(_ account: String) -> Bool {
    let wanted = Array(account.utf8)
    var found = false
    forEach { found = found || $0.elementsEqual(wanted) }
    return found
  }

  private func forEach(_ body: (ArraySlice<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count {
      let end = place + 1 + Int(bytes[place])
      body(bytes[place + 1..<end])
      place = end
    }
  }
}
