// A program of another package, with nothing but what the library makes public: it makes a store, takes a log in,
// verifies it, asks what the tasks were on a day, follows what happens, and brings two stores to the same history.
// Tests/Library/run checks each line that it prints.
//
//   Example <empty directory> <log> <date>

import RedoRepository
import Synchronization

let words = CommandLine.arguments
guard words.count == 4 else { fatalError("usage: Example <empty directory> <log> <date>") }
let (directory, log, date) = (words[1], words[2], words[3])

/// How often each kind of event has come.
let heard = Mutex<[String: Int]>([:])

/// Takes note of an event; it may come from any thread.
@Sendable func follow(_ event: RepositoryEvent) {
  let kind =
    switch event {
    case .progress: "progress"
    case .nodeRefused: "refused"
    case .parentMissing: "missing"
    case .headsMoved: "moved"
    case .remoteUnreachable: "unreachable"
    }
  heard.withLock { $0[kind, default: 0] += 1 }
}

do {
  let store = try Repository.create(at: directory + "/one", effects: .system(onEvent: follow))

  let taken = try store.importLog(from: log)
  print("import", taken.new, taken.refused)

  let report = try store.verify()
  print("verify", report.isGood, report.nodes, report.good, report.unsigned, report.findings.count)

  let state = try store.state(asOf: .date(date))
  print("state", state.nodes, state.tasks.count, state.hash)
  for task in state.tasks where task.isCompleted { print("completed", task.id, task.title) }

  let other = try Repository.create(at: directory + "/two")
  let summary = try other.sync(with: store.path, .both)
  print("sync", summary.fetched.count, summary.pushed.count, summary.isWhole)

  for id in try other.nodes() {
    let node = try other.read(id)
    print("node", id, node.lamport, node.wallMilliseconds, node.action, node.parents.count)
  }
  print("same", try other.nodes() == store.nodes(), try other.state() == store.state())
  for head in try other.heads() { print("head", head) }
  for (kind, count) in heard.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
    print("heard", kind, count)
  }
  _ = try Repository.open(at: directory + "/nowhere")
} catch {
  // Every function throws `RedoError`, whose members say what ended the work.
  print("error", error.code, error.subject ?? "-")
}
