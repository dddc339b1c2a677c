// What all wrappers of this folder share.

internal import Glibc

/// Repeats a call for as long as a signal interrupts it (signal(7)).
///
/// - Parameter call: answers -1 and sets errno when it does not succeed.
/// - Returns: the first answer that is not an interruption.
@inline(__always)
func retryingInterrupted<Value: SignedInteger>(_ call: () -> Value) -> Value {
  while true {
    let value = call()
    if value != -1 || errno != EINTR { return value }
  }
}

/// Joins a directory's path and a name below it.
package func joinPath(_ directory: String, _ name: String) -> String {
  if directory.isEmpty || name.utf8.first == UInt8(ascii: "/") { return name }
  if name.isEmpty { return directory }
  return directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
}
