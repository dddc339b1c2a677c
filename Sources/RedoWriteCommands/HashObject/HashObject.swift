// redo hash-object: computes the ids of nodes and blobs, and writes them to the store (in the manner of git
// hash-object).

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo hash-object [-w [--update-heads]] [-t <kind>] (--stdin | --stdin-paths | --ndjson | <file>...)`.
enum HashObject: Command {
  static let name = "hash-object"
  static let summary = "print the id of a node, receipt, schema or blob, and store it"
  static var usage: [String] {
    [
      "redo-hash-object [-w [--update-heads]] [-t <kind>] [--profile=<profile>]\n"
        + "                 [--cid] [--signature=<base64>] [--explain] [--stdin] [--] <file>...",
      "redo-hash-object [-w [--update-heads]] [-t <kind>] [--profile=<profile>]\n"
        + "                 [--cid] --stdin-paths [-z]",
      "redo-hash-object [-w [--update-heads]] [-t <kind>] [--profile=<profile>]\n"
        + "                 [--cid] --ndjson [--batch-verdicts]",
    ]
  }

  static let write = OptionSpec(letter: "w", help: "write the object into the store")
  static let updateHeads = OptionSpec(
    "update-heads", help: "check the parents, and move the heads to the new nodes")
  static let kind = OptionSpec(
    letter: "t", .required("kind"),
    help: "what the bytes are: node (default), receipt, schema or blob")
  static let explain = OptionSpec(
    "explain", help: "print the stated and the computed id, and the canonical bytes")
  static let signature = OptionSpec(
    "signature", .required("base64"), help: "the signature of the only receipt")
  static let cid = OptionSpec("cid", help: "print CIDs instead of ids")
  static let stdin = OptionSpec("stdin", help: "read the object from standard input")
  static let stdinPaths = OptionSpec(
    "stdin-paths", help: "read the paths of files from standard input")
  static let ndjson = OptionSpec(
    "ndjson",
    help: "read an object a line from standard input; with -w all are written, or none")
  static let batchVerdicts = OptionSpec(
    "batch-verdicts", help: "with --ndjson, answer each line with its verdict instead")
  static var options: [OptionSpec] {
    [
      write, updateHeads, kind, .profile, signature, cid, explain, stdin, stdinPaths, ndjson,
      batchVerdicts,
      .nulInput,
    ]
  }

  /// The requested work.
  struct Request {
    let kind: ObjectKind
    let profile: Profile
    let writes: Bool
    let updatesHeads: Bool
    let explains: Bool
    let printsCIDs: Bool
    let signature: Signature?

    /// Whether signatures must be verified.
    var verifies: Bool { writes || profile.requiresSignature }

    /// The most bytes of a file; of a kind with a limit one byte more, so that an excess is noticed.
    var fileLimit: Int { kind.byteLimit.map { $0 + 1 } ?? HashFiles.blobLimit }

    /// How receipts and schemas are taken in.
    var groups: GroupTransaction.Options {
      GroupTransaction.Options(
        profile: profile, updatesHeads: updatesHeads, message: "hash-object")
    }

    /// Appends the name of an object, and a line feed.
    func append(_ id: ObjectID, to output: inout [UInt8]) {
      if printsCIDs { output += id.cidText(as: kind).utf8 } else { id.append(to: &output) }
      output.append(UInt8(ascii: "\n"))
    }

    /// How nodes are taken in.
    var transaction: NodeTransaction.Options {
      NodeTransaction.Options(
        profile: profile, writes: writes, updatesHeads: updatesHeads, keepsIDs: true,
        message: "hash-object")
    }
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let request = try request(options)
    let source = try options.only(oneOf: [stdinPaths, ndjson])
    let takesStdin = options.has(stdin)
    if let source {
      guard options.arguments.isEmpty, !takesStdin else {
        throw CommandError.usage("'\(source.spelling)' reads standard input and takes no files")
      }
    } else if options.arguments.isEmpty, !takesStdin {
      throw CommandError.usage("no file is named; '--stdin' reads standard input")
    }
    if options.has(.nulInput), source?.isSame(as: stdinPaths) != true {
      throw CommandError.usage("'-z' requires '--stdin-paths'")
    }
    if options.has(batchVerdicts), source?.isSame(as: ndjson) != true {
      throw CommandError.usage("'--batch-verdicts' requires '--ndjson'")
    }
    if request.explains, let source {
      throw CommandError.usage("'--explain' cannot be used with '\(source.spelling)'")
    }
    if request.signature != nil {
      guard source == nil, options.arguments.count + (takesStdin ? 1 : 0) == 1 else {
        throw CommandError.usage("'--signature' is that of one receipt, and requires one file")
      }
    }
    if request.writes { context.holdSignals() }
    guard let source else {
      return try HashFiles.run(
        options.arguments, takesStdin: takesStdin, request, &context)
    }
    if source.isSame(as: stdinPaths) {
      return try HashPaths.run(request, separator: options.has(.nulInput) ? 0 : 10, &context)
    }
    if ObjectKind.grouped.contains(request.kind) {
      return try HashGroupLines.run(
        request, printsVerdicts: options.has(batchVerdicts), &context)
    }
    guard request.kind == .node else {
      throw CommandError.usage("'--ndjson' reads no blobs")
    }
    return options.has(batchVerdicts)
      ? try HashLines.verdicts(request, &context) : try HashLines.run(request, &context)
  }

  private static func request(_ options: ParsedOptions) throws -> Request {
    let kindName = options.value(kind) ?? "node"
    guard let kind = ObjectKind(name: kindName) else {
      throw CommandError.usage(
        "option '-t' expects node, receipt, schema or blob, not '\(kindName)'")
    }
    let profile = try options.choice(.profile, as: Profile.self) ?? .v1
    let updates = options.has(updateHeads)
    guard !updates || options.has(write) else {
      throw CommandError.usage("'--update-heads' requires '-w'")
    }
    guard !updates || kind.hasHistory else {
      throw CommandError.usage("blobs have no heads to update")
    }
    let isExplained = options.has(explain)
    guard !isExplained || !options.has(cid) else {
      throw CommandError.usage("'--explain' prints ids; '--cid' cannot be used with it")
    }
    guard kind == .receipt || options.value(signature) == nil else {
      throw CommandError.usage("'--signature' requires '-t receipt'")
    }
    return Request(
      kind: kind, profile: profile, writes: options.has(write), updatesHeads: updates,
      explains: isExplained, printsCIDs: options.has(cid),
      signature: try options.value(signature).map { text throws in
        guard let signature = Signature(base64: Array(text.utf8).span) else {
          throw CommandError.usage("'\(text)' is no signature: padded Base64 of 64 bytes")
        }
        return signature
      })
  }
}
