// What is read of documents: queries, batches, lists, one by one.

internal import CanonicalJSON
internal import FirestoreModel
internal import NIOConcurrencyHelpers
internal import RedoStore

extension FirestoreService {
  /// How many documents are read together.
  private static let batchCount = 128

  static func query(
    _ work: FirestoreWork, _ parent: [String], _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    var consistency = ReadConsistency.present
    let query = try parsed(body) { (json) throws(FirestoreFormatError) in
      consistency = try ReadConsistency(json)
      guard let query = json.given("structuredQuery") else { throw json.fault("no query") }
      return try StructuredQuery(query)
    }
    try refuseGroups(query, parent, work)
    let plan = try QueryPlan(query, parent: parent, work.request.database)
    let reading = try Reading(consistency, work)
    let rows = try work.store.rows(of: plan, for: work.caller)
    try reading.note(.query(plan), rows)
    try send(
      rows.map { ($0.key, $0) }, work, mask: query.select, member: "document", reading, answer)
  }

  /// A query that the rules refuse is refused whatever else is wrong with it.
  private static func refuseGroups(
    _ query: StructuredQuery, _ parent: [String], _ work: FirestoreWork
  ) throws(FirestoreError) {
    guard work.caller.isAdmin || parent.isEmpty && !query.from.contains(where: \.isGroup) else {
      throw FirestoreRules.refusal
    }
  }

  /// Numbers about a query: about what its client may see, as the query itself.
  static func aggregate(
    _ work: FirestoreWork, _ parent: [String], _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    var consistency = ReadConsistency.present
    let request = try parsed(body) { (json) throws(FirestoreFormatError) in
      consistency = try ReadConsistency(json)
      guard let query = json.given("structuredAggregationQuery") else {
        throw json.fault("no query")
      }
      return try AggregationQuery(query)
    }
    try refuseGroups(request.query, parent, work)
    let plan = try QueryPlan(
      request.query, parent: parent, work.request.database,
      requiring: request.aggregations.compactMap(\.kind.field))
    let reading = try Reading(consistency, work)
    let rows = try work.store.rows(of: plan, for: work.caller)
    try reading.note(.query(plan), rows)
    let numbers = try AggregationRun.numbers(request.aggregations, of: rows) {
      (row, field) throws(FirestoreError) in
      if plan.asksNodes, let place = HeldMembers.paths.firstIndex(of: field) {
        return row.held.value(place).flatMap(OrderedValue.number)
      }
      return try work.store.fields(of: row)[field]
    }
    var json = JSONWriter()
    json.array { json in
      if let id = reading.newID { json.object { $0.add("transaction", id) } }
      json.object { json in
        json.addObject("result") { $0.add("aggregateFields", numbers) }
        json.add("readTime", now())
      }
    }
    answer.send(json.bytes)
  }

  static func batchGet(
    _ work: FirestoreWork, _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    var consistency = ReadConsistency.present
    let request = try parsed(body) { (json) throws(FirestoreFormatError) in
      consistency = try ReadConsistency(json)
      return try BatchGetRequest(json)
    }
    var keys: [DocumentKey] = []
    var seen: Set<DocumentKey> = []
    for text in request.documents {
      guard let name = DocumentName(text: text), name.database == work.request.database else {
        throw FirestoreError(
          .invalidArgument, "'\(text)' is no document of '\(work.request.database.text)'")
      }
      if seen.insert(DocumentKey(name)).inserted { keys.append(DocumentKey(name)) }
    }
    let reading = try Reading(consistency, work)
    let rows = work.store.state.withLockedValue { state in keys.map { state.table[$0] } }
    guard zip(keys, rows).allSatisfy({ FirestoreRules.allowsRead(work.caller, $0, $1) }) else {
      throw FirestoreRules.refusal
    }
    try reading.note(.documents(keys), rows)
    try send(
      zip(keys, rows).map { ($0, $1) }, work, mask: request.mask, member: "found", reading, answer)
  }

  static func list(
    _ work: FirestoreWork, _ collection: [String], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    guard work.caller.isAdmin else { throw FirestoreRules.refusal }
    guard try work.request.consistency() == .present else {
      throw FirestoreError(.unimplemented, "a list in a transaction; ':runQuery' reads in one")
    }
    guard work.request.parameter("orderBy") == nil else {
      throw FirestoreError(.unimplemented, "documents are listed by name; ':runQuery' orders them")
    }
    var size = pageSize
    if let text = work.request.parameter("pageSize") {
      guard let number = Int(text), number >= 0 else {
        throw FirestoreError(.invalidArgument, "'pageSize' is no count")
      }
      if number > 0 { size = min(number, pageLimit) }
    }
    let path = Array(collection.joined(separator: "/").utf8)
    let after = work.request.parameter("pageToken").map { Array($0.utf8) }
    let rows = work.store.state.withLockedValue { state in
      state.table.all.filter { row in
        guard row.key.collection == path else { return false }
        return after.map { $0.lexicographicallyPrecedes(row.key.id) } ?? true
      }
    }.sorted { $0.key < $1.key }
    let mask = try work.request.mask("mask")
    var json = JSONWriter()
    try json.object { (json) throws(FirestoreError) in
      if !rows.isEmpty {
        try json.addArray("documents") { (json) throws(FirestoreError) in
          for row in rows.prefix(size) { json.value(json: try document(row, work, mask: mask)) }
        }
      }
      if rows.count > size {
        json.add("nextPageToken", String(decoding: rows[size - 1].key.id, as: UTF8.self))
      }
    }
    answer.send(json.bytes)
  }

