// Judging the nodes of incoming packs by themselves, while others are still arriving, and before they are taken in.

internal import RedoObject
package import RedoStore

/// Decodes and judges the nodes of packs, frame by frame on all processors, in their order.
///
/// A class, because the receiver starts it and the code that takes nodes in continues it; releasing it waits for its
/// threads.
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

  /// The source of frames.
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
        // A frame that cannot be read is reported once.
        number = packs.count
        return .failure(error)
      }
    }
  }

  /// The result for a frame.
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
  /// The number of frames that were skipped because their bytes are not a valid frame; to be read at the end.
  private(set) var damagedFrames = 0

  /// The bytes of bodies that are judged ahead when one exchange has the memory to itself.
  private static let aloneBytes = 12 << 20
  /// The bytes of bodies that are judged ahead otherwise.
  private static let sharedBytes = 2 << 20
  /// Up to this many bytes of packs, the nodes of each frame are divided among the processors, instead of the frames.
  private static let fewBytes = 256 << 10

  /// - Parameters:
  ///   - packs: the packs that arrived.
  ///   - options: how they are judged.
  ///   - isAlone: whether it has the memory to itself.
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

  /// Whether this is about a pack and the packs after it.
  func begins(with pack: IncomingPack?) -> Bool { pack != nil && first === pack }

  /// Starts before the result is needed.
  package func begin() {
    guard !work.isBegun, byteCount > Self.fewBytes else { return }
    work.begin(threads: Threads.processorCount)
  }

  /// Adds packs that arrived after the first.
  package func add(_ others: some Sequence<IncomingPack>) {
    let others = Array(others)
    byteCount += others.reduce(0) { $0 + $1.byteCount }
    work.extend { $0.packs += others }
  }

  /// The nodes of the next frame; `nil` at the end.
  ///
  /// - Throws: the error of pread(2).
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
