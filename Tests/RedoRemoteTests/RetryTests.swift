// When a remote is tried again: how often, after how long, and after what not at all.

import RedoRemote
import Testing

@Suite struct RetryTests {
  private func waits(_ error: RemoteError, repeats: Bool = true) -> [Int64] {
    var retry = Retry(repeats: repeats)
    var waits: [Int64] = []
    while let wait = retry.next(after: error), waits.count < 100 { waits.append(wait) }
    #expect(retry.attempt == waits.count + 1)
    return waits
  }

  @Test func fiveAttemptsWithFourWaits() {
    #expect(waits(.closed) == [2_000, 4_000, 8_000, 16_000])
    #expect(waits(.stream("reset")) == [2_000, 4_000, 8_000, 16_000])
    #expect(waits(.peer(PeerFault(.unavailable, "busy"))) == [2_000, 4_000, 8_000, 16_000])
  }

  @Test func onceWithoutRepetition() {
    #expect(waits(.closed, repeats: false) == [])
  }

  @Test(arguments: [
    RemoteError.malformed(offset: 0, reason: "x"), .unexpected("x"), .limit("x"),
    .unsupported(versions: [9]), .stopped("x"), .peer(PeerFault(.denied, "no")),
    .peer(PeerFault(.stopped, "x")), .peer(PeerFault(.denied, "retry-after 1: no")),
  ])
  func whatDoesNotPassIsNotTriedAgain(error: RemoteError) {
    #expect(waits(error) == [])
  }

  @Test func theRemoteMayAskForALongerTime() {
    #expect(
      waits(.peer(.unavailable(retryAfterSeconds: 5, "busy"))) == [5_000, 5_000, 8_000, 16_000])
    #expect(
      waits(.peer(.unavailable(retryAfterSeconds: 0, "busy"))) == [2_000, 4_000, 8_000, 16_000])
    #expect(
      waits(.peer(.unavailable(retryAfterSeconds: 300, "busy"))).allSatisfy { $0 == 300_000 })
    #expect(waits(.peer(.unavailable(retryAfterSeconds: 301, "busy"))) == [])
  }

  @Test(arguments: [
    ("retry-after 7: busy", 7, "busy"), ("retry-after 0: ", 0, ""),
    ("retry-after 9999999999: x", 9_999_999_999, "x"),
  ])
  func theTimeIsRead(text: String, seconds: Int64, reason: String) {
    let fault = PeerFault(.unavailable, text)
    #expect(fault.retryAfterSeconds == seconds)
    #expect(fault.reason == reason)
  }

  @Test(arguments: [
    "busy", "retry-after", "retry-after : x", "retry-after -1: x", "retry-after 1:x",
    "retry-after 1 : x", "retry-after 99999999999: x", "Retry-After 1: x", "retry-after ١: x",
  ])
  func whatIsNoTimeIsText(text: String) {
    let fault = PeerFault(.unavailable, text)
    #expect(fault.retryAfterSeconds == nil)
    #expect(fault.reason == text)
  }
}
