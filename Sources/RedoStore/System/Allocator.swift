// How the C library keeps memory.

internal import CLinux

/// The allocator of this process.
package enum Allocator {
  /// Lets the allocator ask the kernel for memory in large steps, and keep what is freed.
  ///
  /// For commands that read pack after pack: frames come and go, and getting their memory from the kernel
  /// again and again costs more than filling it. At most 4 MiB a thread are held unused.
  package static func keepFreed() {
    let mebibyte: Int32 = 1 << 20
    _ = mallopt(Int32(LINUX_M_TOP_PAD), 4 * mebibyte)
    _ = mallopt(Int32(LINUX_M_TRIM_THRESHOLD), 256 * mebibyte)
    _ = mallopt(Int32(LINUX_M_MMAP_THRESHOLD), 32 * mebibyte)
  }

  /// Memory as malloc(3) gives it, also where another function has taken the place of that one.
  ///
  /// - Parameter size: how many bytes are asked for.
  /// - Returns: the memory, which is the caller's; `nil` where there is none.
  package static func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    // SAFETY: it takes a number and gives a pointer that nobody else has.
    unsafe __libc_malloc(size)
  }
}
