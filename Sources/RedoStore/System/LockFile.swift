// A kernel lock on an open file description (fcntl_locking(2)): it ends with the last descriptor
// of that description, so with the process, whatever way that ends; and unlike the older record
// locks it also keeps two threads of one process apart.

internal import CLinux
internal import Glibc

/// A lock, held until this goes out of scope.
package struct LockFile: ~Copyable, Sendable {
  private let file: File
  private let part: Part

  /// The longest sleep between two tries, in milliseconds.
  private static let longestSleepMilliseconds: Int64 = 50

  /// Who else may hold it at the same time.
  package enum Mode: Sendable {
    /// Nobody.
    case alone
    /// Others who share it.
    case shared

    fileprivate var type: Int16 { self == .alone ? Int16(F_WRLCK) : Int16(F_RDLCK) }
  }

  /// What of the file is locked: a lock of the whole is one of every part.
  package enum Part: Sendable {
    /// All of it.
    case whole
    /// One byte, which need not be there.
    case byte(Int)
  }

  private init(file: consuming File, part: Part) {
    self.file = file
    self.part = part
  }

  deinit {
    // A program that another thread is about to start has copies of all descriptors until it runs, so
    // closing ours would not end the lock. The result of this call does not matter.
    var request = Self.request(Int16(F_UNLCK), part)
    // SAFETY: the call reads the plain struct.
    _ = unsafe linux_fcntl_lock(file.raw, Int32(LINUX_F_OFD_SETLK), &request)
  }

  /// Takes the lock, waiting for another holder at most so long.
  ///
  /// - Parameters:
  ///   - directory: the directory of the lock file.
  ///   - name: its name; it is made when it is missing, and never removed.
  ///   - part: what of it is locked.
  ///   - mode: who else may hold it.
  ///   - timeoutMilliseconds: how long to wait; 0 tries once.
  ///   - permissions: of a new file, before the umask.
  ///   - options: how the file is opened; without `create` it must be there.
  /// - Returns: `nil` when another process still holds it after that time.
  /// - Throws: what open(2) or fcntl(2) answered.
  package static func acquire(
    in directory: borrowing Directory, name: String, part: Part = .whole, mode: Mode = .alone,
    timeoutMilliseconds: Int, permissions: UInt32 = 0o644,
    options: File.Options = [.create, .nonBlocking]
  ) throws(SystemError) -> LockFile? {
    let file = try open(directory, name, mode, permissions, options)
    let nanoseconds = Int64(timeoutMilliseconds).multipliedReportingOverflow(by: 1_000_000)
    let start = SystemClock.monotonicNanoseconds()
    let (sum, isOver) = start.addingReportingOverflow(nanoseconds.partialValue)
    let deadline = nanoseconds.overflow || isOver ? Int64.max : sum
    var sleep: Int64 = 1
    while true {
      var request = Self.request(mode.type, part)
      // SAFETY: the call reads the plain struct.
      let answer = retryingInterrupted {
        unsafe linux_fcntl_lock(file.raw, Int32(LINUX_F_OFD_SETLK), &request)
      }
      if answer == 0 { return LockFile(file: file, part: part) }
      guard errno == EAGAIN || errno == EACCES else { throw .last("lock", file.path) }
      let left = (deadline - SystemClock.monotonicNanoseconds()) / 1_000
      guard left > 0 else { return nil }
      // Growing, and uneven, so that waiters do not knock in step.
      let microseconds = Int64(Random.uint64() % UInt64(sleep * 500)) + sleep * 500
      SystemClock.sleep(microseconds: min(left, microseconds))
      sleep = min(sleep * 2, longestSleepMilliseconds)
    }
  }

  /// Opens the lock file; to share a lock reading is enough, so that it can be had where nothing may
  /// be written.
  private static func open(
    _ directory: borrowing Directory, _ name: String, _ mode: Mode, _ permissions: UInt32,
    _ options: File.Options
  ) throws(SystemError) -> File {
    if mode == .shared, let file = try directory.openFileIfPresent(name, .read, .nonBlocking) {
      return file
    }
    return try directory.openFile(name, .readWrite, options, mode: permissions)
  }

  /// Whether somebody holds the lock now; the answer may be old by the time it arrives.
  ///
  /// - Parameters:
  ///   - directory: where the lock file lies.
  ///   - name: its name; nobody holds a missing file.
  /// - Returns: whether it is locked.
  /// - Throws: what open(2) or fcntl(2) answered.
  package static func isHeld(
    in directory: borrowing Directory, name: String
  ) throws(SystemError) -> Bool {
    // The question is about a read lock, for which opening to read is enough.
    guard let file = try directory.openFileIfPresent(name, .read, .nonBlocking) else {
      return false
    }
    var request = Self.request(Int16(F_RDLCK), .whole)
    // SAFETY: the call fills in the plain struct.
    let answer = retryingInterrupted {
      unsafe linux_fcntl_lock(file.raw, Int32(LINUX_F_OFD_GETLK), &request)
    }
    guard answer == 0 else { throw .last("lock", file.path) }
    return request.l_type != Int16(F_UNLCK)
  }

  /// Whether the locked file still has its name.
  ///
  /// If a file that is replaced serves as its own lock, those who waited hold the lock of the old file.
  ///
  /// - Parameters:
  ///   - directory: the directory of the lock file.
  ///   - name: its name.
  /// - Returns: whether the name belongs to the locked file.
  /// - Throws: what fstatat(2) or fstat(2) answered.
  package func isNamed(
    in directory: borrowing Directory, name: String
  ) throws(SystemError) -> Bool {
    guard let named = try directory.status(name) else { return false }
    return try file.status().isSameFile(as: named)
  }

  /// The process id must be 0 for this kind of lock; a length of 0 is the whole file.
  private static func request(_ type: Int16, _ part: Part) -> flock {
    var request = flock()
    request.l_type = type
    request.l_whence = Int16(SEEK_SET)
    if case .byte(let offset) = part {
      request.l_start = offset
      request.l_len = 1
    }
    return request
  }
}
