// The nodes of packs that came, judged by themselves: beside the coming of others, and ahead of their being
// taken in.

internal import RedoObject
package import RedoStore

/// Decodes and judges the nodes of packs, frame by frame on all processors, in their order.
///
/// A class, because whoever receives begins it and whoever takes in goes on with it; dropping it waits for
/// its threads.
package final class PackJudging {
  /// Nodes of a frame.
  package struct Nodes: Sendable {
    /// The nodes, and the frame that they came in.
    let came: IncomingFrame.Nodes
    /// What was found about each.
    package let judged: [Judged]
  }

  private typealias Read = Result<IncomingFrame, SystemError>
  private typealias Work = OrderedWork<Frames, Read, FrameInflater, Step>

  /// Where frames come from.
  private struct Frames {
    var packs: [IncomingPack]
    /// The number of the pack that is being read.
    var number = 0
    var reading: IncomingReading?

    mutating func next() -> Read? {
      do throws(SystemError) {
        while number < packs.count {
          if reading == nil { reading = packs[number].read() }
          if let frame = try reading?.nextFrame() { return .success(frame) }
          reading = nil
          number += 1
        }
        return nil
      } catch {
        // What cannot be read is told once.
        number = packs.count
        return .failure(error)
      }
    }
  }

  /// What became of a frame.
  private enum Step: Sendable {
    case nodes(Nodes)
    case damaged
    case failed(SystemError)

    var byteCount: Int {
      switch self {
      case .nodes(let nodes): nodes.came.objects.reduce(0) { $0 + $1.canonical.count }
      case .damaged, .failed: 0
      }
    }
  }

  private let first: IncomingPack?
  private var byteCount: Int
  private let work: Work
  /// How many frames were passed over because their bytes are none that a frame has; to be asked at the end.
  private(set) var damagedFrames = 0

  /// The bodies that are judged ahead where memory is for one exchange alone.
  private static let aloneBytes = 12 << 20
  /// The bodies that are judged ahead elsewhere.
  private static let sharedBytes = 2 << 20
  /// The bytes of packs up to which the nodes of each frame are shared among the processors, and not frames.
  private static let fewBytes = 256 << 10

  /// - Parameters:
  ///   - packs: what came.
  ///   - options: how it is judged.
  ///   - isAlone: whether memory is for this alone.
  package init(_ packs: [IncomingPack], _ options: Intake.Options, isAlone: Bool) {
    first = packs.first
    byteCount = packs.reduce(0) { $0 + $1.byteCount }
    var single = options
    single.threads = 1
    work = Work(
      Frames(packs: packs), limit: isAlone ? Self.aloneBytes : Self.sharedBytes,
      Work.Steps(
        next: { $0.next() }, makeState: { FrameInflater() },
        make: { [single] inflater, read, isAlone in
          switch read {
          case .failure(let error): return .failed(error)
          case .success(let frame):
            guard let came = frame.nodes(&inflater) else { return .damaged }
            return .nodes(
              Nodes(came: came, judged: Intake.judge(came.objects, isAlone ? options : single)))
          }
        }, cost: { $0.byteCount }))
  }

  /// Whether this is about a pack and what comes after it.
  func begins(with pack: IncomingPack?) -> Bool { pack != nil && first === pack }

  /// Begins before anybody asks.
  package func begin() {
    guard !work.isBegun, byteCount > Self.fewBytes else { return }
    work.begin(threads: Threads.processorCount)
  }

  /// Adds packs that came behind the first.
  package func add(_ others: some Sequence<IncomingPack>) {
    let others = Array(others)
    byteCount += others.reduce(0) { $0 + $1.byteCount }
    work.extend { $0.packs += others }
  }

  /// The nodes of the next frame; `nil` at the end.
  ///
  /// - Throws: what pread(2) answered.
  package func next() throws(SystemError) -> Nodes? {
    begin()
    while let step = work.next() {
      switch step {
      case .nodes(let nodes): return nodes
      case .failed(let error): throw error
      case .damaged: damagedFrames += 1
      }
    }
    return nil
  }
}
