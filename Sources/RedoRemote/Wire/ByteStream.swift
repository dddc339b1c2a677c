// What two sides talk over: bytes in both directions, whatever carries them.

/// One end of a connection.
///
/// A class, because what is read by one holder is read for all of them.
package protocol ByteStream: AnyObject {
  /// Waits for bytes and reads them.
  ///
  /// - Parameter limit: the most bytes, above 0.
  /// - Returns: at least one; none when the other side has ended it.
  /// - Throws: `stream` when it no longer works.
  func read(atMost limit: Int) throws(RemoteError) -> [UInt8]

  /// Writes all of some bytes.
  ///
  /// - Parameter bytes: in any number.
  /// - Throws: `closed` or `stream`.
  func write(_ bytes: [UInt8]) throws(RemoteError)
}
