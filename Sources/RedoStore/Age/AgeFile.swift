// An age file that is read in place: any part of its contents, a chunk at a time, a few chunks kept. What is decrypted
// is in memory only.

package import RedoCrypto
internal import Synchronization

/// Why an age file cannot be read.
package enum AgeFileError: Error, Equatable, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// The file is not as it must be.
  case age(AgeFault)
}

extension AgeFileError {
  /// An error of the place where the bytes are.
  fileprivate init(_ error: PackError) {
    switch error {
    case .system(let error): self = .system(error)
    case .notPack, .unsupported, .kind, .locked, .corrupt: self = .age(.notAge)
    }
  }
}

/// Finds the key of the payload of a file, without asking anybody; `nil` when there is none.
package typealias AgeUnlocking = @Sendable (AgeHeader) -> SecretBytes?

extension PackSource {
  /// A file of a pack, which is opened if it is encrypted.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - unlock: finds its key.
  /// - Returns: the pack.
  /// - Throws: `locked` when there is no key, `corrupt` for a damaged file, `system`.
  static func opening(
    _ file: consuming File, _ unlock: AgeUnlocking
  ) throws(PackError) -> PackSource {
    let start: [UInt8]
    do throws(SystemError) { start = try file.read(AgeHeader.magic.count, at: 0) } catch {
      throw .system(error)
    }
    guard AgeHeader.isAge(start) else { return .file(file) }
    var isLocked = false
    do throws(AgeFileError) {
      let locked = try LockedAge(.file(file))
      if let key = unlock(locked.header) { return .age(try locked.open(key)) }
      isLocked = true
    } catch {
      if case .system(let error) = error { throw .system(error) }
    }
    throw isLocked ? .locked : .corrupt(offset: 0, reason: "its encryption is damaged")
  }
}

/// An age file whose header was read, and that nothing has opened yet.
package struct LockedAge: ~Copyable {
  /// Its header.
  package let header: AgeHeader
  private let source: PackSource
  private let fileBytes: Int

  /// The bytes that are read at first: a header for some hundred keys.
  private static let firstBytes = 65_536

  /// Reads the header of a file.
  ///
  /// - Parameter source: where its bytes are.
  /// - Throws: `system`, `age`.
  package init(_ source: consuming PackSource) throws(AgeFileError) {
    let size = try Self.mapping { () throws(PackError) in try source.size() }
    var count = min(Self.firstBytes, size)
    while true {
      let bytes = try Self.mapping { () throws(PackError) in try source.read(count, at: 0) }
      let header: AgeHeader?
      do throws(AgeFault) {
        header = try AgeHeader.read(bytes, isWhole: bytes.count == size || bytes.count < count)
      } catch {
        throw .age(error)
      }
      if let header {
        self.header = header
        break
      }
      count = min(2 * count, size)
    }
    fileBytes = size
    self.source = source
  }

  private static func mapping<Value>(
    _ body: () throws(PackError) -> Value
  ) throws(AgeFileError) -> Value {
    do throws(PackError) { return try body() } catch { throw AgeFileError(error) }
  }

  /// Opens the file; its last chunk is decrypted, which proves how long it is.
  ///
  /// - Parameter key: what `header.payloadKey` gives.
  /// - Returns: the file.
  /// - Throws: `system`; `age` when the file was cut off or its last chunk changed.
  package consuming func open(_ key: consuming SecretBytes) throws(AgeFileError) -> AgeFile {
    let file = try AgeFile(source, key, start: header.end, fileBytes: fileBytes)
    return file
  }
}

/// An open age file, whose contents are read as those of any file.
///
/// A class, because a source of packs refers to it; `@unchecked`, because the key is only read and the chunks are
/// behind a lock.
package final class AgeFile: @unchecked Sendable {
  /// The bytes of the file.
  package let fileBytes: Int
  /// The bytes of its contents.
  package let count: Int
  private let source: PackSource
  private let key: SecretBytes
  /// Where the payload begins.
  private let start: Int
  private let chunks: Int
  /// Chunks that were read, the one that was asked for last at the end.
  private let kept = Mutex<[Kept]>([])

  private struct Kept {
    let number: Int
    let bytes: [UInt8]
  }

  /// How many chunks are kept: half a MiB.
  private static let keptLimit = 8

  fileprivate init(
    _ source: consuming PackSource, _ key: consuming SecretBytes, start: Int, fileBytes: Int
  ) throws(AgeFileError) {
    let payload = fileBytes - start
    let chunks = max(1, (payload + AgeStream.sealedBytes - 1) / AgeStream.sealedBytes)
    let tags = chunks * (AgeStream.sealedBytes - AgeStream.chunkBytes)
    self.fileBytes = fileBytes
    self.source = source
    self.key = key
    self.start = start
    self.chunks = chunks
    count = payload - tags
    guard count > (chunks - 1) * AgeStream.chunkBytes || (count == 0 && chunks == 1) else {
      throw .age(.payload(chunk: chunks - 1, count < 0 || chunks == 1 ? .cutOff : .empty))
    }
    do throws(PackError) { _ = try chunk(chunks - 1) } catch {
      if case .system(let error) = error { throw .system(error) }
      throw .age(.payload(chunk: chunks - 1, .changed))
    }
  }

  /// Reads a part of the contents; fewer bytes only when they end.
  ///
  /// - Parameters:
  ///   - count: how many bytes.
  ///   - offset: where they begin.
  /// - Returns: the bytes.
  /// - Throws: `system`; `corrupt` for a chunk that was changed.
  func read(_ count: Int, at offset: Int) throws(PackError) -> [UInt8] {
    var place = min(max(offset, 0), self.count)
    let end = place + min(max(count, 0), self.count - place)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - place)
    while place < end {
      let number = place / AgeStream.chunkBytes
      let chunk = try chunk(number)
      let first = place - number * AgeStream.chunkBytes
      let last = min(chunk.count, end - number * AgeStream.chunkBytes)
      bytes += chunk[first..<last]
      place += last - first
    }
    return bytes
  }

  private func chunk(_ number: Int) throws(PackError) -> [UInt8] {
    let known: [UInt8]? = kept.withLock { kept in
      guard let place = kept.firstIndex(where: { $0.number == number }) else { return nil }
      let found = kept.remove(at: place)
      kept.append(found)
      return found.bytes
    }
    if let known { return known }
    let isLast = number == chunks - 1
    let place = start + number * AgeStream.sealedBytes
    let size = isLast ? fileBytes - place : AgeStream.sealedBytes
    let sealed = try source.read(size, at: place)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    guard sealed.count == size,
      AgeStream.open(sealed.span, number, isLast: isLast, key: key, into: &bytes)
    else { throw .corrupt(offset: place, reason: "an encrypted chunk was changed") }
    kept.withLock { kept in
      if kept.count == Self.keptLimit { kept.removeFirst() }
      kept.append(Kept(number: number, bytes: bytes))
    }
    return bytes
  }
}
