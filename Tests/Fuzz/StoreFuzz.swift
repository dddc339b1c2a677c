// The files of a store with anything in them, their checksums made again: every reader of them refuses or answers.
//
// The first byte chooses the file, the second how its checksums are made; the rest is what it says.

import Glibc
import RedoCrypto
import RedoObject

@testable import RedoStore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard bytes.count >= 2 else { return 0 }
  let text = Array(bytes[2...])
  let isSealed = bytes[1] & 1 == 0
  switch bytes[0] % 11 {
  case 0: refs(isSealed ? closed(text) : text, journal: nil)
  case 1: refs(nil, journal: isSealed ? header + frames(text) : text)
  case 2: put("reflog", Array("\(Reflog.firstLine)".utf8) + (isSealed ? frames(text) : text))
  case 3: put("received", Array("\(Received.firstLine)".utf8) + (isSealed ? received(text) : text))
  case 4:
    put("archives/list", isSealed ? listed(text) : text)
    if let register = try? ArchiveRegister.read(in: Place.store) {
      precondition((try? ArchiveRegister(register.encoded())) == register, "another list")
    }
    _ = ArchiveCheck.findings(in: Place.store)
    remove("archives/list")
  case 5:
    let name = Digest(bytes: InlineArray(repeating: 7))
    put("cache/index", isSealed ? text + CacheFile.end(of: text) : text)
    if let index = PackIndex.open(in: Place.store, "cache/index", name: name) { ask(index) }
    remove("cache/index")
  case 6:
    put("cache/living", text)
    _ = (LivingNotes.all(in: Place.store), CacheCheck.living(in: Place.store))
    let notes = LivingNotes(in: Place.store)
    _ = notes.contains(ObjectID(digest: Digest(bytes: InlineArray(repeating: 7))))
    remove("cache/living")
  case 7:
    put("config", text)
    _ = try? ConfigParser.parse(text, file: "config", origin: .store(path: "config"))
  case 8:
    put("keys/" + ["identity", "identity.pub", "passphrase", "device"][Int(bytes[1]) % 4], text)
    _ = KeyringCheck.findings(in: Place.store)
    for name in ["identity", "identity.pub", "passphrase", "device"] { remove("keys/" + name) }
  case 9: access(isSealed ? records(text) : text)
  default:
    let log = isSealed ? records(text) : text
    put("firestore/documents", DocumentLog.firstLine + log)
    put("created", log)
    _ = CreatedCheck.findings(in: Place.store)
    if let file = try? Place.store.openFile("firestore/documents", .read, []) {
      _ = try? DocumentLog.scan(file, size: DocumentLog.firstLine.count + log.count) { _, _ in }
    }
    remove("created")
  }
  return 0
}

