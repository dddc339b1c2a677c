// What is different between two definitions of a schema, as rows that `redo schema diff` prints as text and as JSON.

package import CanonicalJSON

/// One difference of two definitions.
package struct SchemaDifference: Equatable, Sendable {
  /// What became of a field, or of the schema.
  package enum Change: String, Sendable {
    case added, removed, renamed, hidden, restored, deprecated, changed
    case ruleAdded = "rule-added"
    case ruleRemoved = "rule-removed"
    case keyAdded = "key-added"
    case keyRemoved = "key-removed"
  }

  /// A field, as it is told.
  package struct Field: Equatable, Sendable {
    /// The id with which it is shown.
    package let id: UniqueID
    /// Its type.
    package let type: FieldType
    /// Its name in the later definition that has it.
    package let name: ByteText
  }

  /// What became of it.
  package let change: Change
  /// The field; `nil` for the schema as a whole.
  package let field: Field?
  /// The member, if it is about one.
  package let member: String?
  /// What was there, in its RFC 8785 form.
  package let old: [UInt8]?
  /// What is there, in its RFC 8785 form.
  package let new: [UInt8]?

  /// The columns of its row: change, field, member, old, new; `-` for what there is none of.
  package var columns: [String] {
    func text(_ value: [UInt8]?) -> String {
      value.map { String(decoding: $0, as: UTF8.self) } ?? "-"
    }
    return [change.rawValue, field?.id.text ?? "-", member ?? "-", text(old), text(new)]
  }

  // MARK: Comparing

  /// The differences of two definitions; who changed a field last, and when, is none.
  ///
  /// - Parameters:
  ///   - old: the definition before.
  ///   - new: the definition after.
  /// - Returns: those of the schema, then field by field: of both in the order of the old one, removed ones, added ones.
  package static func between(
    _ old: SchemaDefinition, _ new: SchemaDefinition
  ) -> [SchemaDifference] {
    var found = members(
      old.canonical, new.canonical, nil,
      except: ["fields", "id", "keys", "metaVersion", "scope", "version"])
    func key(_ change: Change, _ key: ByteText) {
      var json: [UInt8] = []
      JSONWriter.appendString(key.utf8.span, to: &json)
      found.append(
        SchemaDifference(
          change: change, field: nil, member: "keys", old: change == .keyRemoved ? json : nil,
          new: change == .keyAdded ? json : nil))
    }
    for text in Set(old.keys).subtracting(new.keys).sorted() { key(.keyRemoved, text) }
    for text in Set(new.keys).subtracting(old.keys).sorted() { key(.keyAdded, text) }
    let fields = SchemaPairing(SchemaView(old), SchemaView(new))
    for (old, new) in fields.both { found += between(old, new) }
    for field in fields.lost + fields.retyped.map(\.old) {
      found.append(whole(.removed, field, old: field.json, new: nil))
    }
    for field in fields.added { found.append(whole(.added, field, old: nil, new: field.json)) }
    return found
  }

  private static func whole(
    _ change: Change, _ field: SchemaField, old: [UInt8]?, new: [UInt8]?
  ) -> SchemaDifference {
    SchemaDifference(change: change, field: Field(field), member: nil, old: old, new: new)
  }

  private static func between(_ old: SchemaField, _ new: SchemaField) -> [SchemaDifference] {
    var found = members(
      old.json, new.json, Field(new),
      except: ["fieldType", "id", "updatedAt", "updatedBy", "validationRules"])
    // Of equal rules as many are left as one side has more.
    var left = new.rules
    for rule in old.rules {
      if let place = left.firstIndex(of: rule) {
        left.remove(at: place)
      } else {
        found.append(ruleRow(.ruleRemoved, new, rule))
      }
    }
    found += left.map { ruleRow(.ruleAdded, new, $0) }
    return found
  }

  private static func ruleRow(
    _ change: Change, _ field: SchemaField, _ rule: ValidationRule
  ) -> SchemaDifference {
    var json: [UInt8] = []
    rule.append(to: &json)
    return SchemaDifference(
      change: change, field: Field(field), member: "validationRules",
      old: change == .ruleRemoved ? json : nil, new: change == .ruleAdded ? json : nil)
  }

  /// The members in which two objects differ.
  private static func members(
    _ old: [UInt8], _ new: [UInt8], _ field: Field?, except: Set<String>
  ) -> [SchemaDifference] {
    let (before, after) = (read(old), read(new))
    return Set(before.keys).union(after.keys).subtracting(except).sorted().compactMap { member in
      guard before[member] != after[member] else { return nil }
      let change: Change =
        switch (member, after[member]?.content) {
        case ("displayName", _): .renamed
        case ("visibility", "active"): .restored
        case ("visibility", "hidden"): .hidden
        case ("visibility", _): .deprecated
        default: .changed
        }
      return SchemaDifference(
        change: change, field: field, member: member, old: before[member]?.json,
        new: after[member]?.json)
    }
  }

  private struct MemberValue: Equatable {
    let json: [UInt8]
    let content: String
  }

  private static func read(_ object: [UInt8]) -> [String: MemberValue] {
    guard let document = try? JSONDocument(object) else {
      preconditionFailure("BUG: what is written cannot be read")
    }
    var found: [String: MemberValue] = [:]
    var members = document.root.members
    while let member = members.next() {
      found[String(decoding: member.name.contentBytes, as: UTF8.self)] = MemberValue(
        json: member.value.bytes, content: member.value.contentText)
    }
    return found
  }
}

extension SchemaDifference.Field {
  fileprivate init(_ field: SchemaField) {
    self.init(id: field.pair.id, type: field.pair.type, name: field.displayName)
  }
}

extension SchemaField {
  /// Its RFC 8785 form.
  fileprivate var json: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}

extension SchemaDifference: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.add("change", change.rawValue)
      if let field {
        json.add("displayName", field.name)
        json.add("field", field.id.text)
        json.add("fieldType", field.type.rawValue)
      }
      if let member { json.add("member", member) }
      if let new { json.add("new", json: new) }
      if let old { json.add("old", json: old) }
    }
  }
}
