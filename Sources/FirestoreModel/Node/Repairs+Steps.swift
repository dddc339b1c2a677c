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

  /// The author's texts for people are absent where they are "".
  static func withoutEmptyTexts(_ frame: FirestoreFields) -> FirestoreFields {
    guard case .map(var author) = frame["author"] else { return frame }
    for name in ["name", "email", "deviceName"] where author[name] == .string("") {
      author[name] = nil
    }
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
