// URLs of remotes, and words of command lines: refusals first.

import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("URLs of remotes")
struct RemoteURLTests {
  @Test(
    "what is no URL",
    arguments: [
      ("", "is empty"), ("-x", "begins with '-'"), ("a\nb", "has control characters in it"),
      ("ext::sh", "names a command line, and none is run"), ("ssh://host", "names no path"),
      ("ssh:///p", "names no host"), ("host:", "names no path"), (":p", "names no host"),
      ("@host:p", "names no host"), ("-host:p", "names a host that begins with '-'"),
      ("user@-host:p", "names a host that begins with '-'"),
      ("ssh://%2Dhost/p", "names a host that begins with '-'"),
      ("ssh://[-x]/p", "names a host that begins with '-'"),
      ("host:-p", "names a path that begins with '-'"),
      ("ssh://host/~/-p", "names a path that begins with '-'"),
      ("ssh://a%20b/p", "names a host with a blank in it"),
      ("ssh://host:0/p", "has a port that is no number from 1 to 65535"),
      ("ssh://host:65536/p", "has a port that is no number from 1 to 65535"),
      ("ssh://host:/p", "has a port that is no number from 1 to 65535"),
      ("u:p@host:p", "names a path that begins with '-'"),
      ("ssh://host/%4", "has a '%' without two hex digits"),
      ("ssh://host/%ff", "has bytes in it that are no text"),
      ("ssh://host/%0a", "has bytes in it that are no text"),
      ("https://a@host/", "has a user in it"), ("x:///p", "names no host"),
      ("file://host/p", "names another machine"), ("file:p", nil),
    ] as [(String, String?)])
  func refused(_ text: String, _ reason: String?) {
    let found: String?
    do throws(RemoteURL.Fault) {
      _ = try RemoteURL(text)
      found = nil
    } catch {
      found = error.reason
    }
    // `u:p@host:p` is the path `p@host:p` on the host `u`, as in git.
    if text == "u:p@host:p" || text == "file:p" { return #expect(found == nil) }
    #expect(found == reason)
  }

  @Test("paths, with a colon behind a slash or in a URL of a file")
  func paths() throws {
    for (text, path) in [
      ("a", "a"), ("./a:b", "./a:b"), ("/a b", "/a b"), ("file:///a%20b", "/a b"),
      ("file://localhost/a", "/a"), ("./-x", "./-x"), ("FILE:///a", "/a"),
    ] { #expect(try RemoteURL(text) == .path(path)) }
  }

  @Test("addresses of ssh")
  func addresses() throws {
    for (text, host, port, path) in [
      ("ssh://me@host:22/a/b", "me@host", 22, "/a/b"), ("ssh://host/~/a", "host", nil, "a"),
      ("me@host:a b", "me@host", nil, "a b"), ("host:/a", "host", nil, "/a"),
      ("ssh://[::1]:22/a", "::1", 22, "/a"), ("me@[::1]:a", "me@::1", nil, "a"),
      ("SSH://h/%61", "h", nil, "/a"), ("a@b@c:d", "a@b@c", nil, "d"),
    ] as [(String, String, Int?, String)] {
      guard case .ssh(let address) = try RemoteURL(text) else {
        Issue.record("'\(text)' is no address")
        continue
      }
      #expect(address.host == host && address.port == port && address.path == path)
    }
  }

  @Test("helpers")
  func helpers() throws {
    #expect(try RemoteURL("https://h/x") == .helper(scheme: "http", url: "https://h/x"))
    #expect(try RemoteURL("S3+x://b/@") == .helper(scheme: "s3+x", url: "S3+x://b/@"))
  }

  @Test("names of remotes")
  func names() {
    for name in ["a", "A1._-x", "0", String(repeating: "x", count: 64)] {
      #expect(RemoteName(name)?.text == name)
    }
    for name in [
      "", "-", "-a", ".a", "a.", "a..b", "a/b", "a b", "a:b", "é", "a.lock",
      String(repeating: "x", count: 65),
    ] { #expect(RemoteName(name) == nil) }
  }

  @Test("a command line is taken apart without a shell")
  func words() {
    for (text, words) in [
      ("", []), ("  ", []), ("ssh", ["ssh"]), (" ssh \t-v ", ["ssh", "-v"]),
      ("a'b c'd", ["ab cd"]), (#""a\"b\\c\d""#, [#"a"b\c\d"#]), (#"a\ b"#, ["a b"]),
      (#"'a\b'"#, [#"a\b"#]), ("''", [""]), ("$HOME `id` *", ["$HOME", "`id`", "*"]),
      (#""it's""#, ["it's"]), ("'", nil), (#""a"#, nil), (#"a\"#, nil),
    ] as [(String, [String]?)] { #expect(CommandWords.split(text) == words) }
  }
}
