// The progress of long work, reported as it goes on; whether anybody sees it is not known here.

/// Reports how far work has come.
package struct Progress {
  private let work: WorkProgress.Work
  private let total: Int?
  private let reporter: any Reporter

  /// Starts reporting work.
  ///
  /// - Parameters:
  ///   - work: what is done.
  ///   - total: how many steps there are, if known.
  ///   - effects: receives the events.
  package init(_ work: WorkProgress.Work, total: Int? = nil, _ effects: Effects) {
    self.work = work
    self.total = total
    reporter = effects.reporter
    tell(.begun)
  }

  /// Reports how many steps are done; cheap enough to be called for each batch.
  package func update(_ done: Int) { tell(.done(done)) }

  /// Reports how many steps were done in the end.
  package func finish(_ done: Int) {
    tell(.done(done))
    tell(.ended)
  }

  private func tell(_ step: WorkProgress.Step) {
    reporter.report(.progress(WorkProgress(work: work, total: total, step: step)))
  }
}
