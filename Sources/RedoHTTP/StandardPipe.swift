// The pipe to the command that started this process: standard input and output.

package import RedoRemote
internal import RedoStore

/// Standard input and output as one connection.
///
/// A class, because a stream is one.
package final class StandardPipe: ByteStream {
  /// The pipe.
  package init() {}

  package func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      _ = try File.standardInput.read(into: &bytes, atMost: limit)
    } catch {
      throw .stream(error.description)
    }
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws(RemoteError) {
    do throws(SystemError) {
      try File.standardOutput.writeAll(bytes)
    } catch {
      throw error.isBrokenPipe ? .closed : .stream(error.description)
    }
  }
}
