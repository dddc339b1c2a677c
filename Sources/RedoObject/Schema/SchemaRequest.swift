// What somebody asks of a schema (schemas, section 3). Each request is applied to the definitions of the heads; what comes of it
// is the definition of the next object, whose parents are those heads.

/// The id of a field that is added.
package enum NewFieldID: Equatable, Sendable {
  /// An id: a random one, or one that somebody chose.
  case id(UniqueID)
  /// A text, which becomes a key of the schema, and the id that it stands for there.
  case key(ByteText)

  /// What somebody chose: a UUID of either case, or a text.
  package init(_ text: ByteText) {
    self = UniqueID(text.utf8.span).map { .id($0) } ?? .key(text)
  }
}

/// The choice of a field as a head has it.
package struct SchemaPick: Equatable, Sendable {
  /// The field, as it is looked up.
  package let field: ByteText
  /// The definition of the head: heads may be merged before the choice is made, and then it is none any more.
  package let head: SchemaDefinition

  /// A choice of its parts.
  package init(_ field: ByteText, fromHead head: SchemaDefinition) {
    self.field = field
    self.head = head
  }
}

/// What somebody can ask of a schema.
package protocol SchemaAsked: Sendable {
  /// Applies the request to the heads; parameters, result and errors are those of `SchemaRequest.apply`.
  func apply(
    to heads: [SchemaDefinition], by device: UniqueID, now: WallTime,
    base: (Int, Int) -> SchemaDefinition?
  ) throws(SchemaFault) -> SchemaEdited
}

/// An edit that somebody asks for; fields are texts that `SchemaView.lookUp` looks up.
package enum SchemaRequest: SchemaAsked, Equatable {
  /// A schema that is not here yet.
  case new(SchemaDefinition.Name, SchemaOptions)
  /// Another field.
  case addField(NewFieldID, FieldType, FieldOptions)
  /// Members of the schema.
  case set(SchemaOptions)
  /// Members of a field.
  case setField(ByteText, FieldOptions)
  /// Another name of a field.
  case rename(ByteText, to: ByteText)
  /// Hides, restores or deprecates a field.
  case show(ByteText, FieldVisibility)
  /// Shows the values of a field under another one.
  case mergeFields(source: ByteText, target: ByteText)
  /// Shows the values of a field under itself again.
  case splitField(ByteText)
  /// Joins the heads; without choices exactly, and with no stamp of its own.
  case merge([SchemaPick])
  /// Joins the heads with a file; fields that it lacks may be hidden.
  case `import`(SchemaDefinition, hidesAbsent: Bool)

  /// What the object says led to it.
  package var change: Schema.Change {
    switch self {
    case .new: Schema.Change("new", .manual)
    case .addField: Schema.Change("add-field", .manual)
    case .set, .setField: Schema.Change("set", .manual)
    case .rename: Schema.Change("rename", .manual)
    case .show(_, .active): Schema.Change("restore", .manual)
    case .show(_, .hidden): Schema.Change("hide", .manual)
    case .show(_, .deprecated): Schema.Change("deprecate", .manual)
    case .mergeFields: Schema.Change("merge-fields", .manual)
    case .splitField: Schema.Change("split-field", .manual)
    case .merge(let picks): Schema.Change("merge", picks.isEmpty ? .automatic : .manual)
    case .import: Schema.Change("import", .import)
    }
  }

  /// Whether it may be asked of a schema that has commands of its own: nothing but the heads and a file goes in.
  var isForReserved: Bool {
    switch self {
    case .merge, .import: true
    case .new, .addField, .set, .setField, .rename, .show, .mergeFields, .splitField: false
    }
  }
}

/// Why there is no edit.
package enum SchemaFault: Error, Equatable, Sendable {
  /// It would break rules.
  case refused([Finding])
  /// A schema that is to be new is here.
  case present
  /// There is no head to edit.
  case absent
  /// The text names no field.
  case fieldUnknown(ByteText)
  /// The text names several fields, by the ids with which they are shown.
  case fieldAmbiguous(ByteText, [UniqueID])

  /// A broken rule of the definition.
  static func refused(_ rule: Rule, _ pointer: String, _ detail: String = "") -> SchemaFault {
    .refused([Finding(rule, at: .pointer(pointer), detail: detail)])
  }
}

extension SchemaDefinition.Name {
  /// The devices of a history.
  package static let devices = SchemaDefinition.Name(ByteText("redo.devices"))

  /// Whether only commands of their own edit it.
  package var isReserved: Bool { id.utf8.starts(with: "redo.".utf8) }
}

extension SchemaDefinition {
  /// How many heads a schema may have before an edit.
  package static let headLimit = 64

  /// The heads to be joined by an automatic merge before an edit joins all.
  ///
  /// - Parameter heads: all of them, in any order.
  /// - Returns: the first 64 by logical time, wall time and id; `nil` when there are no more than 64.
  package static func nextToMerge(_ heads: [Schema]) -> [Schema]? {
    guard heads.count > headLimit else { return nil }
    let sorted = heads.sorted {
      if $0.lamport != $1.lamport { return $0.lamport < $1.lamport }
      if $0.wall != $1.wall { return $0.wall < $1.wall }
      return $0.id < $1.id
    }
    return Array(sorted.prefix(headLimit))
  }
}
