// The name of a store, `core.id`: 32 random hex digits that it gets when it is made. A log of received
// nodes has one name, and a copy of the store has it, too.

package import RedoObject

extension Config {
  /// What a new store's file says.
  static func firstText(_ id: StoreID) -> String {
    "[core]\n\tformat = \(nodesFormat)\n\tid = \(id.text)\n"
  }

  /// The store's name, according to its own file.
  ///
  /// - Returns: `nil` when it has none, because an earlier release made it.
  /// - Throws: `value` when it is not a name.
  package func storeID() throws(ConfigError) -> StoreID? {
    guard let entry = all("core.id").last(where: { !$0.origin.isProtected }) else { return nil }
    guard let id = StoreID(text: entry.value ?? "") else {
      throw .value(entry, expected: "32 lower-case hex digits")
    }
    return id
  }
}

extension StoreDirectory {
  /// Gives the store a name, in one step.
  ///
  /// - Parameters:
  ///   - id: the name.
  ///   - old: the name that it has; `nil` for none. One that has another by now keeps it.
  /// - Returns: the name that the store has afterwards.
  /// - Throws: as `change`, and `value`.
  package func name(
    _ id: StoreID, replacing old: StoreID? = nil
  ) throws(ConfigError) -> StoreID {
    var name = id
    try changeSettings { text throws(ConfigError) in
      let present = try Config(entries: text.entries).storeID()
      if let present, present != old {
        name = present
        return
      }
      if present != nil { _ = try text.unset("core.id") }
      try text.set("core.id", name: "id", to: id.text)
    }
    return name
  }
}

extension StoreID {
  /// A random name.
  package static func random() -> StoreID {
    guard let id = StoreID(text: Random.hex16() + Random.hex16()) else {
      preconditionFailure("BUG: random digits are none")
    }
    return id
  }
}
