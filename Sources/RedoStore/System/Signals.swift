// What signals do to the process (signal(7)). SIGPIPE keeps its default: a command whose reader has
// gone dies silently by it, as pipelines expect.

internal import Glibc

/// What signals do to the process.
package enum Signals {
  /// Makes a write past the file size limit an error (EFBIG) instead of the end of the process,
  /// so that temporary files are removed and the failure is told.
  package static func ignoreFileSizeSignal() {
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}
