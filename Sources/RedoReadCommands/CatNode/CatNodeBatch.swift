// The batch modes of redo cat-node: names in, records out, byte for byte like git cat-file --batch.
//
// All names that have arrived are read together, on all processors; a client that sends one name
// and waits gets its answer at once.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore
internal import Synchronization

/// One run of a batch mode.
struct CatNodeBatch {
  private static let batch = OptionSpec(
    "batch", .optional("format"), help: "read names; show each object with its contents")
  private static let batchCheck = OptionSpec(
    "batch-check", .optional("format"), help: "read names; show each object without contents")
  private static let batchCommand = OptionSpec(
    "batch-command", .optional("format"),
    help: "read commands: contents <id>, info <id>, flush")
  private static let allObjects = OptionSpec(
    "batch-all-objects", help: "take all objects of the store instead of names")
  private static let buffer = OptionSpec(
    "buffer", help: "let answers wait until there are many, or until 'flush'")
  private static let strict = OptionSpec(
    "strict", help: "exit 1 if any object is missing, ambiguous or corrupt")
  private static let filterOption = OptionSpec(
    "filter", .required("filter"),
    help: "leave out objects: object:type=<kind>, blob:none or blob:limit=<n>")
  private static let nulBoth = OptionSpec(letter: "Z", help: "names and answers end in NUL")

  /// The options of the batch modes.
  static var options: [OptionSpec] {
    [
      batch, batchCheck, batchCommand, allObjects, filterOption, buffer, strict, .nulInput, nulBoth,
    ]
  }

  private enum Mode { case contents, info, commands }

  private let mode: Mode
  private let format: Format<ObjectAtom>
  private let isDefaultFormat: Bool
  private let splitsRest: Bool
  private let showsSource: Bool
  private let filter: ObjectFilter
  private let takesAll: Bool
  private let isBuffered: Bool
  private let isStrict: Bool
  private let inputEnd: UInt8
  private let outputEnd: UInt8
  private let texts = Texts()

  /// Buffers for texts that have been written: they are reused, because new memory costs more than filling it.
  ///
  /// A class, because the threads share it.
  private final class Texts: Sendable {
    let free = Mutex<[[UInt8]]>([])
  }

  /// How many objects are read together: several frames of a pack in its order for each processor.
  private static let batchCount = 8192
  /// Objects above this size are not kept in memory together with others.
  private static let sharedSizeLimit = 1 << 15

  /// The batch mode that was asked for, if any.
  init?(_ options: ParsedOptions) throws {
    let modes = [Self.batch, Self.batchCheck, Self.batchCommand]
    guard let spec = try options.only(oneOf: modes) else {
      let others = [
        Self.allObjects, Self.filterOption, Self.buffer, Self.strict, .nulInput, Self.nulBoth,
      ]
      for other in others where options.has(other) {
        throw CommandError.usage("'\(other.spelling)' requires a batch mode")
      }
      return nil
    }
    guard options.arguments.isEmpty else {
      throw CommandError.usage("batch modes take names from standard input, not as arguments")
    }
    mode =
      spec.isSame(as: Self.batch)
      ? .contents : spec.isSame(as: Self.batchCheck) ? .info : .commands
    let text = options.value(spec)
    format = try Format(
      text ?? "%(objectname) %(objecttype) %(objectsize)", atoms: ObjectAtom.ofAllKinds)
    isDefaultFormat = text == nil
    splitsRest = format.contains { if case .rest = $0 { true } else { false } }
    showsSource = format.contains { if case .source = $0 { true } else { false } }
    filter = try options.value(Self.filterOption).map { try ObjectFilter($0) } ?? .none
    takesAll = options.has(Self.allObjects)
    isBuffered = options.has(Self.buffer)
    isStrict = options.has(Self.strict)
    let nul = options.has(Self.nulBoth)
    inputEnd = nul || options.has(.nulInput) ? 0 : UInt8(ascii: "\n")
    outputEnd = nul ? 0 : UInt8(ascii: "\n")
    if takesAll, mode == .commands {
      throw CommandError.usage(
        "'--batch-all-objects' and '--batch-command' cannot be used together")
    }
  }

  /// Answers everything that is asked.
  func run(_ context: inout Context) throws -> Exit {
    let store = try context.effects.openObjects()
    Allocator.keepFreed()
    var hasTrouble = false
    if takesAll {
      try runAll(store, &context, &hasTrouble)
    } else {
      try runInput(store, &context, &hasTrouble)
    }
    return hasTrouble && isStrict ? .no : .ok
  }

  private func runAll(
    _ store: ObjectStore, _ context: inout Context, _ hasTrouble: inout Bool
  ) throws {
    let ids = try store.list(prefix: "")
    var ahead: Work?
    for start in stride(from: 0, to: ids.count, by: Self.batchCount) {
      let requests = ids[start..<min(start + Self.batchCount, ids.count)].map { id in
        Request(name: 0..<0, rest: 0..<0, showsContents: mode == .contents, id: id)
      }
      let next = begin(requests, [], store)
      try finish(&ahead, store, &context, &hasTrouble)
      ahead = next
    }
    try finish(&ahead, store, &context, &hasTrouble)
  }