/// A directory that is a store's, in memory.
private enum Place {
  static let store: Directory = {
    var name = Array("/dev/shm/redo-fuzz-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { preconditionFailure("no directory") }
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for folder in ["archives", "cache", "keys", "firestore"] { mkdir("\(path)/\(folder)", 0o700) }
    guard let directory = try? Directory.open(path) else { preconditionFailure("no directory") }
    return directory
  }()
}

private func put(_ name: String, _ bytes: [UInt8]) {
  let path = "\(Place.store.path)/\(name)"
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  precondition(file >= 0, "no file")
  bytes.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
  close(file)
}

private func remove(_ name: String) { unlink("\(Place.store.path)/\(name)") }

/// What a journal begins with that continues the refs of `refs`.
private let first = RefsHeader.first(
  reflogBytes: Reflog.firstLine.utf8CodeUnitCount,
  receivedBytes: Received.firstLine.utf8CodeUnitCount)
private let header = RefsJournal.header(generation: 1, chain: .zero)

/// Reads refs and all that depends on them; what is not given is that of an empty store.
private func refs(_ refs: [UInt8]?, journal: [UInt8]?) {
  put("reflog", Array("\(Reflog.firstLine)".utf8))
  put("received", Array("\(Received.firstLine)".utf8))
  put("refs", refs ?? closed(Array("0 0".utf8)))
  put("refs.journal", journal ?? header)
  let files = Refs(in: Place.store)
  if var snapshot = try? files.snapshot() {
    try? snapshot.forEach { _ in true }
    try? snapshot.forEach(prefix: "heads/") { _ in true }
    if let name = RefName("heads/a") { _ = try? snapshot.ids(of: name) }
  }
  let check = RefsCheck(in: Place.store)
  _ = ReflogCheck.findings(in: Place.store, check)
  _ = ReceivedCheck(in: Place.store, check)
  _ = try? files.beginRepair(RefsOptions(sync: .none)).diagnosis
}

/// A refs file whose first line has numbers from the text, its sizes right, and whose lines are the rest; closed as blocks
/// are.
private func closed(_ text: [UInt8]) -> [UInt8] {
  var scanner = LineScanner(text, in: 0..<text.count)
  var header = first
  for field in [\RefsHeader.generation, \.refCount, \.entry, \.reflogBytes, \.receivedBytes] {
    if let number = scanner.decimal() { header[keyPath: field] = number }
    _ = scanner.take(" ")
  }
  let lines = text[scanner.position...].prefix(4096)
  let closing = RefBlock.closingCount(generation: header.generation, number: 0)
  for _ in 0..<4 { header.fileBytes = header.line.count + lines.count + closing }
  var bytes = header.line + lines
  RefBlock.close(&bytes, generation: header.generation, number: 0, isLast: true)
  return bytes
}

/// Records separated by line feeds of two, each with its frame and its chain.
private func frames(_ text: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  var chain = Digest.zero
  for part in text.split(separator: 0) {
    var hash = SHA256()
    hash.update(chain.bytes.span)
    hash.update(Array(part).span)
    let next = hash.finalize()
    let payload = Array(part) + Array("chain \(Hex.text(next.bytes.span))\n".utf8)
    chain = next
    bytes += JournalFrame.line(payloadCount: payload.count) + payload
  }
  return bytes
}

/// Frames of the received log, each of a count, a time and ids.
private func received(_ text: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = text[...]
  while rest.count > 8 {
    let words = Array(rest.prefix(8))
    let body = Array(rest.dropFirst(8).prefix(Int(words[7]) % 4 * 32))
    rest = rest.dropFirst(8 + body.count)
    let time = words.prefix(6).reduce(0) { $0 << 8 | Int($1) }
    let count = words[6] < 200 ? body.count / 32 : Int(words[6]) << 24
    var line = [UInt8(ascii: "@")]
    JournalFrame.appendHex(count, digits: 8, to: &line)
    line.append(UInt8(ascii: " "))
    JournalFrame.appendHex(time, digits: 12, to: &line)
    line.append(UInt8(ascii: " "))
    Hex.append(SHA256.digest(of: line.span).bytes.span.extracting(first: 4), to: &line)
    line.append(UInt8(ascii: "\n"))
    let digest = SHA256.digest(of: (line + body).span)
    bytes += line + body
    bytes.append(digest.bytes.span)
  }
  return bytes
}

/// Reads the access lists, from the beginning and from every place that the text may have named.
private func access(_ log: [UInt8]) {
  put("access", Array("redo-access 1\n".utf8) + log)
  let notes = AccessNotes(in: Place.store)
  var found = notes.read()
  _ = notes.update(&found)
  let id = ObjectID(digest: Digest(bytes: InlineArray(repeating: 7)))
  _ = (found[id], found.source(of: id), found.shows(to: "a")(id))
  if let changes = try? notes.changes(since: nil), let place = changes.place {
    precondition(AccessNotes.Place(text: place.text) == place, "another place")
    let rest = try? notes.changes(since: place)
    precondition(rest?.rows.isEmpty == true && rest?.place == place, "rows after the end")
  }
  for end in [1, 16, 63, log.count, .max] {
    let text = "\(end)-\(Hex.text(log.suffix(16).reversed().span).prefix(32))"
    if let place = AccessNotes.Place(text: text) { _ = try? notes.changes(since: place) }
  }
  if let hold = try? notes.hold(RefsOptions(sync: .none)) { _ = try? hold.remove([id]) }
  remove("access")
}

private func listed(_ text: [UInt8]) -> [UInt8] {
  var bytes = Array("redo-archives 1\n".utf8) + text
  let digest = SHA256.digest(of: bytes.span)
  Hex.append(digest.bytes.span, to: &bytes)
  return bytes + [UInt8(ascii: "\n")]
}

private func records(_ text: [UInt8]) -> [UInt8] {
  text.split(separator: 0, omittingEmptySubsequences: false).flatMap {
    RecordReader.record(Array($0))
  }
}

private func ask(_ index: PackIndex) {
  _ = try? index.place(of: ObjectID(digest: Digest(bytes: InlineArray { UInt8($0) })))
  for prefix in ["", "0", "07", "070"] { _ = try? index.ids(prefix: Array(prefix.utf8)) }
  try? index.forEach { _, _ in }
  _ = try? index.idsByFrame()
}
