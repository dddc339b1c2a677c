// Addresses of remotes, and what the first lines of an answer mean.

import RedoHTTP
import RedoRemote
import RedoStore
import Testing

@Suite("Addresses and answers")
struct EndpointTests {
  @Test(
    "an address is a scheme, a host, an optional port and a path",
    arguments: [
      ("https://example.org", "https://example.org/v1/exchange", "example.org"),
      ("https://example.org:8443/", "https://example.org:8443/v1/exchange", "example.org"),
      ("http://127.0.0.1:80/a/b", "http://127.0.0.1:80/a/b/v1/exchange", "127.0.0.1"),
      ("https://[::1]:1/x//", "https://[::1]:1/x/v1/exchange", "::1"),
    ])
  func good(_ text: String, _ url: String, _ host: String) throws {
    let endpoint = try HTTPEndpoint(text)
    #expect(endpoint.url == url)
    #expect(endpoint.host == host)
  }

  @Test(
    "what is no address is refused",
    arguments: [
      "", "ftp://a", "https://", "https:///x", "https://a:b@host", "https://host?x",
      "https://host#x",
      "https://host:", "https://host:0", "https://host:65536", "https://host:1x", "https://[::1",
      "https://[::1]x", "https://-a", "https://a b", "https://a\n", "https://ä", "HTTPS://a",
    ])
  func bad(_ text: String) {
    #expect(throws: RemoteError.self) { try HTTPEndpoint(text) }
  }

  @Test("loopback is what never leaves the machine")
  func loopback() throws {
    for host in ["127.0.0.1", "127.255.0.9:1", "localhost", "LOCALHOST", "[::1]:8"] {
      #expect(try HTTPEndpoint("http://\(host)").origin.isLoopback, "\(host)")
    }
    for host in [
      "127.0.0.1.example.org", "127.1", "128.0.0.1", "localhost.org", "[::2]", "127.0.0.256",
    ] {
      #expect(try !HTTPEndpoint("http://\(host)").origin.isLoopback, "\(host)")
    }
  }

  private func fault(_ status: Int, _ fields: [String: String]) -> PeerFault? {
    AnswerCheck.fault(status: status) { fields[$0] }
  }

  @Test("frames follow only a 200 of their media type, not encoded")
  func frames() {
    let type = AnswerCheck.mediaType
    #expect(fault(200, ["content-type": type]) == nil)
    #expect(fault(200, ["content-type": "\(type.uppercased()) ; charset=x"]) == nil)
    #expect(fault(200, ["content-type": type, "content-encoding": "identity"]) == nil)
    #expect(fault(200, ["content-type": type, "content-encoding": "gzip"])?.code == .malformed)
    #expect(fault(200, ["content-type": type + "x"])?.code == .malformed)
    #expect(fault(200, [:])?.code == .malformed)
    let html = fault(200, ["content-type": "text/html"])
    #expect(html?.code == .malformed)
    #expect(html?.text.contains("'text/html'") == true)
  }

  @Test(
    "each status has its fault",
    arguments: [
      (204, PeerFault.Code.stopped), (301, .stopped), (307, .stopped), (400, .stopped),
      (401, .denied),
      (403, .denied), (404, .stopped), (413, .limit), (415, .stopped), (429, .unavailable),
      (500, .unavailable), (502, .unavailable), (503, .unavailable), (504, .unavailable),
    ])
  func statuses(_ status: Int, _ code: PeerFault.Code) {
    #expect(fault(status, [:])?.code == code)
  }

  @Test("a time to wait is told so that it is understood, and has a bound")
  func wait() {
    func text(_ value: String) -> String { fault(503, ["retry-after": value])?.text ?? "" }
    #expect(text("7").hasPrefix("retry-after 7: "))
    #expect(text("999999999").hasPrefix("retry-after 3600: "))
    for other in ["", "-1", "1.5", "9999999999", "Wed, 21 Oct 2026 07:28:00 GMT", "7 "] {
      #expect(text(other).hasPrefix("status 503"), "\(other)")
    }
  }

  @Test("a redirect is told, not followed")
  func redirect() {
    let text = fault(302, ["location": "https://evil.example/"])?.text
    #expect(text?.contains("'https://evil.example/'") == true)
  }
}
