// Finds out which documents there are: everything once, and afterwards what the numbers of the service show to have
// changed.
//
//   numbers   how many documents the account may read, and the sum of their logical times: a read for each thousand.
//             If they are those of what is known, nothing has come and nothing is gone
//   since     what was created after the newest that is known; mostly that is all
//   names     ranges of names are counted and halved where the number is another one, and listed where they are small:
//             so documents without a time of creation are found, and those that are gone
//
// A service that counts nothing has all its names listed instead, which costs a read for each.

internal import FirestoreModel
internal import RedoObject
package import RedoRemote
internal import RedoStore

/// Brings a mirror up to date.
package struct CollectionListing {
  /// A range of names in which so many documents are known, or counted, is listed: a name costs a read, as a count does.
  private static let leafCount = 32
  /// The most documents that were unfit and are looked at again in a run.
  private static let unfitLimit = 100

  private let collection: NodeCollection
  private let mirror: Mirror
  private let reading: DocumentReading
  private let clock: () -> Int64

  /// Brings a mirror up to date.
  ///
  /// - Parameters:
  ///   - collection: where documents are read.
  ///   - mirror: what is remembered.
  ///   - reading: takes documents in.
  ///   - clock: milliseconds since 1970, where the service tells no time.
  package init(
    _ collection: NodeCollection, _ mirror: Mirror, _ reading: DocumentReading,
    clock: @escaping () -> Int64
  ) {
    self.collection = collection
    self.mirror = mirror
    self.reading = reading
    self.clock = clock
  }

  private var settings: FirestoreSettings { collection.client.settings }

  /// Looks for what has changed.
  ///
  /// What is gone is remembered as that.
  ///
  /// - Parameter anew: whether all names are listed, whatever the numbers say.
  /// - Throws: why it cannot be found out.
  package func run(anew: Bool) throws(RemoteError) {
    let start = clock()
    let isNew = mirror.cursor == nil && mirror.nodes.isEmpty
    let unfit = Array(mirror.unfit.keys.sorted().prefix(Self.unfitLimit))
    switch settings.listing {
    case .owned:
      if !isNew, anew { try checkAll() }
      try listOwned()
      if isNew { try noteListed(start) }
    case .access:
      if mirror.cursor != nil {
        if anew { try checkAll() } else { try listChanges() }
      } else {
        let isResumed = mirror.page != nil
        try listByName()
        if !isResumed {
          try noteListed(start)
        } else if anew {
          try checkAll()
        } else {
          try listChanges()
        }
      }
    }
    try lookAgain(at: unfit.filter { mirror.unfit[$0] != nil })
  }

  /// Reads some nodes, whatever is known of them; what is gone is remembered as that.
  ///
  /// - Parameter ids: the nodes.
  /// - Returns: those that are there.
  /// - Throws: why they cannot be read.
  func read(_ ids: [ObjectID]) throws(RemoteError) -> [ObjectID: PackEntry] {
    var found: [ObjectID: PackEntry] = [:]
    var gone = Set(ids)
    try collection.documents(ids.map(\.text)) { documents throws(RemoteError) in
      for document in documents { ObjectID(text: document.id).map { _ = gone.remove($0) } }
      for node in try reading.take(documents) { found[node.object.id] = node }
    }
    let lost = gone.filter { mirror.nodes[$0] != nil }
    try keeping { () throws(SystemError) in try mirror.lose(lost.sorted()) }
    return found
  }

  /// Reads some nodes, and their ancestors as far as these are not known.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - isHere: whether the store has a node that is an ancestor; it is not read then, nor its ancestors.
  /// - Throws: why they cannot be read.
  func find(_ ids: Set<ObjectID>, _ isHere: (ObjectID) -> Bool) throws(RemoteError) {
    var wanted = ids.filter { mirror.nodes[$0] == nil }
    while !wanted.isEmpty {
      var next: Set<ObjectID> = []
      try collection.documents(wanted.sorted().map(\.text)) { documents throws(RemoteError) in
        for found in try reading.take(documents) {
          next.formUnion(mirror.nodes[found.object.id]?.parents ?? [])
        }
      }
      wanted = next.filter {
        mirror.nodes[$0] == nil && mirror.unfit[$0.text] == nil && !isHere($0)
      }
    }
  }

  // MARK: Ways

  /// Everything, by name.
  private func listByName() throws(RemoteError) {
    var began = mirror.page?.began
    var last = mirror.page?.after
    var newest: Int64?
    while true {
      let page = try collection.page(afterName: last)
      let start = began ?? moment(page)
      began = start
      try reading.take(page.documents)
      newest = Self.newest(newest, page)
      if page.isLast {
        // Where nothing says when it was created, the beginning of the list stands for that.
        try keeping { () throws(SystemError) in try mirror.advance(to: newest ?? start) }
        return
      }
      guard let name = page.documents.last?.id, last.map({ String(name) != $0 }) ?? true else {
        throw Self.goesNowhere
      }
      last = String(name)
      try keeping { () throws(SystemError) in
        try mirror.turn(began: start, after: String(name))
      }
    }
  }

  /// What has changed, as far as the numbers of the service show it.
  private func listChanges() throws(RemoteError) {
    guard let clocks = try collection.clocks() else { return try checkAll() }
    if try isAllKnown(clocks) { return }
    try listSince()
    if try isAllKnown(clocks) { return }
    guard let count = try collection.count(.all) else { return try checkAll() }
    var found = Found()
    let names = mirror.names
    try compare(.all, count, names[...], &found)
    try take(found)
    // What balances in number, such as one that came and one that went, is not found so.
    guard let now = try collection.clocks() else { return try checkAll() }
    if try !isAllKnown(now) { try checkAll() }
  }

  /// Whether the numbers of the service are those of what is known.
  private func isAllKnown(_ there: (count: Int, sum: FirestoreValue)) throws(RemoteError) -> Bool {
    let known = mirror.expected
    guard there.count == known.clocked else { return false }
    switch there.sum {
    case .integer(let sum):
      guard known.doubles == nil, known.sum == Int128(sum) else { return false }
    case .double(let sum):
      // Doubles are summed up in no certain order.
      let own = Double(known.sum) + (known.doubles ?? 0)
      let isClose = (sum - own).magnitude <= own.magnitude * 1e-9
      guard known.doubles != nil || Int64(exactly: known.sum) == nil,
        isClose || sum == own || sum.isNaN && own.isNaN
      else { return false }
    default: return false
    }
    return try collection.count(.all) == known.count
  }

  /// What a comparison of names has shown.
  private struct Found {
    var new: [String] = []
    var gone: [String] = []
  }

  /// Compares a range of names.
  ///
  /// - Parameters:
  ///   - range: the range.
  ///   - there: how many names it has there.
  ///   - known: the names that it has here, in their order.
  ///   - found: receives what is new or gone.
  /// - Throws: why it cannot be found out.
  private func compare(
    _ range: NodeCollection.NameRange, _ there: Int, _ known: ArraySlice<String>,
    _ found: inout Found
  ) throws(RemoteError) {
    guard there != known.count else { return }
    guard there > 0 else {
      found.gone += known
      return
    }
    // What is new has to be read anyway.
    guard there > Self.leafCount, known.count > Self.leafCount else {
      return try list(range, known, &found)
    }
    let place = known.startIndex + known.count / 2
    let middle = known[place]
    let lower = NodeCollection.NameRange(from: range.from, to: middle)
    guard let count = try collection.count(lower) else { return try list(range, known, &found) }
    try compare(lower, count, known[..<place], &found)
    try compare(
      .init(from: middle, to: range.to), max(0, there - count), known[place...], &found)
  }

  /// Lists a range of names.
  private func list(
    _ range: NodeCollection.NameRange, _ known: ArraySlice<String>, _ found: inout Found
  ) throws(RemoteError) {
    var gone = Set(known)
    try forEachName(in: range) { document in
      let name = String(document.id)
      if gone.remove(name) == nil { found.new.append(name) }
    }
    found.gone += gone
  }

  /// Lists names.
  private func forEachName(
    in range: NodeCollection.NameRange, _ body: (FirestoreDocument) -> Void
  ) throws(RemoteError) {
    var last: String?
    while true {
      let page = try collection.names(after: last, in: range)
      for document in page.documents { body(document) }
      guard !page.isLast, let name = page.documents.last.map({ String($0.id) }) else { return }
      guard name != last else { throw Self.goesNowhere }
      last = name
    }
  }

  /// Reads what is new, and forgets what is gone.
  private func take(_ found: Found) throws(RemoteError) {
    let gone = found.gone.compactMap { ObjectID(text: $0) }.filter { mirror.nodes[$0] != nil }
    let unfit = found.gone.filter { mirror.unfit[$0] != nil }
    try keeping { () throws(SystemError) in
      try mirror.lose(gone.sorted())
      try mirror.drop(unfit.sorted())
    }
    try collection.documents(found.new.sorted()) { documents throws(RemoteError) in
      try reading.take(documents)
    }
  }

  /// What was created after the newest that is known.
  private func listSince() throws(RemoteError) {
    guard let cursor = mirror.cursor, let from = FirestoreTimestamp(microseconds: cursor) else {
      return
    }
    var last: FirestoreDocument?
    var newest: Int64?
    while true {
      let page = try collection.page(since: from, after: last)
      try reading.take(page.documents)
      newest = Self.newest(newest, page)
      if page.isLast { break }
      guard let next = page.documents.last, next.name != last?.name else {
        throw Self.goesNowhere
      }
      last = next
    }
    if let newest, newest > cursor {
      try keeping { () throws(SystemError) in try mirror.advance(to: newest) }
    }
  }

  /// When the newest of some documents was created; a time that is still to come says nothing.
  private static func newest(_ known: Int64?, _ page: NodeCollection.Page) -> Int64? {
    let times = page.documents.compactMap { document -> Int64? in
      guard case .timestamp(let time) = document.fields[NodeDocument.createdAtField] else {
        return nil
      }
      return page.readTime.map { time <= $0 } ?? true ? time.microseconds : nil
    }
    return (times + (known.map { [$0] } ?? [])).max()
  }

  /// The nodes that the account's document names and that are not known.
  private func listOwned() throws(RemoteError) {
    let names = try collection.owned().filter { !isKnown($0) }
    try collection.documents(names) { documents throws(RemoteError) in
      try reading.take(documents)
    }
  }

  /// Compares all names with what is known.
  package func checkAll() throws(RemoteError) {
    let start = clock()
    var found = Found()
    var gone = Set(mirror.names)
    var edited: [String] = []
    try forEachName(in: .all) { document in
      let name = String(document.id)
      gone.remove(name)
      guard isKnown(name) else {
        if settings.listing == .access { found.new.append(name) }
        return
      }
      // Nobody may change a node, but somebody has.
      if document.createTime != document.updateTime { edited.append(name) }
    }
    found.gone = Array(gone)
    try take(found)
    try collection.documents(edited) { documents throws(RemoteError) in
      try reading.take(documents)
    }
    try noteListed(start)
  }

  private func noteListed(_ moment: Int64) throws(RemoteError) {
    try keeping { () throws(SystemError) in try mirror.noteListed(at: moment) }
  }

  /// Documents that were unfit: they may be repaired, or gone.
  private func lookAgain(at names: [String]) throws(RemoteError) {
    guard !names.isEmpty else { return }
    var gone = Set(names)
    try collection.documents(names) { documents throws(RemoteError) in
      try reading.take(documents)
      for document in documents { gone.remove(String(document.id)) }
    }
    try keeping { () throws(SystemError) in try mirror.drop(gone.sorted()) }
  }

  // MARK: Parts

  private static let goesNowhere = RemoteError.refused(
    PeerFault(.unexpected, "FIREBASE_003: a list of nodes that goes nowhere"))

  private func isKnown(_ name: String) -> Bool {
    mirror.unfit[name] != nil || ObjectID(text: name).map { mirror.nodes[$0] != nil } ?? false
  }

  /// When an answer was so, in microseconds since 1970.
  private func moment(_ page: NodeCollection.Page) -> Int64 {
    page.readTime?.microseconds ?? clock() * 1_000
  }

  private func keeping(_ body: () throws(SystemError) -> Void) throws(RemoteError) {
    try DocumentReading.keeping(body)
  }
}

extension FirestoreTimestamp {
  /// Microseconds since 1970, what is below cut off.
  var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds) / 1_000 }

  /// The moment this many microseconds after 1970.
  init?(microseconds: Int64) {
    let seconds = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let isBefore = seconds.remainder < 0
    self.init(
      seconds: seconds.quotient - (isBefore ? 1 : 0),
      nanoseconds: (seconds.remainder + (isBefore ? 1_000_000 : 0)) * 1_000)
  }
}