  private func runInput(
    _ store: ObjectStore, _ context: inout Context, _ hasTrouble: inout Bool
  ) throws {
    var reader = context.nameBatches(of: Self.batchCount, end: inputEnd)
    var ahead: Work?
    while true {
      // Send the pending answers before waiting for further names.
      if ahead != nil, !reader.hasRecord() {
        try finish(&ahead, store, &context, &hasTrouble)
        if !isBuffered { try context.output.flush() }
      }
      guard let batch = try reader.next() else { break }
      var requests: [Request] = []
      for record in batch.records {
        guard !isFlush(record, in: batch.bytes) else {
          var rest: Work? = begin(requests, batch.bytes, store)
          requests = []
          try finish(&ahead, store, &context, &hasTrouble)
          try finish(&rest, store, &context, &hasTrouble)
          try context.output.flush()
          continue
        }
        do {
          requests.append(try request(record, in: batch.bytes))
        } catch {
          try finish(&ahead, store, &context, &hasTrouble)
          throw error
        }
      }
      let next = begin(requests, batch.bytes, store)
      try finish(&ahead, store, &context, &hasTrouble)
      ahead = next
    }
    try finish(&ahead, store, &context, &hasTrouble)
    if !isBuffered { try context.output.flush() }
  }

  /// One object that is asked for.
  private struct Request: Sendable {
    /// The range of its name in the bytes of the batch, and the range of what follows the name.
    let name: Range<Int>
    let rest: Range<Int>
    let showsContents: Bool
    /// Its id, if it was not asked for by name.
    let id: ObjectID?
  }

  private func isFlush(_ record: LineRecord, in bytes: [UInt8]) -> Bool {
    mode == .commands && bytes[record.range].elementsEqual("flush".utf8)
  }

