// The nodes of packs that came, judged by themselves: beside the coming of others, and one step ahead of
// their being taken in.

internal import RedoObject
internal import RedoStore

/// Decodes and judges the nodes of packs, on threads of its own.
///
/// A class, because whoever receives begins it and whoever takes in goes on with it; dropping it waits for
/// its thread.
final class PackJudging {
  /// Nodes of some frames.
  struct Nodes: Sendable {
    /// The nodes, and the frames that they came in.
    let came: IncomingReading.Nodes
    /// What was found about each.
    let judged: [Judged]
  }

  private let source: JudgedPacks
  private var ahead: Ahead<[JudgedPacks.Step]>?
  /// What was made and not yet handed out, in its order.
  private var ready: ArraySlice<JudgedPacks.Step> = []

  /// The bodies that are judged before anybody asks for them.
  private static let earlyBytes = 12 << 20
  /// The bodies that are judged while others are taken in.
  private static let aheadBytes = 2 << 20
  /// The bytes of packs for which no thread is worth it.
  private static let fewBytes = 16_384

  /// - Parameters:
  ///   - packs: what came.
  ///   - options: how it is judged.
  init(_ packs: [IncomingPack], _ options: Intake.Options) {
    source = JudgedPacks(packs, options)
  }

  /// How many frames were passed over because their bytes are none that a frame has; to be asked at the end.
  var damagedFrames: Int { source.damagedFrames }

  /// Whether this is about a pack and what comes after it.
  func begins(with pack: IncomingPack?) -> Bool { pack != nil && source.packs.first === pack }

  /// Begins before anybody asks.
  func begin() { ahead = Ahead { [source] in source.steps(bytes: Self.earlyBytes) } }

  /// Adds packs that came behind the first.
  func add(_ others: some Sequence<IncomingPack>) {
    settle()
    source.packs += others
    // What was the end is none any more.
    if case .end = ready.last { ready.removeLast() }
  }

  /// The next nodes; `nil` at the end.
  ///
  /// - Throws: what pread(2) answered.
  func next() throws(SystemError) -> Nodes? {
    if ready.isEmpty { settle() }
    if ready.isEmpty { ready = source.steps(bytes: 1)[...] }
    switch ready.popFirst() {
    case .nodes(let nodes):
      goOn()
      return nodes
    case .failed(let error): throw error
    case .end, nil: return nil
    }
  }

  /// Begins with what comes after that which is ready.
  private func goOn() {
    guard ahead == nil, source.byteCount > Self.fewBytes else { return }
    switch ready.last {
    case .end, .failed: break
    case .nodes, nil: ahead = Ahead { [source] in source.steps(bytes: Self.aheadBytes) }
    }
  }

  /// Takes over what was made ahead.
  private func settle() {
    if let made = ahead.take() { ready += made.value() }
  }
}

/// What a thread works on.
///
/// A class, because its owner waits for the thread and goes on with it. Unchecked: only the thread touches
/// it, or, when there is none, its owner.
private final class JudgedPacks: @unchecked Sendable {
  enum Step: Sendable {
    case nodes(PackJudging.Nodes)
    case failed(SystemError)
    case end
  }

  private let options: Intake.Options
  var packs: [IncomingPack]
  /// The number of the pack that is being read.
  private var number = 0
  private var reading: IncomingReading?
  private(set) var damagedFrames = 0

  init(_ packs: [IncomingPack], _ options: Intake.Options) {
    self.packs = packs
    self.options = options
  }

  var byteCount: Int { packs.reduce(0) { $0 + $1.byteCount } }

  /// Judges until there are so many bytes of bodies, or no more.
  func steps(bytes limit: Int) -> [Step] {
    var steps: [Step] = []
    var bytes = 0
    while bytes < limit {
      let step = step()
      steps.append(step)
      guard case .nodes(let nodes) = step else { break }
      bytes += nodes.came.objects.reduce(0) { $0 + $1.canonical.count }
    }
    return steps
  }

  private func step() -> Step {
    do throws(SystemError) {
      while number < packs.count {
        if reading == nil { reading = packs[number].read() }
        if let came = try reading?.nextFrames() {
          return .nodes(
            PackJudging.Nodes(came: came, judged: Intake.judge(came.objects, options)))
        }
        damagedFrames += reading?.damagedCount ?? 0
        reading = nil
        number += 1
      }
      return .end
    } catch {
      return .failed(error)
    }
  }
}
