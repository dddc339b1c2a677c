// Long messages in chunks by libsodium's crypto_secretstream_xchacha20poly1305: a chunk that is changed,
// left out, repeated or moved is refused, and the last one says that it is the last.

internal import CSodium

/// What the two ends of a stream share.
package enum SecretStream {
  /// The number of bytes of a key.
  package static let keyCount = 32
  /// The bytes before the first chunk.
  package static let headerCount = 24
  /// How many bytes more a sealed chunk has.
  package static let tagCount = 17

  /// What a chunk is.
  package enum Place: Sendable {
    /// Others follow.
    case middle
    /// None follows.
    case last

    fileprivate var tag: UInt8 {
      switch self {
      case .middle: UInt8(crypto_secretstream_xchacha20poly1305_TAG_MESSAGE)
      case .last: UInt8(crypto_secretstream_xchacha20poly1305_TAG_FINAL)
      }
    }
  }

  /// Memory for the state of a stream, which holds its key.
  fileprivate static func state() -> SecretBytes {
    SecretBytes(count: crypto_secretstream_xchacha20poly1305_statebytes())
  }
}

extension SecretBytes {
  /// Lends the memory as the state of a stream.
  ///
  /// SAFETY: the bytes are as many as the state has, begin where `sodium_malloc` ends up for a size that is
  /// a multiple of 4, and hold no pointers.
  @unsafe
  fileprivate borrowing func withState<Result>(
    _ body: (UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state>) -> Result
  ) -> Result {
    unsafe withMutablePointer { base in
      unsafe body(
        UnsafeMutableRawPointer(base).assumingMemoryBound(
          to: crypto_secretstream_xchacha20poly1305_state.self))
    }
  }
}

/// The end that seals.
package struct SecretStreamSealer: ~Copyable {
  private let state: SecretBytes
  /// What precedes the first chunk.
  package let header: [UInt8]

  /// Begins a stream.
  ///
  /// - Parameter key: 32 bytes.
  package init(key: borrowing SecretBytes) {
    precondition(key.count == SecretStream.keyCount, "BUG: a key of a stream has 32 bytes")
    _ = Sodium.ready
    let state = SecretStream.state()
    var header = [UInt8](repeating: 0, count: SecretStream.headerCount)
    // SAFETY: the call writes the state and 24 bytes, and reads 32.
    unsafe header.withUnsafeMutableBufferPointer { header in
      unsafe state.withState { state in
        unsafe key.withMutablePointer { key in
          guard let header = header.baseAddress else { return }
          _ = unsafe crypto_secretstream_xchacha20poly1305_init_push(state, header, key)
        }
      }
    }
    self.header = header
    self.state = state
  }

  /// Seals the next chunk.
  ///
  /// - Parameters:
  ///   - chunk: its bytes.
  ///   - place: whether it is the last.
  /// - Returns: the sealed chunk, `tagCount` bytes longer.
  package mutating func seal(_ chunk: Span<UInt8>, _ place: SecretStream.Place) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: chunk.count + SecretStream.tagCount)
    // SAFETY: the call writes 17 bytes more than it reads.
    unsafe sealed.withUnsafeMutableBufferPointer { output in
      unsafe chunk.withUnsafeBufferPointer { input in
        unsafe state.withState { state in
          guard let output = output.baseAddress else { return }
          _ = unsafe crypto_secretstream_xchacha20poly1305_push(
            state, output, nil, input.baseAddress, UInt64(input.count), nil, 0, place.tag)
        }
      }
    }
    return sealed
  }
}

/// The end that opens.
package struct SecretStreamOpener: ~Copyable {
  private let state = SecretStream.state()

  /// Begins a stream.
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - header: the 24 bytes before the first chunk.
  package init(key: borrowing SecretBytes, header: Span<UInt8>) {
    precondition(
      key.count == SecretStream.keyCount && header.count == SecretStream.headerCount,
      "BUG: a key of a stream has 32 bytes, its header 24")
    _ = Sodium.ready
    // SAFETY: the call writes the state, and reads 24 and 32 bytes.
    unsafe header.withUnsafeBufferPointer { header in
      unsafe state.withState { state in
        unsafe key.withMutablePointer { key in
          guard let header = header.baseAddress else { return }
          _ = unsafe crypto_secretstream_xchacha20poly1305_init_pull(state, header, key)
        }
      }
    }
  }

  /// Opens the next chunk.
  ///
  /// - Parameters:
  ///   - sealed: what was sealed.
  ///   - place: whether it must be the last.
  /// - Returns: `nil` when it is another chunk, was changed, or has another place.
  package mutating func open(_ sealed: Span<UInt8>, _ place: SecretStream.Place) -> [UInt8]? {
    guard sealed.count >= SecretStream.tagCount else { return nil }
    var chunk = [UInt8](repeating: 0, count: sealed.count - SecretStream.tagCount)
    var tag: UInt8 = 0
    // SAFETY: the call writes 17 bytes less than it reads, and one byte.
    let status = unsafe chunk.withUnsafeMutableBufferPointer { output in
      unsafe sealed.withUnsafeBufferPointer { input in
        unsafe state.withState { state in
          unsafe crypto_secretstream_xchacha20poly1305_pull(
            state, output.baseAddress, nil, &tag, input.baseAddress, UInt64(input.count), nil, 0)
        }
      }
    }
    guard status == 0, tag == place.tag else { return nil }
    return chunk
  }
}
