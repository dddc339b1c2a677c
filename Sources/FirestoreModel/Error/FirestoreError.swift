// A refused call: {"error":{"code":409,"message":"...","status":"ALREADY_EXISTS"}},
// wrapped into an array by some calls, and after the rows in streams.

package import CanonicalJSON
internal import RedoObject

/// A refused call.
package struct FirestoreError: Error, JSONWritable, Sendable, Equatable {
  /// The longest message that is kept, in bytes.
  package static let messageLimit = 2000

  /// Why.
  package let status: FirestoreStatus
  /// What the service says, of any content: it is escaped before people see it.
  package let message: String
  /// How many seconds the service wants to be left alone (google.rpc.RetryInfo).
  package let retryDelaySeconds: Double?

  /// A refusal.
  ///
  /// - Parameters:
  ///   - status: why.
  ///   - message: the message of the service.
  ///   - retryDelaySeconds: how long the service wants to be left alone.
  package init(
    _ status: FirestoreStatus, _ message: String, retryDelaySeconds: Double? = nil
  ) {
    self.status = status
    self.message = message
    self.retryDelaySeconds = retryDelaySeconds
  }

  /// Reads an error, alone or in an array.
  ///
  /// `nil` for anything that is not an error.
  ///
  /// - Parameter json: the answer, or a row of it.
  package init?(_ json: JSONValue) {
    if json.isArray {
      var elements = json.elements
      while let element = elements.next() {
        guard let error = FirestoreError(element) else { continue }
        self = error
        return
      }
      return nil
    }
    guard let error = json.given("error"), error.isObject else { return nil }
    let code = error.given("code")?.protoInteger ?? 0
    // An unknown status may be a future one; the code then at least gives its kind.
    status =
      error.given("status")?.string.flatMap { FirestoreStatus(name: $0) }
      ?? FirestoreStatus(httpCode: Int(clamping: code)).unlessOK
    let text = error.given("message")?.string ?? ""
    message = String(decoding: text.utf8.prefix(Self.messageLimit), as: UTF8.self)
    var delay: Double?
    var details = error.elements(of: "details")
    while delay == nil, let detail = details.next() {
      delay = detail["retryDelay"]?.string.flatMap(Self.seconds)
    }
    retryDelaySeconds = delay
  }

  /// The error of an answer with a code other than success.
  ///
  /// - Parameters:
  ///   - body: the answer, with any content; if it is not a JSON error it is quoted.
  ///   - httpCode: its HTTP code.
  package init(body: [UInt8], httpCode: Int) {
    if let answer = try? MessageText(body), let error = FirestoreError(answer.root) {
      self = error
      return
    }
    let text = String(decoding: body.prefix(200), as: UTF8.self)
    self.init(
      FirestoreStatus(httpCode: httpCode).unlessOK,
      text.isEmpty ? "HTTP status \(httpCode)" : "HTTP status \(httpCode): \(text)")
  }

  /// Reads a duration: `3.5s`.
  private static func seconds(_ text: String) -> Double? {
    guard text.utf8.last == UInt8(ascii: "s"), let seconds = Double(text.dropLast()),
      seconds.isFinite, seconds >= 0
    else { return nil }
    return seconds
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.addObject("error") { json in
        json.add("code", status.httpCode)
        json.add("message", message)
        json.add("status", status.name)
        guard let retryDelaySeconds else { return }
        json.addArray("details") { json in
          json.object { json in
            json.add("@type", "type.googleapis.com/google.rpc.RetryInfo")
            json.add("retryDelay", "\(retryDelaySeconds)s")
          }
        }
      }
    }
  }
}

extension FirestoreStatus {
  /// An error is never OK.
  fileprivate var unlessOK: FirestoreStatus { self == .ok ? .unknown : self }
}
