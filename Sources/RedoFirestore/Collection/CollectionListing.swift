// Finds out which documents there are: everything once, and afterwards what is new.
//
// Times of creation are not in the order in which commits become visible, so a run begins a little before the time
// of the last one. A document without a time of creation is found by name, in the first run and when everything is looked at anew.

internal import FirestoreModel
internal import RedoObject
package import RedoRemote
internal import RedoStore

/// Brings a mirror up to date.
package struct CollectionListing {
  /// How long a commit may take to be seen, in microseconds.
  private static let overlap: Int64 = 120_000_000
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

  /// Looks for what is new.
  ///
  /// - Parameter anew: whether all of it is looked at again.
  /// - Throws: why it cannot be found out; the fault `changed` when something is gone.
  package func run(anew: Bool) throws(RemoteError) {
    let isNew = mirror.cursor == nil && mirror.nodes.isEmpty
    let unfit = Array(mirror.unfit.keys.sorted().prefix(Self.unfitLimit))
    switch settings.listing {
    case .owned:
      if !isNew, anew || mirror.isDoubtful { try checkAll() }
      try listOwned()
    case .access:
      if mirror.cursor != nil {
        if anew || mirror.isDoubtful { try checkAll() } else { try listSince() }
      } else {
        let isResumed = mirror.page != nil
        try listByName()
        if isResumed { try listSince() }
      }
    }
    try lookAgain(at: unfit)
  }

  // MARK: Ways

  /// Everything, by name.
  private func listByName() throws(RemoteError) {
    var began = mirror.page?.began
    var last = mirror.page?.after
    while true {
      let page = try collection.page(afterName: last)
      let start = began ?? moment(page)
      began = start
      try reading.take(page.documents)
      if page.isLast {
        try keeping { () throws(SystemError) in try mirror.advance(to: start - Self.overlap) }
        return
      }
      guard let name = page.documents.last?.id, last.map({ String(name) != $0 }) ?? true else {
        throw .refused(PeerFault(.unexpected, "FIREBASE_003: a list of nodes that goes nowhere"))
      }
      last = String(name)
      try keeping { () throws(SystemError) in
        try mirror.turn(began: start, after: String(name))
      }
    }
  }

  /// What was created since the cursor.
  private func listSince() throws(RemoteError) {
    guard let cursor = mirror.cursor, let from = FirestoreTimestamp(microseconds: cursor) else {
      return
    }
    var last: FirestoreDocument?
    var began: Int64?
    while true {
      let page = try collection.page(from: from, after: last)
      began = began ?? moment(page)
      try reading.take(page.documents)
      if page.isLast { break }
      guard let next = page.documents.last, next.name != last?.name else {
        throw .refused(PeerFault(.unexpected, "FIREBASE_003: a list of nodes that goes nowhere"))
      }
      last = next
    }
    let next = (began ?? cursor) - Self.overlap
    // The clock of the service may have been set back; what was seen stays seen.
    if next > cursor {
      try keeping { () throws(SystemError) in try mirror.advance(to: next) }
    }
  }

  /// The nodes that the account's document names and that are not known.
  private func listOwned() throws(RemoteError) {
    let names = try collection.owned().filter { !isKnown($0) }
    try collection.documents(names) { documents throws(RemoteError) in
      try reading.take(documents)
    }
  }

  /// Compares all names with what is known: if something is gone, the run must not go on.
  package func checkAll() throws(RemoteError) {
    var there: Set<String> = []
    var edited: [String] = []
    switch settings.listing {
    case .access:
      var last: String?
      while true {
        let page = try collection.names(after: last)
        for document in page.documents {
          let name = String(document.id)
          there.insert(name)
          // Nobody may change a node, but somebody has.
          if document.createTime != document.updateTime, isKnown(name) { edited.append(name) }
        }
        guard !page.isLast, let name = page.documents.last?.id else { break }
        last = String(name)
      }
    case .owned: there = Set(try collection.owned())
    }
    var gone = Set(mirror.nodes.keys.lazy.map(\.text).filter { !there.contains($0) })
    // What a list does not show may be there nevertheless.
    try collection.documents(gone.sorted()) { documents throws(RemoteError) in
      try reading.take(documents)
      for document in documents { gone.remove(String(document.id)) }
    }
    try keeping { () throws(SystemError) in try mirror.doubt(!gone.isEmpty) }
    if let first = gone.min() { throw changed(gone.count, first) }
    let new = there.filter { !isKnown($0) }.sorted()
    try collection.documents(edited + new) { documents throws(RemoteError) in
      try reading.take(documents)
    }
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

  /// The report when documents are gone.
  private func changed(_ count: Int, _ first: String) -> RemoteError {
    let database = settings.database
    return .refused(
      PeerFault(
        .changed,
        "\(count) node\(count == 1 ? "" : "s") of the account '\(settings.account.text)' in "
          + "'\(database.project)' that \(count == 1 ? "was" : "were") there "
          + "\(count == 1 ? "is" : "are") not there any more, the first is \(first)"))
  }

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
