// Why a sealed file could not be read.

package import RedoCrypto

/// Why a sealed file could not be read.
package enum SealedError: Error, Equatable, Sendable {
  /// A system call did not succeed.
  case system(SystemError)
  /// The file does not begin as a sealed file does.
  case notSealed
  /// The file is a sealed one of a version that is not read here.
  case unsupported(version: UInt8)
  /// The bytes at a place of the file are not what they should be.
  case corrupt(offset: Int, reason: String)
  /// The passphrase asks for more memory or time than allowed.
  case cost(Argon2id.Cost)
  /// The system does not have as much memory as the passphrase needs.
  case noMemory(Argon2id.Cost)
}

extension SealedError {
  /// An error of the place where the bytes are.
  init(_ error: PackError) {
    switch error {
    case .system(let error): self = .system(error)
    case .notPack: self = .notSealed
    case .unsupported(let version): self = .unsupported(version: version)
    case .corrupt(let offset, let reason): self = .corrupt(offset: offset, reason: reason)
    }
  }
}
