// The fields of a document, or of a map in one: names and values, in the order of the names' bytes.

/// Values with names, sorted by the UTF-8 of the names.
package struct FirestoreFields: Sendable {
  /// A name and its value.
  package struct Member: Sendable, Equatable {
    /// The name.
    package let name: String
    /// The value.
    package var value: FirestoreValue

    /// A member.
    package init(_ name: String, _ value: FirestoreValue) {
      self.name = name
      self.value = value
    }

    package static func == (left: Member, right: Member) -> Bool {
      ExactText.areEqual(left.name, right.name) && left.value == right.value
    }
  }

  /// The members, in the order of the UTF-8 of their names.
  package private(set) var members: [Member]

  /// No fields.
  package init() { members = [] }

  /// Fields in any order.
  ///
  /// - Parameter members: of two with one name the later one counts.
  package init(_ members: [Member]) {
    var isSorted = true
    for place in members.indices.dropFirst()
    where !ExactText.isLess(members[place - 1].name, members[place].name) {
      isSorted = false
      break
    }
    guard !isSorted else {
      self.members = members
      return
    }
    let sorted = members.enumerated().sorted { one, other in
      if ExactText.areEqual(one.element.name, other.element.name) {
        return one.offset < other.offset
      }
      return ExactText.isLess(one.element.name, other.element.name)
    }
    self.members = []
    for (_, member) in sorted {
      if let last = self.members.last, ExactText.areEqual(last.name, member.name) {
        self.members.removeLast()
      }
      self.members.append(member)
    }
  }

  /// The number of fields.
  package var count: Int { members.count }

  /// Whether there are no fields.
  package var isEmpty: Bool { members.isEmpty }

  /// The value of a name; setting `nil` takes it away.
  ///
  /// - Complexity: O(log *n*) to read.
  package subscript(name: String) -> FirestoreValue? {
    get { place(of: name).map { members[$0].value } }
    set {
      if let place = place(of: name) {
        if let newValue { members[place].value = newValue } else { members.remove(at: place) }
      } else if let newValue {
        members.insert(Member(name, newValue), at: insertionPlace(of: name))
      }
    }
  }

  private func insertionPlace(of name: String) -> Int {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if ExactText.isLess(members[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func place(of name: String) -> Int? {
    let place = insertionPlace(of: name)
    guard place < members.count, ExactText.areEqual(members[place].name, name) else { return nil }
    return place
  }

  /// The value at a path; `nil` when there is no value.
  ///
  /// - Parameter path: at least one name.
  /// - Returns: the value.
  package subscript(path: FieldPath) -> FirestoreValue? {
    guard let first = path.names.first else { return nil }
    var value = self[first]
    for name in path.names.dropFirst() {
      guard case .map(let fields) = value else { return nil }
      value = fields[name]
    }
    return value
  }

  /// Sets or removes the value at a path, as an update mask does: anything on the way that is not a map
  /// becomes one.
  ///
  /// - Parameters:
  ///   - value: the value; `nil` takes it away.
  ///   - path: at least one name.
  package mutating func set(_ value: FirestoreValue?, at path: FieldPath) {
    set(value, path.names[...])
  }

  private mutating func set(_ value: FirestoreValue?, _ names: ArraySlice<String>) {
    guard let first = names.first else { return }
    guard names.count > 1 else {
      self[first] = value
      return
    }
    let inner = self[first]?.fields
    if inner == nil, value == nil { return }
    var changed = inner ?? FirestoreFields()
    changed.set(value, names.dropFirst())
    self[first] = .map(changed)
  }
}

extension FirestoreFields: Equatable {
  package static func == (left: FirestoreFields, right: FirestoreFields) -> Bool {
    left.members == right.members
  }
}

extension FirestoreFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, FirestoreValue)...) {
    self.init(members.map { Member($0.0, $0.1) })
  }
}