  /// The collections below a document, by their ids: for admins, as at Google's service.
  static func listCollections(
    _ work: FirestoreWork, _ parent: [String], _ body: [UInt8], _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    guard work.caller.isAdmin else { throw FirestoreRules.refusal }
    var size = pageLimit
    var after = ""
    if !body.isEmpty {
      try parsed(body) { (json) throws(FirestoreFormatError) in
        guard json.isObject else { throw json.fault("a request that is no object") }
        if json.given("readTime") != nil { throw json.fault("a time of reading") }
        after = json.given("pageToken")?.string ?? ""
        guard let given = json.given("pageSize") else { return }
        guard let number = given.protoInteger, number >= 0 else { throw given.fault("no count") }
        if number > 0 { size = min(Int(number), pageLimit) }
      }
    }
    let prefix = parent.isEmpty ? [] : Array(parent.joined(separator: "/").utf8) + [slash]
    var found: Set<[UInt8]> = []
    work.store.state.withLockedValue { state in
      for row in state.table.all {
        let path = row.key.path
        guard path.starts(with: prefix) else { continue }
        found.insert(Array(path[prefix.count...].prefix { $0 != slash }))
      }
    }
    let ids = found.sorted { $0.lexicographicallyPrecedes($1) }
      .filter { Array(after.utf8).lexicographicallyPrecedes($0) }
      .map { String(decoding: $0, as: UTF8.self) }
    var json = JSONWriter()
    json.object { json in
      if !ids.isEmpty { json.add("collectionIds", ids.prefix(size)) }
      if ids.count > size { json.add("nextPageToken", ids[size - 1]) }
    }
    answer.send(json.bytes)
  }

  private static let slash = UInt8(ascii: "/")

  // MARK: Answers

  private static func now() -> String {
    FirestoreTimestamp(microseconds: SystemClock.wallMicroseconds()).text
  }

  /// A document as JSON.
  static func document(
    _ row: DocumentRow, _ work: FirestoreWork, mask: [FieldPath]?
  ) throws(FirestoreError) -> [UInt8] {
    var json = JSONWriter()
    try write(row, try work.store.json(of: row).get(), work, mask: mask, to: &json)
    return json.bytes
  }

  private static func write(
    _ row: DocumentRow, _ fields: [UInt8], _ work: FirestoreWork, mask: [FieldPath]?,
    to json: inout JSONWriter
  ) throws(FirestoreError) {
    try json.object { (json) throws(FirestoreError) in
      json.add("name", work.request.database.documents + "/" + row.key.text)
      if let mask {
        let all = try parsed(fields) { (json) throws(FirestoreFormatError) in
          try FirestoreFields(json)
        }
        var chosen = FirestoreFields()
        for path in mask where !path.isDocumentName {
          if let value = all[path] { chosen.set(value, at: path) }
        }
        if !chosen.isEmpty { json.add("fields", chosen) }
      } else if fields.count > 2 {
        json.add("fields", json: fields)
      }
      json.add("createTime", FirestoreTimestamp(microseconds: row.created).text)
      json.add("updateTime", FirestoreTimestamp(microseconds: row.updated).text)
    }
  }

  /// Sends rows as an array; an error that comes when some have left is its last element.
  private static func send(
    _ rows: [(key: DocumentKey, row: DocumentRow?)], _ work: FirestoreWork, mask: [FieldPath]?,
    member: StaticString, _ reading: Reading, _ answer: FirestoreAnswer
  ) throws(FirestoreError) {
    let time = now()
    var isFirst = true
    answer.begin()
    answer.write(Array("[".utf8))
    if let id = reading.newID {
      var element = JSONWriter()
      element.object { $0.add("transaction", id) }
      answer.write(element.bytes)
      isFirst = false
    }
    if rows.isEmpty {
      var element = JSONWriter()
      element.object { $0.add("readTime", time) }
      answer.write((isFirst ? [] : [UInt8(ascii: ",")]) + element.bytes)
    }
    do throws(FirestoreError) {
      for start in stride(from: 0, to: rows.count, by: batchCount) {
        guard answer.failure == nil else { return }
        let part = rows[start..<min(start + batchCount, rows.count)]
        let fields = work.store.json(of: part.compactMap(\.row))
        for (key, row) in part {
          var element = JSONWriter()
          try element.object { (json) throws(FirestoreError) in
            if let row {
              json.name(member)
              guard let own = fields[row.key] else {
                throw FirestoreError(.unavailable, "'\(row.key.text)' cannot be read now")
              }
              try write(row, try own.get(), work, mask: mask, to: &json)
            } else {
              json.add("missing", work.request.database.documents + "/" + key.text)
            }
            json.add("readTime", time)
          }
          answer.write((isFirst ? [] : [UInt8(ascii: ",")]) + element.bytes)
          isFirst = false
        }
      }
    } catch {
      guard answer.hasLeft else {
        answer.takeBack()
        throw error
      }
      var element: [UInt8] = isFirst ? [] : [UInt8(ascii: ",")]
      error.appendJSON(to: &element)
      answer.write(element)
    }
    answer.write([UInt8(ascii: "]")])
    answer.flush()
  }
}
