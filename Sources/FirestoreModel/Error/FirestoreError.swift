// A refused call: {"error":{"code":409,"message":"...","status":"ALREADY_EXISTS"}}, by some calls
// wrapped into an array, and over streams behind rows.

internal import RedoObject

/// A refused call.
package struct FirestoreError: Error, Sendable, Equatable {
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
  ///   - message: what is said.
  ///   - retryDelaySeconds: how long the service wants to be left alone.
  package init(
    _ status: FirestoreStatus, _ message: String, retryDelaySeconds: Double? = nil
  ) {
    self.status = status
    self.message = message
    self.retryDelaySeconds = retryDelaySeconds
  }

  /// Reads an error, be it alone or in an array.
  ///
  /// There is none for what is no error.
  ///
  /// - Parameter json: the answer, or a row of it.
  package init?(_ json: JSONView) {
    if json.isArray {
      for element in json.elements {
        guard let error = FirestoreError(element) else { continue }
        self = error
        return
      }
      return nil
    }
    guard let error = json["error"], error.isObject else { return nil }
    let code = error["code"]?.integer ?? 0
    // A status that is not known is one of the future; the code then tells at least its kind.
    status =
      error["status"]?.string.flatMap { FirestoreStatus(name: $0) }
      ?? FirestoreStatus(httpCode: Int(clamping: code)).unlessOK
    let text = error["message"]?.string ?? ""
    message = String(decoding: text.utf8.prefix(Self.messageLimit), as: UTF8.self)
    retryDelaySeconds =
      (error["details"]?.elements ?? []).lazy
      .compactMap { $0["retryDelay"]?.string.flatMap(Self.seconds) }.first
  }

  /// The error of an answer with a code that is none of success.
  ///
  /// - Parameters:
  ///   - body: the answer, of any content; what is no JSON error is quoted.
  ///   - httpCode: its HTTP code.
  package init(body: [UInt8], httpCode: Int) {
    do throws(FirestoreFormatError) {
      if let error = FirestoreError(try JSONText(body).root) {
        self = error
        return
      }
    } catch {}
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

  /// Appends the error.
  ///
  /// - Parameter output: receives JSON.
  package func appendJSON(to output: inout [UInt8]) {
    output.append("{\"error\":{\"code\":")
    output.append(decimal: Int64(status.httpCode))
    output.append(",\"message\":")
    output.append(json: message)
    output.append(",\"status\":")
    output.append(json: status.name)
    if let retryDelaySeconds {
      output.append(
        ",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":")
      output.append(json: "\(retryDelaySeconds)s")
      output.append("}]")
    }
    output.append("}}")
  }
}

extension FirestoreStatus {
  /// An error is never OK.
  fileprivate var unlessOK: FirestoreStatus { self == .ok ? .unknown : self }
}
