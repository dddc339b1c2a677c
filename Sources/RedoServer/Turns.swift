// Whose turn it is. More requests may be ready than threads work on at a time, and one client must not have all of
// the threads: what its peers are slow at would be everybody's delay.

/// Requests that are ready, by client, and how many of each client are being worked on.
package struct Turns<Job: Sendable>: Sendable {
  /// What begins now.
  package struct Turn: Sendable {
    /// Whose job it is.
    package let client: String
    /// The job.
    package let job: Job
  }

  private struct Client {
    var running = 0
    /// Its jobs that wait, the oldest first.
    var waiting: ArraySlice<Job> = []
  }

  private let threads: Int
  private let share: Int
  private var clients: [String: Client] = [:]
  /// The clients with jobs that wait, in the order of their turns.
  private var ring: [String] = []
  private var running = 0

  /// No jobs.
  ///
  /// - Parameters:
  ///   - threads: how many jobs run at a time.
  ///   - share: how many of one client.
  package init(threads: Int, share: Int) {
    self.threads = threads
    self.share = min(share, threads)
  }

  /// Takes a job in.
  ///
  /// - Returns: the job, if it begins now; otherwise it waits until `end` hands it out.
  package mutating func add(_ job: Job, of client: String) -> Turn? {
    if running < threads, clients[client]?.running ?? 0 < share {
      begin(client)
      return Turn(client: client, job: job)
    }
    if clients[client]?.waiting.isEmpty ?? true { ring.append(client) }
    clients[client, default: Client()].waiting.append(job)
    return nil
  }

  /// A job has ended.
  ///
  /// - Parameter client: whose it was.
  /// - Returns: the job that begins in its place: the oldest of the client whose turn it is.
  package mutating func end(of client: String) -> Turn? {
    running -= 1
    clients[client]?.running -= 1
    defer {
      if let left = clients[client], left.running == 0, left.waiting.isEmpty {
        clients[client] = nil
      }
    }
    let place = ring.firstIndex { clients[$0]?.running ?? 0 < share }
    guard let place, let job = clients[ring[place]]?.waiting.popFirst() else { return nil }
    let next = ring.remove(at: place)
    if clients[next]?.waiting.isEmpty == false { ring.append(next) }
    begin(next)
    return Turn(client: next, job: job)
  }

  private mutating func begin(_ client: String) {
    running += 1
    clients[client, default: Client()].running += 1
  }

  /// Whether a job of a client of whom none runs would wait.
  package var isFull: Bool { running >= threads }
  /// How many jobs wait.
  package var waitingCount: Int { ring.reduce(0) { $0 + (clients[$1]?.waiting.count ?? 0) } }
}

/// How much of a server each client takes up with requests that are not answered yet.
package struct OpenRequests: Sendable {
  private struct Client {
    var requests = 0
    var bytes = 0
  }

  private let requestLimit: Int
  private let byteLimit: Int
  private var clients: [String: Client] = [:]

  /// No requests.
  ///
  /// - Parameters:
  ///   - requestLimit: how many a client may have at a time.
  ///   - byteLimit: how many bytes of its requests may wait for a thread.
  package init(requestLimit: Int, byteLimit: Int) {
    self.requestLimit = requestLimit
    self.byteLimit = byteLimit
  }

  /// A request of a client begins, unless it has too many.
  ///
  /// - Returns: whether it may.
  package mutating func begin(_ client: String) -> Bool {
    guard clients[client]?.requests ?? 0 < requestLimit else { return false }
    clients[client, default: Client()].requests += 1
    return true
  }

  /// A request is answered, or its client has gone.
  package mutating func end(_ client: String) {
    clients[client]?.requests -= 1
    if clients[client]?.requests == 0 { clients[client] = nil }
  }

  /// Bytes of a request have come, and wait for a thread, unless too many do.
  ///
  /// - Returns: whether they may.
  package mutating func hold(_ bytes: Int, of client: String) -> Bool {
    guard clients[client]?.bytes ?? 0 <= byteLimit - bytes else { return false }
    clients[client, default: Client()].bytes += bytes
    return true
  }

  /// Bytes no longer wait.
  package mutating func release(_ bytes: Int, of client: String) {
    clients[client]?.bytes -= bytes
  }
}
