// Who works next, and how much of a server one client may take up.

import RedoServer
import Testing

@Suite("Turns and shares")
struct TurnsTests {
  @Test("a client runs no more than its share, and waits in its own line only")
  func share() {
    var turns = Turns<Int>(threads: 4, share: 2)
    #expect(turns.add(1, of: "ada")?.job == 1)
    #expect(turns.add(2, of: "ada")?.job == 2)
    #expect(turns.add(3, of: "ada") == nil)
    #expect(turns.add(4, of: "bob")?.job == 4)
    #expect(!turns.isFull && turns.waitingCount == 1)
    // A place of bob's is none for ada, who has her share.
    #expect(turns.end(of: "bob") == nil)
    let next = turns.end(of: "ada")
    #expect(next?.job == 3 && next?.client == "ada")
    #expect(turns.waitingCount == 0)
  }

  @Test("threads go round among clients that wait, whatever the lengths of their lines")
  func round() {
    var turns = Turns<String>(threads: 1, share: 1)
    #expect(turns.add("first", of: "ada") != nil)
    for number in 0..<50 { #expect(turns.add("ada \(number)", of: "ada") == nil) }
    #expect(turns.add("bob 0", of: "bob") == nil)
    #expect(turns.add("eve 0", of: "eve") == nil)
    #expect(turns.isFull && turns.waitingCount == 52)
    var order: [String] = []
    var running = "ada"
    while let next = turns.end(of: running) {
      order.append(next.job)
      running = next.client
    }
    #expect(order.prefix(4) == ["ada 0", "bob 0", "eve 0", "ada 1"])
    #expect(order.count == 52 && turns.waitingCount == 0 && !turns.isFull)
  }

  @Test(
    "random jobs: never more threads or a larger share than there is, nobody waits beside a free thread, and all are done",
    arguments: 0..<20)
  func random(_ seed: Int) {
    var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let threads = 1 + random(6)
    let share = 1 + random(threads)
    var turns = Turns<Int>(threads: threads, share: share)
    var running: [String] = []
    var (added, begun) = (0, Set<Int>())
    var waiting: [String: Int] = [:]
    func begin(_ turn: Turns<Int>.Turn) {
      #expect(begun.insert(turn.job).inserted)
      running.append(turn.client)
    }
    for _ in 0..<500 {
      if random(2) == 0 {
        let client = "client \(random(5))"
        if let turn = turns.add(added, of: client) {
          begin(turn)
        } else {
          waiting[client, default: 0] += 1
        }
        added += 1
      } else if !running.isEmpty {
        if let turn = turns.end(of: running.remove(at: random(running.count))) {
          waiting[turn.client, default: 0] -= 1
          begin(turn)
        }
      }
      let counts = Dictionary(grouping: running, by: \.self).mapValues(\.count)
      #expect(running.count <= threads && counts.values.allSatisfy { $0 <= share })
      if running.count < threads {
        for (client, count) in waiting where count > 0 { #expect(counts[client] == share) }
      }
    }
    while !running.isEmpty {
      if let turn = turns.end(of: running.removeFirst()) { begin(turn) }
    }
    #expect(begun.count == added)
  }

  @Test("requests and bytes of a client count until they are answered, and nobody else's")
  func open() {
    var open = OpenRequests(requestLimit: 2, byteLimit: 100)
    var answers = [open.begin("ada"), open.begin("ada"), open.begin("ada"), open.begin("bob")]
    #expect(answers == [true, true, false, true])
    answers = [open.hold(100, of: "ada"), open.hold(1, of: "ada"), open.hold(100, of: "bob")]
    #expect(answers == [true, false, true])
    open.release(60, of: "ada")
    answers = [open.hold(60, of: "ada"), open.hold(1, of: "ada")]
    #expect(answers == [true, false])
    open.end("ada")
    answers = [open.begin("ada"), open.begin("ada")]
    #expect(answers == [true, false])
    for client in ["ada", "ada", "bob"] { open.end(client) }
    answers = [open.begin("ada"), open.hold(100, of: "ada")]
    #expect(answers == [true, true])
  }

  @Test("a socket is taken only from the manager that handed it to this process")
  func handedOver() {
    let own = ["LISTEN_PID": "42", "LISTEN_FDS": "1"]
    #expect(ListenAddress(handedOver: { own[$0] }, process: 42)?.isLoopback == false)
    #expect(ListenAddress(handedOver: { own[$0] }, process: 43) == nil)
    for wrong in [[:], ["LISTEN_PID": "42"], ["LISTEN_PID": "42", "LISTEN_FDS": "0"]] {
      #expect(ListenAddress(handedOver: { wrong[$0] }, process: 42) == nil)
    }
  }
}
