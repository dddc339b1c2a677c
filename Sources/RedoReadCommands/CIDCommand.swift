// redo cid: bytes in, their content identifiers out; and back to ids.

internal import DAGCBOR
internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo cid [--codec=<codec>] [--check] [<file>...]`, `redo cid -d [--stdin] [<cid>...]`.
enum CIDCommand: Command {
  static let name = "cid"
  static let summary = "print content identifiers, and the ids that they stand for"
  static var usage: [String] {
    [
      "redo-cid [--codec=<codec>] [--check] [--json] [-z] [<file>...]",
      "redo-cid (-d | --decode) [--stdin] [--json] [-z] [<cid>...]",
    ]
  }

  private static let codec = OptionSpec(
    "codec", .required("codec"), help: "what the bytes are: dag-cbor (default) or raw")
  private static let check = OptionSpec(
    "check", help: "refuse what is not strict DAG-CBOR")
  private static let decode = OptionSpec(
    "decode", letter: "d", help: "print the id and the codec of each CID")
  private static let stdin = OptionSpec("stdin", help: "read CIDs from standard input, too")
  static var options: [OptionSpec] { [codec, check, decode, stdin, .json, .nulBoth] }

  /// The largest input.
  private static let inputLimit = 1 << 30
  /// The largest one whose values are looked at.
  private static let checkedLimit = 1 << 24

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    if options.has(decode) { return try decode(&context, options) }
    if options.has(stdin) { throw CommandError.usage("'--stdin' reads CIDs, for '--decode'") }
    let codec = try options.choice(codec, as: CodecWord.self) ?? .dagCBOR
    let checks = options.has(check)
    if checks, codec == .raw {
      throw CommandError.usage("'--check' is about DAG-CBOR: raw bytes may be any")
    }
    let paths =
      options.arguments.isEmpty ? [InputFile.standardInputSign] : options.arguments
    let writer = RowWriter(CIDRow.ofFiles, options)
    var exit = Exit.ok
    for path in paths {
      let bytes = try read(path, limit: checks ? checkedLimit : inputLimit, &context)
      if checks, let finding = finding(bytes) {
        let isInput = path == InputFile.standardInputSign
        context.error(Diagnosis.text(finding, of: isInput ? InputFile.standardInputName : path))
        exit = .no
        continue
      }
      let id = ObjectID(digest: SHA256.digest(of: bytes.span))
      try writer.write(CIDRow(cid: id.cid(codec.codec), path: path), &context)
    }
    return exit
  }

  private static func read(
    _ path: String, limit: Int, _ context: inout Context
  ) throws -> [UInt8] {
    guard path == InputFile.standardInputSign else {
      return try InputFile.read(path, limit: limit, context.effects)
    }
    return try InputFile.read(context.input, limit: limit)
  }

  /// What keeps some bytes from being strict DAG-CBOR.
  private static func finding(_ bytes: [UInt8]) -> Finding? {
    do throws(CBORError) {
      _ = try CBORDocument(bytes)
      return nil
    } catch {
      return Finding(error)
    }
  }

  private static func decode(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    if let other = [codec, check].first(where: options.has) {
      throw CommandError.usage("options '--decode' and '\(other.spelling)' cannot be used together")
    }
    var names = options.arguments
    if options.has(stdin) {
      names += try context.names(end: options.rowEnd).map { Escape.text($0.bytes) }
    } else if names.isEmpty {
      throw CommandError.usage("CIDs are needed, or '--stdin'")
    }
    let writer = RowWriter(CIDRow.ofNames, options)
    var exit = Exit.ok
    for name in names {
      guard let cid = CID(text: Array(name.utf8).span) else {
        context.error(
          "'\(Escape.text(name))' is no CID of version 1, in base 32, of DAG-CBOR or raw bytes under SHA-256"
        )
        exit = .no
        continue
      }
      try writer.write(CIDRow(cid: cid, path: nil), &context)
    }
    return exit
  }
}

/// The words for what bytes are, those of the table of multicodecs.
private enum CodecWord: String, CaseIterable {
  case dagCBOR = "dag-cbor"
  case raw

  var codec: CID.Codec {
    switch self {
    case .dagCBOR: .dagCBOR
    case .raw: .raw
    }
  }

  init(_ codec: CID.Codec) {
    switch codec {
    case .dagCBOR: self = .dagCBOR
    case .raw: self = .raw
    }
  }
}

/// A CID, and what is known of it.
private struct CIDRow {
  let cid: CID
  /// The file with its bytes; `nil` where it came as a name.
  let path: String?

  private static var about: [RowColumn<CIDRow>] {
    [
      .word("id", in: .json) { ObjectID($0.cid).text },
      .word("codec", in: .json) { CodecWord($0.cid.codec).rawValue },
    ]
  }
  /// Columns where files are hashed.
  static var ofFiles: [RowColumn<CIDRow>] {
    [.word("cid") { $0.cid.text }] + about + [.text("path", in: .json) { $0.path }]
  }
  /// Columns where names are taken apart.
  static var ofNames: [RowColumn<CIDRow>] {
    [
      .word("id") { ObjectID($0.cid).text }, .word("codec") { CodecWord($0.cid.codec).rawValue },
      .word("cid", in: .json) { $0.cid.text },
    ]
  }
}
