// The packs within an audit: each frame, then each pack as a whole and its index.

internal import RedoObject
internal import RedoStore

extension StoreAudit {
  /// Judges the packs, as far as time allows.
  ///
  /// Frames that another run has judged are read again, because a pack can only be checked as a whole.
  ///
  /// - Returns: how many frames have been judged, by this run and the earlier ones.
  mutating func judge(
    _ packs: borrowing PackAudit, _ audit: ObjectAudit, _ verifier: inout VerifyStored,
    _ table: inout NodeTable, _ differences: inout IndexDifferences, _ effects: Effects,
    _ tell: Telling
  ) throws -> Int {
    let first = part.firstFrame(of: packs.name)
    var judge = audit.makeJudge()
    table.packPaths = packs.packs.map(\.path)
    if first == 0 { try self.tell(packs.findings, tell) }
    for closed in packs.closed {
      table.packPaths.append(closed.path)
      let number = UInt16(clamping: table.packPaths.count)
      let judgement = closed.isAway ? NodeJudgement.unjudged : .bad
      table.append(audit.lost(closed.ids, pack: number, judgement, &judge).facts)
    }
    var done = 0
    let batch = 4 * VerifyStored.threadCount
    for pack in packs.packs {
      var exam = PackExam(pack.pack)
      let isTold = done + pack.pack.frameCount <= first && first > 0
      for start in stride(from: 0, to: pack.pack.frameCount, by: batch) {
        let isFirst = done + start <= first && part.start == AuditPart.shardCount
        try effects.checkInterrupt()
        if !isFirst, isTimeOver(effects) { return max(first, done + start) }
        let end = min(start + batch, pack.pack.frameCount)
        let before = done
        let frames = Threads.parallelMap(
          Array(start..<end), threads: VerifyStored.threadCount,
          makeState: { FrameJudge(audit) }
        ) { tools, number in
          audit.frame(number, of: pack, isJudged: before + number >= first, &tools)
        }
        var findings: [StoreFinding] = []
        for found in frames {
          findings += try take(found.part, &verifier, &table, &differences)
          exam.take(found.frame)
          guard found.frame.fault != nil else { continue }
          let ids = packs.ids(ofFrame: found.frame.number, of: pack)
          table.append(audit.lost(ids, pack: pack.number, .bad, &judge).facts)
        }
        try self.tell(findings, tell)
        progress.update(AuditPart.shardCount + done + end)
      }
      done += pack.pack.frameCount
      let findings = packs.findings(pack, exam, in: store.directory)
      if !isTold { try self.tell(findings, tell) }
    }
    return done
  }
}
