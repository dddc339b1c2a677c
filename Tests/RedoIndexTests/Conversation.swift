// A conversation in process: requests from a file, answers into one.

import Foundation
import Glibc
import TestSupport

@testable import RedoIndex

/// What was said in a conversation.
struct Conversation {
  /// The lines of answers.
  let lines: [String]
  /// How it ended.
  let end: IndexProgram.End

  /// Says lines, the last one with a line feed, too.
  init(_ requests: [String], in directory: borrowing TemporaryDirectory) throws {
    try self.init(text: requests.map { $0 + "\n" }.joined(), in: directory)
  }

  /// Says a text.
  init(text: String, in directory: borrowing TemporaryDirectory) throws {
    try directory.write(text, to: "requests")
    let input = unsafe open(directory.path("requests"), O_RDONLY)
    let output = unsafe open(directory.path("answers"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    end = IndexProgram.run(input: input, output: output)
    close(input)
    close(output)
    let answers = try String(contentsOfFile: directory.path("answers"), encoding: .utf8)
    lines = answers.split(separator: "\n").map(String.init)
  }

  /// The codes of errors, and `done`, in their order.
  var codes: [String] {
    lines.compactMap { line in
      if line.hasPrefix("{\"done\"") { return "done" }
      guard line.hasPrefix("{\"error\":{\"code\":\"") else { return nil }
      return String(line.dropFirst(18).prefix { $0 != "\"" })
    }
  }

  /// The rows.
  var rows: [String] {
    lines.filter { $0.hasPrefix("{\"row\"") }.map { String($0.dropFirst(7).dropLast()) }
  }
}

/// Requests about one file.
struct Requests {
  let path: String

  init(_ directory: borrowing TemporaryDirectory) { path = directory.path("index.sqlite") }

  var open: String { "{\"open\":\"\(path)\"}" }

  /// A change of rows, in requests of its own.
  func change(_ kind: String, _ rows: [String], _ values: String = "{}") -> [String] {
    ["{\"begin\":\"\(kind)\",\"now\":1}"] + rows + ["{\"commit\":\(values)}"]
  }

  /// A session that lives, with what shows it.
  static func session(
    _ cid: String, _ payload: String = "{}", received: Double = 1, parent: String? = nil
  ) -> [String] {
    let escaped = payload.replacing("\"", with: "\\\"")
    let root = parent ?? cid
    let before = parent.map { "\"\($0)\"" } ?? "null"
    let type = "app.buds.session.\(parent == nil ? "created" : "edited")/v1"
    return [
      """
      {"put":"ucr_headers","row":{"cid":"\(cid)","claimed_time_ms":1,"did":"did:x:a","parent_cid":\(before),\
      "payload_json":"\(escaped)","raw_cbor":"","receipt_type":"\(type)","received_at":\(received),\
      "root_cid":"\(root)","signature":""}}
      """,
      """
      {"put":"redo_chains","row":{"depth":1,"head_cid":"\(cid)","heads":1,"root_cid":"\(root)"}}
      """,
      """
      {"put":"local_receipts","row":{"created_at":1,"header_cid":"\(cid)","updated_at":1,\
      "uuid":"u-\(root)"}}
      """,
    ]
  }
}
