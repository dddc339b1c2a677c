// What the files of a remote's memory say. Each has one form, the one in which it is written; in any other it says nothing.

package import RedoObject
internal import RedoStore

/// An exchange with a remote that ended well.
package struct RemoteExchange: Equatable, Sendable {
  /// When it ended.
  package let time: WallTime
  /// How many nodes were fetched.
  package let fetched: Int
  /// How many nodes were pushed.
  package let pushed: Int

  /// An exchange.
  ///
  /// - Parameters:
  ///   - time: when it ended.
  ///   - fetched: how many nodes were fetched.
  ///   - pushed: how many nodes were pushed.
  package init(time: WallTime, fetched: Int, pushed: Int) {
    self.time = time
    self.fetched = fetched
    self.pushed = pushed
  }

  /// Reads the file `last`; `nil` when it is of no form.
  init?(_ bytes: [UInt8]) {
    let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, let time = WallTime.parse(Array(words[0]).span)?.time,
      let fetched = Int(String(decoding: words[1], as: UTF8.self)), fetched >= 0,
      let pushed = Int(String(decoding: words[2].dropLast(), as: UTF8.self)), pushed >= 0
    else { return nil }
    self.init(time: time, fetched: fetched, pushed: pushed)
    guard bytes == self.bytes else { return nil }
  }

  /// The file.
  var bytes: [UInt8] { Array("\(time.text) \(fetched) \(pushed)\n".utf8) }
}

extension StoreID {
  /// Reads the file `id`; `nil` when it is of no form.
  init?(line bytes: [UInt8]) {
    self.init(text: String(decoding: bytes.dropLast(), as: UTF8.self))
    guard bytes == line else { return nil }
  }

  /// The file.
  var line: [UInt8] { Array("\(text)\n".utf8) }
}

extension AccessNotes.Place {
  /// Reads the file `access`; `nil` when it is of no form.
  init?(line bytes: [UInt8]) {
    self.init(text: String(decoding: bytes.dropLast(), as: UTF8.self))
    guard bytes == line else { return nil }
  }

  /// The file.
  var line: [UInt8] { Array("\(text)\n".utf8) }
}
