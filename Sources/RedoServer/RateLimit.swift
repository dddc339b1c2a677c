// How often a client may send requests: a bucket that fills with time, and from which each request takes.

/// Buckets, one for each name.
package struct RateLimit: Sendable {
  /// The most names that are remembered.
  private static let nameLimit = 10_000

  private struct Bucket {
    var level: Double
    var filledNanoseconds: Int64
  }

  private let perSecond: Double
  private let size: Double
  private var buckets: [String: Bucket] = [:]

  /// A limit.
  ///
  /// - Parameters:
  ///   - perSecond: how many requests a second are answered in the long run; 0 for no limit.
  ///   - burst: how many at once.
  package init(perSecond: Int, burst: Int) {
    self.perSecond = Double(perSecond)
    size = Double(max(burst, 1))
  }

  /// Whether a client's bucket is empty, without taking anything.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - now: the time, in nanoseconds since some moment.
  /// - Returns: how many seconds to wait; `nil` when there is something.
  package func secondsToWait(_ name: String, now: Int64) -> Int? {
    guard perSecond > 0 else { return nil }
    let level = self.level(name, now)
    return level >= 1 ? nil : max(1, Int(((1 - level) / perSecond).rounded(.up)))
  }

  /// Takes one request from a client's bucket.
  ///
  /// - Parameters:
  ///   - name: the account.
  ///   - now: the time, in nanoseconds since some moment.
  /// - Returns: how many seconds to wait, when nothing was taken.
  package mutating func take(_ name: String, now: Int64) -> Int? {
    guard perSecond > 0 else { return nil }
    if let seconds = secondsToWait(name, now: now) { return seconds }
    if buckets[name] == nil, buckets.count >= Self.nameLimit { forget(now) }
    buckets[name] = Bucket(level: level(name, now) - 1, filledNanoseconds: now)
    return nil
  }

  private func level(_ name: String, _ now: Int64) -> Double {
    guard let bucket = buckets[name] else { return size }
    let seconds = Double(now - bucket.filledNanoseconds) / 1e9
    return min(size, bucket.level + seconds * perSecond)
  }

  /// Drops the buckets that are full again; when none is, all of them, so that memory has a bound.
  private mutating func forget(_ now: Int64) {
    buckets = buckets.filter { level($0.key, now) < size }
    if buckets.count >= Self.nameLimit { buckets = [:] }
  }
}
