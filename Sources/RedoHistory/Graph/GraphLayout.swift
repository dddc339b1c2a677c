// The layout of a part of a graph in memory: a head of 64-bit numbers, then one section for each column, each
// aligned to 8 bytes; all numbers little-endian.
//
//   head      version, nodes, parents, tasks, actions, authors, nodes of the part below, flags,
//             bytes of the received log it covers, the last 32 bytes of those (4 words), bytes that
//             the part below covers, the mark of signatures (4 words), then the offset of each
//             section and of its end
//   columns   by node: id 32, the nodes in the order of their ids u32, first parent u32 (one more
//             than nodes), lamport u64, wall i64, received i64, action u32, task u32, author u32,
//             marks u8, fingerprint 32, the nodes in the order of a walk by wall time u32 (WallWalk; without
//             the part on top), first data byte u64 (one more than nodes)
//   heaps     parents u32, data bytes, tasks 16, actions and authors (u32 starts, bytes)

/// The sections of a part, in their order in memory.
enum GraphSection: Int, CaseIterable {
  case ids, idOrder, parentStarts, parents, lamports, walls, received, actions, tasks, authors,
    marks, fingerprints, wallOrder
  case dataStarts, data
  case taskTable, actionStarts, actionTable, authorStarts, authorTable
}

/// The head of a part.
struct GraphHead: Equatable {
  /// The version of the layout.
  static let version: UInt64 = 3
  /// The words before the offsets.
  private static let words = 18
  /// The bytes of a head.
  static let byteCount = 8 * (words + GraphSection.allCases.count + 1)

  /// What is true of a whole part.
  struct Flags: OptionSet {
    let rawValue: UInt64
    /// Every node has a greater lamport than its parents, so that the order is that of the clocks.
    static let isSorted = Flags(rawValue: 1)
    /// A node of it should not have been accepted.
    static let hasBroken = Flags(rawValue: 2)
  }

  var nodeCount = 0
  var parentCount = 0
  var taskCount = 0
  var actionCount = 0
  var authorCount = 0
  /// The number of nodes in the part below this one.
  var baseCount = 0
  var flags: Flags = []
  /// The bytes of the received log that are covered.
  var receivedBytes = 0
  /// Those that the part below covers itself.
  var baseReceivedBytes = 0
  /// The last bytes of those: if they are others, it was another log.
  var receivedEnd: [UInt8] = []
  /// 32 bytes that are others once another signature of some node is kept.
  var signatureMark: [UInt8] = []
  /// The beginning of each section, and the end of the last.
  var offsets: [Int] = []

  /// The number of bytes that a section has, from the counts.
  func byteCount(of section: GraphSection) -> Int? {
    switch section {
    case .ids, .fingerprints: 32 * nodeCount
    case .parentStarts: 4 * (nodeCount + 1)
    case .parents: 4 * parentCount
    case .lamports, .walls, .received: 8 * nodeCount
    case .actions, .tasks, .authors, .idOrder, .wallOrder: 4 * nodeCount
    case .marks: nodeCount
    case .dataStarts: 8 * (nodeCount + 1)
    case .taskTable: 16 * taskCount
    case .actionStarts: 4 * (actionCount + 1)
    case .authorStarts: 4 * (authorCount + 1)
    case .data, .actionTable, .authorTable: nil
    }
  }

  /// The place of a section.
  func range(_ section: GraphSection) -> Range<Int> {
    let start = offsets[section.rawValue]
    // The padding after a section is ignored.
    let end = byteCount(of: section).map { start + $0 } ?? offsets[section.rawValue + 1]
    return start..<end
  }

  /// Appends the head.
  func append(to output: inout [UInt8]) {
    func put(_ value: UInt64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        output.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      }
    }
    put(Self.version)
    for count in [
      nodeCount, parentCount, taskCount, actionCount, authorCount, baseCount,
    ] { put(UInt64(count)) }
    put(flags.rawValue)
    put(UInt64(receivedBytes))
    precondition(receivedEnd.count == 32, "BUG: the end of a received log has 32 bytes")
    output += receivedEnd
    put(UInt64(baseReceivedBytes))
    precondition(signatureMark.count == 32, "BUG: a mark of signatures has 32 bytes")
    output += signatureMark
    for offset in offsets { put(UInt64(offset)) }
  }

  /// Reads a head; `nil` when the bytes are not a head, or do not match it.
  ///
  /// - Parameter memory: a whole part; its head has been checked.
  init?(_ memory: GraphMemory) {
    guard memory.count >= Self.byteCount, memory.load(0, as: UInt64.self) == Self.version else {
      return nil
    }
    // So few that no product of them overflows.
    func number(_ word: Int) -> Int? {
      let value = memory.load(8 * word, as: UInt64.self)
      return value < 1 << 40 ? Int(value) : nil
    }
    guard let nodes = number(1), let parents = number(2), let tasks = number(3),
      let actions = number(4), let authors = number(5), let base = number(6),
      let received = number(8), let below = number(13), nodes + base < 1 << 31,
      max(parents, tasks, actions, authors) < 1 << 31
    else { return nil }
    (nodeCount, parentCount, taskCount) = (nodes, parents, tasks)
    (actionCount, authorCount, baseCount) = (actions, authors, base)
    flags = Flags(rawValue: memory.load(56, as: UInt64.self))
    receivedBytes = received
    baseReceivedBytes = below
    receivedEnd = memory.bytes(72..<104)
    signatureMark = memory.bytes(112..<144)
    for section in 0...GraphSection.allCases.count {
      guard let offset = number(Self.words + section) else { return nil }
      offsets.append(offset)
    }
    guard offsets.first == Self.byteCount, offsets.last == memory.count else { return nil }
    for section in GraphSection.allCases {
      let start = offsets[section.rawValue]
      let end = offsets[section.rawValue + 1]
      guard start <= end, start % 8 == 0 else { return nil }
      if let count = byteCount(of: section), end - start < count { return nil }
    }
  }

  /// A head of nothing.
  init() {}
}
