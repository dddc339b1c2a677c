// The token that identifies the client (RFC 6750): from a file or from a command, never from the command
// line or the environment.

internal import RedoCrypto
package import RedoRemote
package import RedoStore

/// Where the settings of a remote say that its token is.
package enum BearerToken {
  /// The most bytes of a token.
  package static let byteLimit = 4096

  /// The token of a remote.
  ///
  /// A command is told whom it is for: `redo key get` hands out no token that is for somebody else.
  ///
  /// - Parameters:
  ///   - remote: its name.
  ///   - origin: the server that gets the token.
  ///   - config: the settings.
  ///   - home: the directory that `~` means.
  /// - Returns: the token; `nil` when the settings name none.
  /// - Throws: `peer` with a fault that says what is wrong.
  package static func read(
    of remote: String, for origin: WebOrigin, _ config: Config, home: String?
  ) throws(RemoteError) -> String? {
    if let command = config.entry("remote.\(remote).tokencommand"), let words = command.value,
      !words.isEmpty
    {
      try check(command, of: remote, config)
      return try run(words, for: origin)
    }
    guard let file = config.entry("remote.\(remote).tokenfile"), let path = file.value,
      !path.isEmpty
    else { return nil }
    try check(file, of: remote, config)
    return try read(path.expandingHome(home))
  }

  /// Makes sure that a secret of the user's goes to no address that a stranger's store gives.
  ///
  /// - Parameters:
  ///   - secret: the setting that says where the secret is.
  ///   - remote: the name of the remote.
  ///   - config: the settings.
  /// - Throws: `peer` with a fault that names both settings.
  package static func check(
    _ secret: Config.Entry, of remote: String, _ config: Config
  ) throws(RemoteError) {
    guard let address = config.strangeAddress(for: secret, of: remote) else { return }
    throw refused(
      "a token is for the address for which it was set: '\(secret.key)' (\(secret.place)) is not "
        + "used for '\(address.value ?? "")' (\(address.place)), which has not been accepted; "
        + "'redo config trust-store' accepts it")
  }

  private static func read(_ path: String) throws(RemoteError) -> String {
    let bytes: SecretBytes?
    do throws(SystemError) {
      bytes = try File.openRegular(path).readSecret(limit: 65_536)
    } catch {
      throw refused("the token cannot be read: \(error)")
    }
    return try token(bytes, from: "file '\(path)'")
  }

  private static func run(
    _ command: String, for origin: WebOrigin
  ) throws(RemoteError) -> String {
    var status: Int32 = 0
    let answer: SecretBytes?
    do throws(SystemError) {
      answer = try ShellCommand.run(
        command, variables: [BoundSecret.addressVariable: origin.text], limit: 65_536,
        status: &status)
    } catch {
      throw refused("the command of the token: \(error)")
    }
    guard status == 0 else { throw refused("the command of the token ends with \(status)") }
    return try token(answer, from: "command")
  }

  /// The first line of the bytes read.
  private static func token(
    _ bytes: consuming SecretBytes?, from source: String
  ) throws(RemoteError) -> String {
    var line: [UInt8] = []
    if let bytes = consume bytes {
      bytes.withSpan { span in
        var index = 0
        while index < span.count, span[index] != 0x0A {
          line.append(span[index])
          index += 1
        }
      }
    }
    if line.last == 0x0D { line.removeLast() }
    guard (1...byteLimit).contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw refused("there is no token in the \(source)") }
    return String(decoding: line, as: UTF8.self)
  }

  private static func refused(_ text: String) -> RemoteError { .peer(PeerFault(.denied, text)) }
}

extension String {
  /// A path with the home directory in place of `~`.
  ///
  /// - Parameter home: the home directory, if it is known.
  /// - Returns: the path.
  package func expandingHome(_ home: String?) -> String {
    guard hasPrefix("~/"), let home else { return self }
    return home + dropFirst(1)
  }
}
