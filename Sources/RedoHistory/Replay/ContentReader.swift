// The content of a node while it is replayed: `data` scanned once, members read in place.

internal import CanonicalJSON
internal import RedoObject

/// Reads the content of one node after another, keeping its memory.
struct ContentReader: ~Copyable {
  private var bytes: [UInt8] = []
  private var scanner = Scanner()
  private var contentIndex = 0
  /// Whether the content is in `payload`.
  private(set) var isPayload = false
  /// Whether `data.conflictResolution.source` is `automatic`.
  private(set) var isAutomatic = false
  /// Whether something was read that no node has.
  ///
  /// It came out of an index that somebody else wrote, and counts as a content without members; what was made of it must
  /// not be used.
  private(set) var isDamaged = false

  /// The whole text: of a node its `data`.
  var root: JSONValue {
    @_lifetime(borrow self)
    get { scanner.root(of: bytes.span) }
  }

  /// The value of `data.fields` or `data.payload`.
  var content: JSONValue {
    @_lifetime(borrow self)
    get { root.value(at: contentIndex) }
  }

  /// Reads the content of a node that is not broken.
  mutating func read(_ position: Int, of log: some HistoryLog) {
    bytes.removeAll(keepingCapacity: true)
    log.appendData(at: position, to: &bytes)
    scan()
    var fields = root["fields"]?.index
    if fields == nil, root["payload"] == nil {
      scanNothing()
      fields = root["fields"]?.index
    }
    isPayload = fields == nil
    contentIndex = fields ?? root["payload"]?.index ?? 0
    isAutomatic = root["conflictResolution"]?["source"]?.isText("automatic") ?? false
  }

  /// Reads any RFC 8785 text.
  mutating func read(_ text: [UInt8]) {
    bytes = text
    scan()
  }

  private mutating func scan() {
    do throws(JSONError) {
      let bytes = bytes
      try scanner.scan(bytes.span)
    } catch {
      scanNothing()
    }
  }

  /// Reads a content without members in place of one that is none.
  private mutating func scanNothing() {
    isDamaged = true
    bytes = Array(#"{"fields":{}}"#.utf8)
    let bytes = bytes
    do throws(JSONError) { try scanner.scan(bytes.span) } catch {
      preconditionFailure("BUG: an empty content is refused: \(error)")
    }
  }
}

extension JSONValue {
  /// The UUID that a string is.
  var taskID: TaskID? { TaskID(content) }

  /// The object's id that a string is.
  var objectID: ObjectID? { ObjectID(ascii: content) }
}
