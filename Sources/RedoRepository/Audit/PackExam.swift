// A pack as a whole: every frame, on any thread, then a comparison of what the pack and its index say with what was
// found.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// An open pack.
///
/// A class, because threads share it.
package final class OpenPack: Sendable {
  package let reader: PackReader

  /// - Throws: what is wrong with its beginning, its end or its directory.
  package init(_ file: consuming PackSource, of kinds: [ObjectKind]) throws(PackError) {
    reader = try PackReader(file, of: kinds)
  }

  package var frameCount: Int { reader.directory.frames.count }

  /// Reads a frame.
  package func frame(_ number: Int, _ tools: inout PackTools) -> PackFrame {
    var frame = PackFrame(number: number)
    do throws(PackError) {
      frame.objects = try reader.nodes(ofFrame: number, &tools.inflater)
    } catch {
      frame.fault = error
      return frame
    }
    for object in frame.objects {
      if let entry = PackEntry(object, &tools.decoder) {
        frame.nodes.append(entry)
      } else {
        frame.stranger = frame.stranger ?? object.id
      }
    }
    return frame
  }
}

/// What one thread reads frames with.
package struct PackTools: ~Copyable {
  package var inflater = FrameInflater()
  package var decoder = PlaceDecoder()

  /// Creates an empty value.
  package init() {}
}

/// A frame that was read.
package struct PackFrame: Sendable {
  package let number: Int
  /// Its objects; empty when it is damaged.
  package var objects: [StoredObject] = []
  /// Those among them that have a place in a history.
  package var nodes: [PackEntry] = []
  /// Why it cannot be read.
  package var fault: PackError?
  /// An object in it that has none.
  package var stranger: ObjectID?
}

/// Something that is wrong with a pack.
package enum PackProblem: Equatable, Sendable {
  /// With the pack itself.
  case pack(String)
  /// With the index beside it.
  case index(String)

  package var text: String {
    switch self {
    case .pack(let text), .index(let text): text
    }
  }
}

/// Compares the content of a pack with what is said about it; about 100 bytes a node.
package struct PackExam: ~Copyable {
  private let pack: OpenPack
  private var tally: PackTally
  private var builder = PackIndexBuilder()
  private var isWhole = true
  private var problems: [PackProblem] = []
  /// What is wrong with the bytes of the file.
  private var bytes: PackProblem?

  /// Starts with the bytes of the file.
  package init(_ pack: OpenPack) {
    self.pack = pack
    tally = PackTally(pack.reader.directory.kind)
    do throws(PackError) { try pack.reader.checkBytes() } catch {
      bytes = .pack(error.description)
    }
  }

  /// Takes the next frame.
  package mutating func take(_ frame: PackFrame) {
    builder.add(frame.objects.map(\.id))
    if let fault = frame.fault {
      isWhole = false
      problems.append(.pack("frame \(frame.number) \(fault.description)"))
      return
    }
    if let stranger = frame.stranger {
      isWhole = false
      problems.append(
        .pack(
          "frame \(frame.number): '\(stranger.text)' is no \(pack.reader.directory.kind.name)"))
      return
    }
    let stated = pack.reader.directory.frames[frame.number]
    if tally.add(frame.nodes, fileBytes: stated.fileBytes) == .twice {
      problems.append(.pack("frame \(frame.number): \(PackTally.Fault.twice.rawValue)"))
    }
  }

  /// Finishes with the directory.
  ///
  /// - Returns: what is wrong, and the index as it should be; damaged frames are missing from it.
  package consuming func finish() -> (problems: [PackProblem], index: PackIndex, isWhole: Bool) {
    let stated = pack.reader.directory
    var problems = problems
    let bytes = bytes
    if isWhole {
      let found = tally.finish()
      if found.name != stated.name {
        problems.append(.pack("its name is not that of its \(stated.kind.name)s"))
      } else if found.prerequisites != stated.prerequisites {
        problems.append(.pack("the parents that it lacks are not those that it names"))
      } else if found != stated {
        problems.append(
          .pack("the counts and times of its directory are not those of its \(stated.kind.name)s"))
      }
    }
    // A finding that shows the place of the damage comes first.
    if let bytes, problems.isEmpty { problems.append(bytes) }
    return (problems, builder.finish(name: stated.name), isWhole)
  }
}

/// What stands beside a pack.
package enum PackIndexState: Equatable {
  case good
  case missing
  /// It is not the index of the pack: every reader works it out.
  case bad(String)
  /// It has the hashes that it states, and readers believe it.
  case wrong(String)

  /// What is wrong with it; `nil` when nothing is, or there is none.
  package var fault: String? {
    switch self {
    case .good, .missing: nil
    case .bad(let why), .wrong(let why): why
    }
  }

  /// Examines an index.
  ///
  /// - Parameters:
  ///   - directory: where it lies.
  ///   - name: its name there.
  ///   - expected: the content that it should have.
  ///   - isWhole: whether it should have nothing else.
  package init(
    in directory: borrowing Directory, _ name: String, _ expected: PackIndex, isWhole: Bool
  ) {
    do throws(SystemError) {
      guard let status = try directory.status(name) else {
        self = .missing
        return
      }
      guard status.kind == .regular else {
        self = .bad("it is no file")
        return
      }
    } catch {
      self = .bad("it cannot be read: \(error.reason)")
      return
    }
    guard let payload = CacheFile.open(in: directory, name)?.payload() else {
      self = .bad("its bytes have another hash than it states")
      return
    }
    guard payload.count >= 40,
      payload[8..<40].elementsEqual((0..<32).map { expected.name.bytes[$0] })
    else {
      self = .bad("it is that of another pack")
      return
    }
    // Nothing is known about damaged frames to compare it with.
    self =
      !isWhole || (try? expected.payload()) == payload
      ? .good : .wrong("it says otherwise than the pack which nodes stand where")
  }
}
