// google.rpc.Code: what became of a call. The word decides, never the HTTP code: the service sends one
// HTTP code for several of them.

/// What became of a call.
package enum FirestoreStatus: Int, CaseIterable, Sendable {
  case ok = 0
  case cancelled = 1
  case unknown = 2
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case alreadyExists = 6
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case aborted = 10
  case outOfRange = 11
  case unimplemented = 12
  case internalError = 13
  case unavailable = 14
  case dataLoss = 15
  case unauthenticated = 16

  /// The word, such as `ALREADY_EXISTS`.
  package var name: String {
    switch self {
    case .ok: "OK"
    case .cancelled: "CANCELLED"
    case .unknown: "UNKNOWN"
    case .invalidArgument: "INVALID_ARGUMENT"
    case .deadlineExceeded: "DEADLINE_EXCEEDED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .permissionDenied: "PERMISSION_DENIED"
    case .resourceExhausted: "RESOURCE_EXHAUSTED"
    case .failedPrecondition: "FAILED_PRECONDITION"
    case .aborted: "ABORTED"
    case .outOfRange: "OUT_OF_RANGE"
    case .unimplemented: "UNIMPLEMENTED"
    case .internalError: "INTERNAL"
    case .unavailable: "UNAVAILABLE"
    case .dataLoss: "DATA_LOSS"
    case .unauthenticated: "UNAUTHENTICATED"
    }
  }

  /// The status of a word.
  ///
  /// - Parameter name: a word; the result is `nil` for an unknown one.
  package init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }

  /// The HTTP code that it is sent with (google/rpc/code.proto).
  package var httpCode: Int {
    switch self {
    case .ok: 200
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .cancelled: 499
    case .unknown, .internalError, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }

  /// The meaning of an HTTP code without further details.
  ///
  /// - Parameter httpCode: 100 to 599.
  package init(httpCode: Int) {
    self =
      switch httpCode {
      case 200..<300: .ok
      case 400, 413, 414, 416: .invalidArgument
      case 401: .unauthenticated
      case 403, 407, 451: .permissionDenied
      case 404, 410: .notFound
      case 408: .unavailable
      case 409: .aborted
      case 412: .failedPrecondition
      case 429: .resourceExhausted
      case 499: .cancelled
      case 500: .internalError
      case 501, 505: .unimplemented
      case 502, 503: .unavailable
      case 504: .deadlineExceeded
      case 400..<500: .invalidArgument
      default: .unknown
      }
  }

  /// Whether the same call may succeed later: the service is busy, out of quota or in trouble.
  package var isTransient: Bool {
    switch self {
    case .cancelled, .unknown, .deadlineExceeded, .resourceExhausted, .aborted, .internalError,
      .unavailable:
      true
    case .ok, .invalidArgument, .notFound, .alreadyExists, .permissionDenied,
      .failedPrecondition, .outOfRange, .unimplemented, .dataLoss, .unauthenticated:
      false
    }
  }
}
