// redo-remote-http: the transport for URLs that begin with http or https.
//
// Commands that talk to remotes start it as `redo-remote-http <name> <url> <service>`, with a
// pipe as its standard input and output (redo-wire(5)). Errors are reported there as faults, so that those
// commands can word them; only an invalid command line is reported here.

internal import AsyncHTTPClient
internal import RedoRepository
internal import RedoShell
internal import RedoHTTP
internal import RedoRemote
internal import RedoStore

/// `redo-remote-http <name> <url> <service>`.
enum RemoteHTTP: Command {
  static let name = "remote-http"
  static let summary = "talk to a remote over HTTP, for the commands that do"
  static var usage: [String] { ["redo-remote-http <name> <url> (read | write)"] }
  static var options: [OptionSpec] { [] }

  /// Passes turns between the pipe and the server.
  ///
  /// - Parameters:
  ///   - context: the surroundings.
  ///   - options: the options that were given.
  /// - Returns: `ok`, even after a fault was reported.
  /// - Throws: `usage`.
  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 3 else {
      throw CommandError.usage("a name, an address and a service are needed")
    }
    let (name, url, service) = (options.arguments[0], options.arguments[1], options.arguments[2])
    guard ["read", "write"].contains(service) else {
      throw CommandError.usage("there is no service '\(service)'")
    }
    let pipe = StandardPipe()
    do throws(RemoteError) {
      try relay(pipe, name, url, context)
    } catch {
      var writer = FrameWriter(pipe)
      try? writer.write(.fault, error.faultToTell.bytes)
    }
    return .ok
  }

  private static func relay(
    _ pipe: StandardPipe, _ name: String, _ url: String, _ context: borrowing Context
  ) throws(RemoteError) {
    let endpoint = try HTTPEndpoint(url)
    let config = try RemoteSettings.read(context.effects)
    let home = context.effects.surroundings.usual.home
    let token =
      name == "-" ? nil : try BearerToken.read(of: name, for: endpoint.origin, config, home: home)
    guard token == nil || endpoint.origin.isEncrypted || endpoint.origin.isLoopback else {
      throw .peer(
        PeerFault(.denied, "a token is not sent unencrypted; the address must begin with 'https'"))
    }
    let limitSeconds = try RemoteSettings.limitSeconds(of: name, config)
    let client = try HTTPClients.make(ConnectionSecurity(of: name, config, home: home))
    defer { try? client.syncShutdown() }
    var relay = TurnRelay(pipe) { () throws(RemoteError) in
      try HTTPTurn(client, endpoint, token: token, limitSeconds: limitSeconds)
    }
    relay.run()
  }
}