  private func request(
    _ record: LineRecord, in bytes: [UInt8]
  ) throws -> Request {
    guard record.state != .tooLong else {
      throw CommandError.fatal(
        "line \(record.number) of '<stdin>' is longer than \(Context.nameByteLimit) bytes")
    }
    let line = bytes[record.range]
    var name = line
    var showsContents = mode == .contents
    if mode == .commands {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      switch words.first.map({ String(decoding: $0, as: UTF8.self) }) {
      case "contents" where words.count == 2: showsContents = true
      case "info" where words.count == 2: break
      default:
        throw CommandError.fatal(
          "line \(record.number) of '<stdin>' is no command: '\(Escape.text(line))'")
      }
      name = words[1]
    }
    var rest: ArraySlice<UInt8> = []
    if splitsRest, let blank = name.firstIndex(where: Self.isBlank) {
      rest = name[blank...].drop(while: Self.isBlank)
      name = name[..<blank]
    }
    return Request(
      name: name.indices, rest: rest.indices, showsContents: showsContents, id: nil)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// The result that a thread found for a request.
  private enum Answer: Sendable {
    case text
    /// Its filter leaves the object out.
    case excluded
    case trouble(StaticString)
    case large
    case failure(StoreError)
    case refused(CommandError)
  }

  /// The results that a thread found for neighbouring requests: texts in sequence, up to the first other result.
  private struct Part: Sendable {
    var text: [UInt8] = []
    var hasTrouble = false
    /// The request whose answer ends the part, if that answer is not a text.
    var last: (request: Request, answer: Answer)?
  }

  /// Requests that are being answered.
  private struct Work {
    let requests: [Request]
    /// The bytes that contain their names.
    let bytes: [UInt8]
    /// The results; `nil` when there are too few requests to be worth a separate thread.
    let parts: Ahead<[[Part]]>?
  }

  /// Below this number of requests, one thread answers them without any work ahead.
  private static let fewRequests = 8

  /// Starts to answer requests while the next ones are read and the previous ones are written.
  private func begin(_ requests: [Request], _ bytes: [UInt8], _ store: ObjectStore) -> Work {
    guard requests.count >= Self.fewRequests else {
      return Work(requests: requests, bytes: bytes, parts: nil)
    }
    return Work(
      requests: requests, bytes: bytes, parts: Ahead { parts(of: requests, bytes, store) })
  }

  /// The results for requests.
  private func parts(
    of requests: [Request], _ bytes: [UInt8], _ store: ObjectStore
  ) -> [[Part]] {
    let threads = requests.count < Self.fewRequests ? 1 : Threads.processorCount
    // Neighbours are often in the same frame of a pack: one thread reads them while other threads read other frames.
    let step = max(1, (requests.count + 4 * threads - 1) / (4 * threads))
    let ranges = stride(from: 0, to: requests.count, by: step).map {
      $0..<min($0 + step, requests.count)
    }
    return Threads.parallelMap(
      ranges, threads: threads, makeState: { NodeReader() }
    ) { reader, range in
      parts(requests[range], bytes, store, &reader)
    }
  }

  /// Writes the answers to requests once they have been found.
  ///
  /// - Parameters:
  ///   - work: the requests, if there are any; afterwards there are none.
  ///   - store: where objects are.
  ///   - context: receives the answers.
  ///   - hasTrouble: becomes true when an answer is not an object.
  /// - Throws: the errors of reading and writing.
  private func finish(
    _ work: inout Work?, _ store: ObjectStore, _ context: inout Context,
    _ hasTrouble: inout Bool
  ) throws {
    guard let last = work.take() else { return }
    let bytes = last.bytes
    let answers = last.parts?.value() ?? parts(of: last.requests, bytes, store)
    for part in answers.joined() {
      try context.output.write(part.text)
      texts.free.withLock { $0.append(part.text) }
      if part.hasTrouble { hasTrouble = true }
      guard let (request, first) = part.last else { continue }
      var found = first
      if case .large = found {
        var reader = NodeReader()
        var text: [UInt8] = []
        found = answer(request, bytes, store, &reader, limit: .max, to: &text)
        try context.output.write(text)
      }
      switch found {
      case .text, .large, .excluded: break
      case .trouble(let word):
        hasTrouble = true
        try context.output.append { output throws in
          append(word, for: request, bytes, to: &output)
        }
      case .failure(let error): throw CommandError.fatal(error)
      case .refused(let error): throw error
      }
    }
  }

  private func append(
    _ word: StaticString, for request: Request, _ bytes: [UInt8], to output: inout [UInt8]
  ) {
    if let id = request.id { id.append(to: &output) }
    output.append(bytes.span, request.name)
    output.append(UInt8(ascii: " "))
    output.append(word)
    output.append(outputEnd)
  }

  private func parts(
    _ requests: ArraySlice<Request>, _ bytes: [UInt8], _ store: ObjectStore,
    _ reader: inout NodeReader
  ) -> [Part] {
    var parts: [Part] = []
    var part = Part(text: texts.free.withLock { $0.popLast() } ?? [])
    part.text.removeAll(keepingCapacity: true)
    for request in requests {
      let found = answer(
        request, bytes, store, &reader, limit: Self.sharedSizeLimit, to: &part.text)
      switch found {
      case .text: continue
      case .excluded:
        // What nobody asked for by name needs no answer.
        if request.id == nil { append("excluded", for: request, bytes, to: &part.text) }
      case .trouble(let word):
        part.hasTrouble = true
        append(word, for: request, bytes, to: &part.text)
      case .large, .failure, .refused:
        part.last = (request, found)
        parts.append(part)
        part = Part()
      }
    }
    parts.append(part)
    return parts
  }

  /// Appends the answer to a request, if it is a text.
  private func answer(
    _ request: Request, _ bytes: [UInt8], _ store: ObjectStore, _ reader: inout NodeReader,
    limit: Int, to output: inout [UInt8]
  ) -> Answer {
    do {
      // A span, not a slice: threads that share a slice of the bytes would contend for its reference count.
      var id = request.id ?? ObjectID(ascii: bytes.span.extracting(request.name))
      if id == nil {
        switch try ObjectName.resolve(bytes[request.name], in: store) {
        case .id(let found): id = found
        case .ambiguous: return .trouble("ambiguous")
        case .missing, .malformed: return .trouble("missing")
        }
      }
      guard let id else { return .trouble("missing") }
      do throws(StoreError) {
        guard let object = try store.read(id, &reader.workspace) else {
          return .trouble("missing")
        }
        guard filter.admits(object) else { return .excluded }
        guard object.canonical.count <= limit else { return .large }
        let source = showsSource ? try store.source(of: id) : nil
        render(object, request, bytes, source, &reader, to: &output)
        return .text
      } catch {
        if case .corrupt = error { return .trouble("corrupt") }
        if case .offline = error { return .trouble("archived-offline") }
        return .failure(error)
      }
    } catch {
      let error = CommandError(error)
      return .refused(error)
    }
  }

  private func render(
    _ object: StoredObject, _ request: Request, _ bytes: [UInt8], _ source: String?,
    _ reader: inout NodeReader, to output: inout [UInt8]
  ) {
    if isDefaultFormat {
      object.id.append(to: &output)
      output.append(UInt8(ascii: " "))
      output.append(object.kind.name)
      output.append(UInt8(ascii: " "))
      output.append(decimal: Int64(ObjectRow.size(of: object)))
    } else {
      let needsNode = format.contains { $0.needsNode }
      var row = ObjectRow(
        object: object, node: needsNode ? reader.decode(object) : nil, rest: bytes[request.rest],
        isRaw: outputEnd == 0)
      if needsNode { row.note(object, &reader) }
      row.source = source
      format.append(to: &output) { atom, output in row.append(atom, to: &output) }
    }
    output.append(outputEnd)
    if request.showsContents {
      object.appendContents(to: &output)
      output.append(outputEnd)
    }
  }
}
