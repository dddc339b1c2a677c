// Records of the log of documents: what is written is read back, whatever it is; what is changed is refused or answers
// every question that the server asks.
//
// The first byte chooses: documents, whose lengths and checks are made; entries as they are; a document with these members
// held.

import FirestoreModel
import RedoObject

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let kind = bytes.first else { return 0 }
  let text = Array(bytes.dropFirst())
  switch kind % 3 {
  case 0: written(text)
  case 1: read(text)
  default:
    var record: [UInt8] = []
    let row = DocumentRow(
      key: DocumentKey(Array("nodes/a".utf8)), created: 0, updated: 0, place: .node,
      fate: .untried, held: HeldMembers(bytes: text))
    _ = DocumentRecord.append(row, fields: [], to: &record)
    read(record)
  }
  return 0
}

/// Documents, one after the other: each begins with 1 byte, how long its path is, and 2, how many are held; 10 bytes of
/// times follow the path.
private func written(_ text: [UInt8]) {
  var rest = text[...]
  var record: [UInt8] = []
  var rows: [(row: DocumentRow, fields: [UInt8], range: Range<Int>)] = []
  while rest.count > 13 {
    let words = Array(rest.prefix(3))
    rest = rest.dropFirst(3)
    let path = Array(rest.prefix(Int(words[0])))
    rest = rest.dropFirst(path.count)
    let times = Array(rest.prefix(10))
    rest = rest.dropFirst(times.count)
    let held = Array(rest.prefix(Int(words[1]) << 8 | Int(words[2])))
    rest = rest.dropFirst(held.count)
    let fields = Array(rest.prefix(64))
    rest = rest.dropFirst(fields.count)
    let row = DocumentRow(
      key: DocumentKey(path), created: time(times.prefix(5)), updated: time(times.suffix(5)),
      place: .node, fate: .untried, held: HeldMembers(bytes: held))
    let range = DocumentRecord.append(row, fields: fields, to: &record)
    rows.append((row, fields, range))
  }
  let isWhole = rows.allSatisfy {
    $0.row.held.bytes.count <= HeldMembers.byteLimit
      && FirestoreTimestamp.microseconds.contains($0.row.created)
      && FirestoreTimestamp.microseconds.contains($0.row.updated)
  }
  var found: [(row: DocumentRow, range: Range<Int>)] = []
  do {
    try DocumentRecord.read(record) { entry in
      guard case .document(let row, let offset, let count) = entry else {
        preconditionFailure("another entry")
      }
      found.append((row, offset..<offset + count))
    }
    precondition(isWhole && found.count == rows.count, "other documents")
  } catch {
    precondition(!isWhole, "what was written is not read")
    return
  }
  for (one, other) in zip(rows, found) {
    precondition(one.row.key == other.row.key && one.range == other.range, "another document")
    precondition(
      one.row.created == other.row.created && one.row.updated == other.row.updated
        && one.row.held.bytes == other.row.held.bytes, "another document")
    var bytes = Array(record[one.range])
    precondition((try? DocumentRecord.fields(bytes)).map(Array.init) == one.fields, "other fields")
    bytes[bytes.count / 2] ^= 1
    precondition((try? DocumentRecord.fields(bytes)) == nil, "a damaged document is read")
  }
  read(record)
}

/// Microseconds: a byte that tells how far the others are shifted.
private func time(_ bytes: ArraySlice<UInt8>) -> Int64 {
  let number = bytes.dropFirst().reduce(Int64(0)) { $0 << 8 | Int64($1) }
  return number << Int64((bytes.first ?? 0) % 64)
}

/// Reads a record as the server does, and asks what it asks.
private func read(_ record: [UInt8]) {
  var table = DocumentTable()
  var readers: Set<[UInt8]> = []
  var last: Int64 = 0
  try? DocumentRecord.read(record) { entry in
    switch entry {
    case .document(var row, let offset, let count):
      row.place = .log(offset: offset, count: count)
      last = max(last, row.updated)
      _ = try? DocumentRecord.fields(Array(record[offset..<offset + count]))
      for place in HeldMembers.paths.indices { _ = row.held.value(place) }
      readers.formUnion(row.held.readers)
      _ = (row.held.createdAt, row.key.id, row.key.collection, row.key.names)
      _ = FirestoreTimestamp(microseconds: row.created).text
      table.put(row)
    case .deletion(let key): table.remove(key)
    case .fates(let fate, let ids): for id in ids { table.set(fate, id) }
    }
  }
  _ = FirestoreTimestamp(microseconds: last + 1).text
  for reader in readers {
    for row in table.readable(by: reader) { _ = row.held.isReadable(by: reader) }
  }
  var bytes = 0
  for row in table.all { if case .log(_, let count) = row.place { bytes += count } }
  precondition(bytes == table.loggedBytes, "another sum")
}
