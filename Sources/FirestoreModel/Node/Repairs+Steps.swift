// The single repairs.

extension NodeDocument.Repairs {
  private static let known = ["action", "author", "parents", "taskId", "timestamp", "version"]
  private static let content = ["fields", "payload"]
  private static let resolution = "conflictResolution"

  /// The members around `data` that the protocol names, in the only form in which they can be in a
  /// node: what is absent has been written as null or "" there, and the time as another type.
  static func frame(_ fields: FirestoreFields) -> FirestoreFields {
    var frame = FirestoreFields()
    for name in known {
      guard let value = fields[name], value != .null else { continue }
      frame[name] = value
    }
    if frame["taskId"] == .string("") { frame["taskId"] = nil }
    if frame["parents"] == nil { frame["parents"] = .array([]) }
    // A node has no other members in these.
    for (name, known) in [("author", ofAuthor), ("timestamp", ofTimestamp)] {
      guard case .map(let fields) = frame[name] else { continue }
      frame[name] = .map(FirestoreFields(fields.members.filter { known.contains($0.name) }))
    }
    if case .map(var author) = frame["author"] {
      for name in ["name", "email", "deviceName", "publicKey", "userId", "deviceId"]
      where author[name] == .null {
        author[name] = nil
      }
      if author["publicKey"] == .string("") { author["publicKey"] = nil }
      frame["author"] = .map(author)
    }
    let wall = FieldPath("timestamp", "wall")
    if let value = frame[wall], value.text == nil,
      let time = FirestoreTimestamp(anyForm: value)
    {
      frame.set(.timestamp(time), at: wall)
    }
    return frame
  }

  private static let texts = ["name", "email", "deviceName"]
  private static let ofAuthor = texts + ["userId", "deviceId", "publicKey"]
  private static let ofTimestamp = ["lamport", "wall"]

  /// The members around `data` as they may have been, the likeliest first: with all texts of the author that are "",
  /// without any of them, with some of them.
  ///
  /// - Parameter frame: the members around `data`.
  /// - Returns: at most 8; `nil` in the second place when no text is "".
  static func frames(_ frame: FirestoreFields) -> [Shape?] {
    let empty = texts.filter { frame["author"]?.fields?[$0] == .string("") }
    var frames: [Shape?] = [(frame, [])]
    let all = (1 << empty.count) - 1
    frames.append(all > 0 ? (without(empty, all, frame), [.emptyAuthor]) : nil)
    for some in 1..<max(all, 1) { frames.append((without(empty, some, frame), [.emptyAuthor])) }
    return frames
  }

  /// A frame without some texts of the author.
  private static func without(
    _ names: [String], _ some: Int, _ frame: FirestoreFields
  ) -> FirestoreFields {
    guard case .map(var author) = frame["author"] else { return frame }
    for (place, name) in names.enumerated() where some >> place & 1 == 1 { author[name] = nil }
    var changed = frame
    changed["author"] = .map(author)
    return changed
  }

  /// What `data` may have been, the likeliest first; at most 4.
  static func shapes(
    _ fields: FirestoreFields
  ) -> [(data: FirestoreFields, repairs: Set<NodeDocument.Repair>)] {
    let data = fields["data"]?.fields ?? FirestoreFields()
    var shapes: [(data: FirestoreFields, repairs: Set<NodeDocument.Repair>)] = []
    let resolution = data[resolution].flatMap { $0.fields }
    func add(_ name: String, _ content: FirestoreFields, _ repairs: Set<NodeDocument.Repair>) {
      var shape: FirestoreFields = [name: .map(content)]
      if let resolution { shape[Self.resolution] = .map(resolution) }
      shapes.append((shape, repairs))
    }
    for name in content {
      guard let inner = data[name]?.fields else { continue }
      let expected = resolution == nil ? 1 : 2
      add(name, inner, data.count == expected ? [] : [.besides])
    }
    if shapes.isEmpty {
      for name in content {
        if let outer = fields[name]?.fields { add(name, outer, [.outside]) }
      }
    }
    var flat = data
    if resolution != nil { flat[Self.resolution] = nil }
    add("fields", flat, [.flatFields])
    add("payload", flat, [.flatPayload])
    return shapes
  }

  /// What is removed from the content.
  enum Removal {
    case nulls, nullsAndEmptyTexts

    func takes(_ value: FirestoreValue) -> Bool {
      switch self {
      case .nulls: value == .null
      case .nullsAndEmptyTexts: value == .null || value == .string("")
      }
    }
  }

  /// `data` without the members that a removal concerns, at any depth; `nil` when there are none.
  static func remove(_ removal: Removal, from data: FirestoreFields) -> FirestoreFields? {
    let changed = removing(removal, data)
    return changed == data ? nil : changed
  }

  private static func removing(_ removal: Removal, _ fields: FirestoreFields) -> FirestoreFields {
    FirestoreFields(
      fields.members.compactMap { member in
        guard !removal.takes(member.value) else { return nil }
        return FirestoreFields.Member(member.name, removing(removal, member.value))
      })
  }

  private static func removing(_ removal: Removal, _ value: FirestoreValue) -> FirestoreValue {
    switch value {
    case .map(let fields): .map(removing(removal, fields))
    case .array(let values): .array(values.map { removing(removal, $0) })
    default: value
    }
  }

  /// The most members that are null or "" of which some are removed.
  private static let someLimit = 5

  /// In how many ways some members of `data` can be removed that are null or "", but not all of them.
  static func choiceCount(_ data: FirestoreFields) -> Int {
    var count = 0
    _ = removing(data) { _ in
      count += 1
      return false
    }
    return (2...someLimit).contains(count) ? (1 << count) - 2 : 0
  }

  /// `data` without some of the members that are null or "".
  ///
  /// - Parameters:
  ///   - some: a bit for each of them, in their order.
  ///   - data: what they are removed from.
  /// - Returns: `nil` when these are all that are null, which `remove` removes.
  static func remove(some: Int, from data: FirestoreFields) -> FirestoreFields? {
    var place = 0
    let changed = removing(data) { _ in
      place += 1
      return some >> (place - 1) & 1 == 1
    }
    return changed == removing(.nulls, data) ? nil : changed
  }

  /// `data` without members that are null or "" and are to be removed, at any depth.
  private static func removing(
    _ fields: FirestoreFields, _ isGone: (FirestoreValue) -> Bool
  ) -> FirestoreFields {
    FirestoreFields(
      fields.members.compactMap { member in
        if Removal.nullsAndEmptyTexts.takes(member.value), isGone(member.value) { return nil }
        return FirestoreFields.Member(member.name, removing(member.value, isGone))
      })
  }

  private static func removing(
    _ value: FirestoreValue, _ isGone: (FirestoreValue) -> Bool
  ) -> FirestoreValue {
    switch value {
    case .map(let fields): .map(removing(fields, isGone))
    case .array(let values): .array(values.map { removing($0, isGone) })
    default: value
    }
  }

  /// `data` with maps of seconds and nanoseconds as times, at any depth; `nil` when there are none.
  static func withTimes(_ data: FirestoreFields) -> FirestoreFields? {
    guard case .map(let changed) = timed(.map(data)), changed != data else { return nil }
    return changed
  }

  private static func timed(_ value: FirestoreValue) -> FirestoreValue {
    switch value {
    case .map(let fields):
      if fields.count == 2, let time = FirestoreTimestamp(anyForm: value) {
        return .timestamp(time)
      }
      return .map(
        FirestoreFields(
          fields.members.map { FirestoreFields.Member($0.name, timed($0.value)) }))
    case .array(let values): return .array(values.map(timed))
    default: return value
    }
  }
}
