// The contents of an encrypted archive, read in place: a chunk is decrypted when it is asked for, and nothing is kept
// but a few of them in memory. Armor is taken off first, which leaves bytes that are still encrypted.

internal import RedoCrypto
package import RedoStore

/// Opens encrypted archives.
package enum AgeSource {
  /// Opens a file.
  ///
  /// - Parameters:
  ///   - source: where its bytes are.
  ///   - path: its name in messages.
  ///   - keys: what is tried.
  ///   - effects: whose keyring and terminal are asked.
  /// - Returns: the file.
  /// - Throws: `SealFault.locked` when nothing opens it; `SealFault.file` when it is damaged.
  package static func open(
    _ source: consuming PackSource, _ path: String, _ keys: SealKeys, _ effects: Effects
  ) throws -> AgeFile {
    let locked: LockedAge
    do throws(AgeFileError) { locked = try LockedAge(source) } catch {
      throw SealKeys.failure(error, path)
    }
    let key = try keys.payloadKey(locked.header, path, effects)
    do throws(AgeFileError) { return try locked.open(key) } catch {
      throw SealKeys.failure(error, path)
    }
  }

  /// Whether a file begins as an encrypted one does, armored or not.
  package static func isOne(_ start: [UInt8]) -> Bool {
    AgeHeader.isAge(start) || AgeArmor.isArmor(start)
  }

  /// A source without the armor, if it has one.
  ///
  /// - Parameters:
  ///   - source: where the bytes are.
  ///   - start: the first of them.
  ///   - path: its name in messages.
  /// - Returns: the bytes without the armor, in memory; the source itself where there is none.
  /// - Throws: `SealFault.file`.
  static func bare(
    _ source: consuming PackSource, _ start: [UInt8], _ path: String
  ) throws -> PackSource {
    guard AgeArmor.isArmor(start) else { return source }
    var reader = AgeArmorReader()
    var bytes: [UInt8] = []
    var place = 0
    while true {
      let text: [UInt8]
      do throws(PackError) { text = try source.part(pieceBytes, at: place) } catch {
        throw ArchiveFile.failure(error, path)
      }
      do throws(AgeFault) {
        if text.isEmpty {
          try reader.finish(into: &bytes)
          return .memory(bytes)
        }
        try reader.add(text, into: &bytes)
      } catch {
        throw SealFault.file(.age(error), path: path)
      }
      place += text.count
    }
  }

  private static let pieceBytes = 1 << 18
}
