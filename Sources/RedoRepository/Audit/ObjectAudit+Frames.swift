// Every packed object of a store: one frame at a time on each processor, each judged like a loose one.

internal import RedoCrypto
internal import RedoHistory
package import RedoObject
package import RedoStore

/// Where a packed object is.
package struct PackedPlace: Sendable {
  /// The pack below `.redo`.
  package let path: String
  /// The frame, from 0.
  package let frame: Int
}

/// A pack that is audited.
package struct AuditedPack: Sendable {
  /// Its path below `.redo`.
  package let path: String
  /// Its number among all packs, from 1.
  package let number: UInt16
  package let pack: OpenPack
  /// The line of the list, if it is a registered archive; its path is absolute then.
  package var archive: RegisteredArchive?
}

/// The tools with which one thread judges frames.
package struct FrameJudge: ~Copyable {
  package var judge: StoredJudge
  package var inflater = FrameInflater()

  package init(_ audit: ObjectAudit) { judge = audit.makeJudge() }
}

extension ObjectAudit {
  /// What is found in a frame.
  package struct Frame: Sendable {
    package var part = Part()
    package var frame: PackFrame
  }

  /// Examines a frame.
  ///
  /// - Parameters:
  ///   - number: the frame.
  ///   - pack: its pack.
  ///   - isJudged: whether its nodes are judged in this run, as far as they are in the sample.
  ///   - tools: the thread's.
  /// - Returns: what is in it.
  package func frame(
    _ number: Int, of pack: AuditedPack, isJudged: Bool, _ tools: inout FrameJudge
  ) -> Frame {
    var found = Frame(frame: PackFrame(number: number))
    found.part.place = PackedPlace(path: pack.path, frame: number)
    found.part.facts.pack = pack.number
    do throws(PackError) {
      found.frame.objects = try pack.pack.reader.nodes(ofFrame: number, &tools.inflater)
    } catch {
      found.frame.fault = error
      return found
    }
    for object in found.frame.objects {
      let node =
        isJudged && part.isSampled(object.id)
        ? examine(object, &tools.judge, &found.part)
        : learn(object, &tools.judge, &found.part, .unjudged)
      if let node {
        found.frame.nodes.append(node)
      } else {
        found.frame.stranger = found.frame.stranger ?? object.id
      }
    }
    return found
  }

  /// Notes the nodes of a frame or a pack that is damaged, or in an archive that is away.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - pack: the number of the pack.
  ///   - judgement: `bad` when it is damaged, `unjudged` when it is away.
  ///   - judge: reads other copies of them.
  /// - Returns: what is known about them, and how many have no other copy.
  package func lost(
    _ ids: [ObjectID], pack: UInt16, _ judgement: NodeJudgement, _ judge: inout StoredJudge
  ) -> (facts: NodeFacts, count: Int) {
    var found = Part()
    found.facts.pack = pack
    var count = 0
    for id in ids {
      let other = judge.read(id, store)
      if case .success(.some) = other {} else { count += 1 }
      learn(id, other, &judge, &found, judgement)
    }
    return (found.facts, count)
  }

  /// Notes the nodes in packs of alternates, and in archives of their stores.
  package func learnAlternates(_ take: (NodeFacts) -> Void) {
    guard !store.alternates.isEmpty else { return }
    for layer in store.partLayers.dropFirst() {
      // What is wrong with them is reported by an audit of the store that they belong to.
      var away: [ObjectID] = []
      let found = try? store.frames(ofLayer: layer) { item in
        if case .offline(_, let ids) = item { away += ids }
      }
      if !away.isEmpty {
        var judge = makeJudge()
        take(lost(away, pack: 0, .unjudged, &judge).facts)
      }
      guard let frames = found else { continue }
      ObjectScan.forEach(frames, makeState: { makeJudge() }) { judge, part -> NodeFacts in
        var objects: [StoredObject] = []
        try? store.read(part, &judge.workspace) { item in
          if case .object(let object, _) = item { objects.append(object) }
        }
        var found = Part()
        for object in objects { _ = learn(object, &judge, &found, .unjudged) }
        return found.facts
      } _: { facts in
        take(facts)
      }
    }
  }
}
