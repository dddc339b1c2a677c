// A kernel lock on an open file description (fcntl_locking(2)): it ends with the last descriptor
// of that description, so with the process, whatever way that ends; and unlike the older record
// locks it also keeps two threads of one process apart.

internal import CLinux
internal import Glibc

/// An exclusive lock, held until this goes out of scope.
package struct LockFile: ~Copyable, Sendable {
  private let file: File

  /// The longest sleep between two tries, in milliseconds.
  private static let longestSleepMilliseconds: Int64 = 50

  private init(file: consuming File) {
    self.file = file
  }

  /// Takes the lock, waiting for another holder at most so long.
  ///
  /// - Parameters:
  ///   - directory: where the lock file lies.
  ///   - name: its name; it is made when it is missing, and never removed.
  ///   - timeoutMilliseconds: how long to wait; 0 tries once.
  ///   - mode: the permissions of a new file, before the umask.
  /// - Returns: `nil` when somebody else holds it still after that time.
  /// - Throws: what open(2) or fcntl(2) answered.
  package static func acquire(
    in directory: borrowing Directory, name: String, timeoutMilliseconds: Int,
    mode: UInt32 = 0o644
  ) throws(SystemError) -> LockFile? {
    let file = try directory.openFile(name, .readWrite, [.create], mode: mode)
    let nanoseconds = Int64(timeoutMilliseconds).multipliedReportingOverflow(by: 1_000_000)
    let start = SystemClock.monotonicNanoseconds()
    let (sum, isOver) = start.addingReportingOverflow(nanoseconds.partialValue)
    let deadline = nanoseconds.overflow || isOver ? Int64.max : sum
    var sleep: Int64 = 1
    while true {
      var request = Self.request(Int16(F_WRLCK))
      // SAFETY: the call reads the plain struct.
      let answer = retryingInterrupted {
        unsafe linux_fcntl_lock(file.raw, Int32(LINUX_F_OFD_SETLK), &request)
      }
      if answer == 0 { return LockFile(file: file) }
      guard errno == EAGAIN || errno == EACCES else { throw .last("lock", file.path) }
      let left = (deadline - SystemClock.monotonicNanoseconds()) / 1_000
      guard left > 0 else { return nil }
      // Growing, and uneven, so that waiters do not knock in step.
      let microseconds = Int64(Random.uint64() % UInt64(sleep * 500)) + sleep * 500
      SystemClock.sleep(microseconds: min(left, microseconds))
      sleep = min(sleep * 2, longestSleepMilliseconds)
    }
  }

  /// Whether somebody holds the lock now; the answer may be old by the time it arrives.
  ///
  /// - Parameters:
  ///   - directory: where the lock file lies.
  ///   - name: its name; a missing file is held by nobody.
  /// - Returns: whether it is locked.
  /// - Throws: what open(2) or fcntl(2) answered.
  package static func isHeld(
    in directory: borrowing Directory, name: String
  ) throws(SystemError) -> Bool {
    // A read lock is asked about, for which opening to read is enough.
    guard let file = try directory.openFileIfPresent(name) else { return false }
    var request = Self.request(Int16(F_RDLCK))
    // SAFETY: the call fills in the plain struct.
    let answer = retryingInterrupted {
      unsafe linux_fcntl_lock(file.raw, Int32(LINUX_F_OFD_GETLK), &request)
    }
    guard answer == 0 else { throw .last("lock", file.path) }
    return request.l_type != Int16(F_UNLCK)
  }

  /// Whether the locked file still has its name.
  ///
  /// Where a file that is replaced serves as its own lock, those who waited hold the lock of the
  /// old file.
  ///
  /// - Parameters:
  ///   - directory: where the lock file lies.
  ///   - name: its name.
  /// - Returns: whether the name stands for the locked file.
  /// - Throws: what fstatat(2) or fstat(2) answered.
  package func isNamed(
    in directory: borrowing Directory, name: String
  ) throws(SystemError) -> Bool {
    guard let named = try directory.status(name) else { return false }
    return try file.status().isSameFile(as: named)
  }

  /// The whole file; the process id must be 0 for this kind of lock.
  private static func request(_ type: Int16) -> flock {
    var request = flock()
    request.l_type = type
    request.l_whence = Int16(SEEK_SET)
    return request
  }
}
