// What is remembered of a document: enough to compare it with others, without its body.

package import RedoObject
package import RedoRemote

internal import RedoCrypto

/// A node of a collection.
package struct MirrorNode: Equatable, Sendable {
  /// Its id, and the document's.
  package let id: ObjectID
  /// Its fingerprint, which covers its signature.
  package let fingerprint: NodeFingerprint
  /// Whether it is signed.
  package let isSigned: Bool
  /// Its logical time.
  package let lamport: Lamport
  /// Its wall time.
  package let wall: WallTime
  /// Its task.
  package let task: TaskID?
  /// Its parents.
  package let parents: [ObjectID]
  /// Whether the document's access list has the account, so that the service counts it.
  package let isListed: Bool

  /// What is remembered of a node.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - isListed: whether the document's access list has the account.
  package init(_ node: Node, isListed: Bool = true) {
    self.isListed = isListed
    id = node.id
    fingerprint = NodeFingerprint(id: node.id, signature: node.signature)
    isSigned = node.signature != nil
    lamport = node.lamport
    wall = node.wall
    task = node.taskID
    parents = node.parents
  }

  /// Its place among others.
  package var place: RangeBound { RangeBound(lamport: lamport, wall: wall, id: id) }
}

/// A document that is not offered to others, and why.
package struct UnfitDocument: Equatable, Sendable {
  /// The last part of the document's name.
  package let documentID: String
  /// What is wrong with it, at least one row.
  package let rows: [RefusedNode]
  /// Whether its access list has the account, so that the service counts it.
  package let isListed: Bool
  /// What it adds to the sum of all logical times.
  package let clock: Clock

  /// What the place of the logical time has.
  package enum Clock: Equatable, Sendable {
    /// Nothing.
    case none
    /// A number.
    case integer(Int64)
    case double(Double)
    /// Something else.
    case other
  }

  /// A document that is not offered.
  ///
  /// - Parameters:
  ///   - documentID: the last part of the document's name.
  ///   - rows: what is wrong with it.
  ///   - isListed: whether its access list has the account.
  ///   - clock: what the place of the logical time has.
  package init(
    documentID: String, rows: [RefusedNode], isListed: Bool = true, clock: Clock = .none
  ) {
    self.documentID = documentID
    self.rows = rows
    self.isListed = isListed
    self.clock = clock
  }

  package static func == (left: UnfitDocument, right: UnfitDocument) -> Bool {
    // A number that is none is the same as itself here.
    left.bytes == right.bytes
  }
}

// MARK: Bytes

extension MirrorNode {
  private static let signedMark: UInt8 = 1
  private static let taskMark: UInt8 = 2
  private static let unlistedMark: UInt8 = 4

  /// The node as a record has it.
  var bytes: [UInt8] {
    var output = MirrorWriter()
    output.append(id)
    output.append(ObjectID(digest: fingerprint.digest))
    output.append(
      byte: (isSigned ? Self.signedMark : 0) | (task != nil ? Self.taskMark : 0)
        | (isListed ? 0 : Self.unlistedMark))
    output.append(number: lamport.value)
    output.append(number: UInt64(bitPattern: wall.milliseconds))
    if let task { output.append((0..<16).map { task.bytes[$0] }) }
    output.append(byte: UInt8(parents.count))
    for parent in parents { output.append(parent) }
    return output.bytes
  }

  /// Reads a record; `nil` if it has another form.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = MirrorReader(bytes)
    guard let id = reader.id(), let fingerprint = reader.id(), let marks = reader.byte(),
      let lamport = reader.number().flatMap({ Lamport($0) }), let wall = reader.number()
    else { return nil }
    self.id = id
    self.fingerprint = NodeFingerprint(digest: fingerprint.digest)
    isSigned = marks & Self.signedMark != 0
    isListed = marks & Self.unlistedMark == 0
    self.lamport = lamport
    self.wall = WallTime(milliseconds: Int64(bitPattern: wall))
    guard self.wall >= .earliest, self.wall <= .latest else { return nil }
    if marks & Self.taskMark != 0 {
      guard let task = reader.take(16) else { return nil }
      self.task = TaskID(bytes: InlineArray { task[task.startIndex + $0] })
    } else {
      task = nil
    }
    guard let count = reader.byte() else { return nil }
    var parents: [ObjectID] = []
    for _ in 0..<count {
      guard let parent = reader.id() else { return nil }
      parents.append(parent)
    }
    guard reader.isAtEnd else { return nil }
    self.parents = parents
  }
}

extension UnfitDocument {
  /// The document as a record has it.
  var bytes: [UInt8] {
    var output = MirrorWriter()
    output.append(text: documentID)
    output.append(byte: UInt8(clamping: rows.count))
    for row in rows.prefix(Int(UInt8.max)) {
      output.append(row.id)
      output.append(text: row.rule)
      output.append(text: row.detail)
    }
    output.append(byte: isListed ? 1 : 0)
    switch clock {
    case .none: output.append(byte: 0)
    case .integer(let number):
      output.append(byte: 1)
      output.append(number: UInt64(bitPattern: number))
    case .double(let number):
      output.append(byte: 2)
      output.append(number: number.bitPattern)
    case .other: output.append(byte: 3)
    }
    return output.bytes
  }

  /// Reads a record; `nil` if it has another form.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = MirrorReader(bytes)
    guard let documentID = reader.text(), let count = reader.byte(), count > 0 else { return nil }
    var rows: [RefusedNode] = []
    for _ in 0..<count {
      guard let id = reader.id(), let rule = reader.text(), let detail = reader.text(),
        let row = RefusedNode(id: id, rule: rule, detail: detail)
      else { return nil }
      rows.append(row)
    }
    guard let isListed = reader.byte(), let kind = reader.byte() else { return nil }
    let clock: Clock
    switch kind {
    case 0: clock = .none
    case 1:
      guard let number = reader.number() else { return nil }
      clock = .integer(Int64(bitPattern: number))
    case 2:
      guard let number = reader.number() else { return nil }
      clock = .double(Double(bitPattern: number))
    default: clock = .other
    }
    guard reader.isAtEnd else { return nil }
    self.init(documentID: documentID, rows: rows, isListed: isListed != 0, clock: clock)
  }
}
