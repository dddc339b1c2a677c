// A file in memory, read when it is touched (mmap(2)).

internal import Glibc

/// The bytes of a regular file, mapped for reading.
///
/// A class, because the mapping has one owner and is shared by threads. Files that are mapped are
/// replaced by renaming and never shortened, so that the bytes stay.
@safe
package final class Mapping: Sendable {
  /// The first byte; page-aligned.
  package nonisolated(unsafe) let base: UnsafeRawPointer
  /// The number of bytes, above 0.
  package let count: Int

  /// Maps a whole file.
  ///
  /// - Returns: `nil` when it is empty.
  /// - Throws: what fstat(2) or mmap(2) answered; `notRegular` when it is something else.
  package init?(_ file: borrowing File) throws(SystemError) {
    let status = try file.status()
    guard status.kind == .regular else { throw .notRegular(file.path) }
    guard status.size > 0 else { return nil }
    // SAFETY: a new mapping of the file's bytes, private and only read.
    let address = unsafe mmap(nil, status.size, PROT_READ, MAP_PRIVATE, file.raw, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw .last("map", file.path)
    }
    unsafe base = UnsafeRawPointer(address)
    count = status.size
  }

  deinit {
    // SAFETY: exactly what was mapped, given back once.
    _ = unsafe munmap(UnsafeMutableRawPointer(mutating: base), count)
  }
}
