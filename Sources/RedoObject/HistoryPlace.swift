// What all kinds with a history have in common, whatever their bytes are: where an object stands in it.

/// Where an object stands in the history of its kind.
package struct HistoryPlace: Sendable {
  /// What the objects of a history are grouped by: each group has heads of its own.
  package enum Group: Hashable, Comparable, Sendable {
    /// The nodes of a task.
    case task(TaskID)
    /// The receipts that follow a first one.
    case chain(ObjectID)
    /// The definitions of a schema.
    case schema(SchemaDefinition.Name)

    /// The kind of its objects.
    package var kind: ObjectKind {
      switch self {
      case .task: .node
      case .chain: .receipt
      case .schema: .schema
      }
    }

    /// A place in an order of groups: those of one kind stand together.
    private var kindRank: Int {
      switch self {
      case .task: 0
      case .chain: 1
      case .schema: 2
      }
    }

    package static func < (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.task(let one), .task(let other)): one < other
      case (.chain(let one), .chain(let other)): one < other
      case (.schema(let one), .schema(let other)): one < other
      default: left.kindRank < right.kindRank
      }
    }
  }

  /// Its group; `nil` for a node without a task.
  package let group: Group?
  /// Its parents.
  package let parents: [ObjectID]
  /// Its logical time; 1 for a kind without one.
  package let lamport: Lamport
  /// When its author says that it was made; 1970 where that is no time.
  package let wall: WallTime

  private init(
    _ group: Group?, parents: [ObjectID], lamport: Lamport = Lamport.first, wall: WallTime
  ) {
    self.group = group
    self.parents = parents
    self.lamport = lamport
    self.wall = wall
  }

  /// The place of a node.
  package init(_ node: Node) {
    self.init(
      node.taskID.map(Group.task), parents: node.parents, lamport: node.lamport, wall: node.wall)
  }

  /// The place of a node that should not have been accepted.
  package init(_ node: BrokenNode) {
    self.init(
      node.taskID.map(Group.task), parents: node.parents, lamport: node.lamport, wall: node.wall)
  }

  /// The place of a receipt.
  package init(_ receipt: Receipt) {
    self.init(
      .chain(receipt.root), parents: receipt.parent.map { [$0] } ?? [],
      wall: receipt.wall ?? WallTime(milliseconds: 0))
  }

  /// The place of a schema.
  package init(_ schema: Schema) {
    self.init(
      .schema(schema.definition.name), parents: schema.parents, lamport: schema.lamport,
      wall: schema.wall)
  }

  /// Its task, if it is a node that has one.
  package var taskID: TaskID? { if case .task(let id) = group { id } else { nil } }
}

/// Decodes objects of any kind with a history one after another, keeping its memory.
package struct PlaceDecoder: ~Copyable {
  /// Decodes nodes.
  package var nodes: NodeDecoder
  /// Decodes receipts.
  package var receipts: ReceiptDecoder
  /// Decodes schemas.
  package var schemas: SchemaDecoder

  /// A decoder for a profile.
  package init(profile: Profile = .v1) {
    nodes = NodeDecoder(profile: profile)
    receipts = ReceiptDecoder(profile: profile)
    schemas = SchemaDecoder(profile: profile)
  }

  /// Where an object stands in the history of its kind.
  ///
  /// - Parameter object: the object.
  /// - Returns: `nil` when its kind has none, or its bytes have no place there.
  package mutating func place(of object: StoredObject) -> HistoryPlace? {
    object.kind.place(of: object, &self)
  }
}
