// One run of a repack: the present objects, the packs to combine, the new pack, and last the removal of what it
// contains. Until the new pack has its name nothing is changed, and from then on everything exists twice.

internal import RedoHistory
internal import RedoObject
package import RedoStore

/// A repack; the caller must hold the locks of objects and packs.
package struct RepackRun {
  private let loose: LooseStore
  private let packs: PackStore
  private let choice: RepackChoice
  private let isDryRun: Bool
  private let trust: TrustList?
  /// The keys of devices that local rows pin.
  private let devices: DeviceRows
  /// The objects of the kind that is being packed.
  private var scan: RepackScan
  private let objects: ObjectStore
  /// Whether a different signature of some node may be read once the old packs are gone.
  private var hasRivals = false

  package init(
    _ opened: Repository, _ choice: RepackChoice, isDryRun: Bool, _ effects: Effects
  ) {
    scan = RepackScan(.node, effects)
    objects = opened.objects
    loose = opened.objects.primary
    packs = opened.objects.packs
    self.choice = choice
    self.isDryRun = isDryRun
    // Without a trust file, only the keys that nodes carry are known.
    trust = (try? effects.trustList(opened)) ?? nil
    devices = opened.deviceRows()
  }

  /// Runs the repack, of one kind of objects after another: a pack has one.
  ///
  /// - Parameters:
  ///   - tell: receives each step that is done.
  ///   - effects: says whether the work is cancelled, and receives events.
  /// - Throws: `RepackFault`, `StoreError` or `SystemError` when something cannot be read or written; `Interruption`.
  package mutating func run(
    _ tell: (TidyStep) throws -> Void, _ effects: Effects
  ) throws {
    var scans = ObjectKind.packed.map { RepackScan($0, effects) }
    for damage in try RepackScan.addLoose(loose, to: &scans, effects) { try tell(.damaged(damage)) }
    let found = try findPacks(tell, effects)
    for next in scans {
      let packs = found.filter { $0.kind == next.kind }.map(\.pack)
      guard next.set.count > 0 || !packs.isEmpty else { continue }
      scan = next
      hasRivals = false
      try run(packs, tell, effects)
    }
  }

  private mutating func run(
    _ old: [Pack], _ tell: (TidyStep) throws -> Void, _ effects: Effects
  ) throws {
    let count = try unitedCount(of: old)
    // A pack that turns out to be damaged is not combined.
    var united: [Pack] = []
    for pack in old[..<count] {
      try effects.checkInterrupt()
      let number = try Self.reading(pack, tell, effects) { () throws(PackError) in
        try scan.add(pack, united.count)
        return united.count
      }
      if number != nil { united.append(pack) }
    }
    scan.finish()
    let staying = try mendIndexes(of: Array(old[count...]), tell, effects)
    let numbers = try numbers(besides: staying)
    let isLoose = scan.isLoose
    var removal = RepackRemoval(loose, packs)
    if isDryRun {
      try say(numbers, &united, tell, effects)
    } else if !numbers.isEmpty {
      let (pack, isNew) = try write(numbers, united, effects)
      united.removeAll { $0.name == pack.name }
      let directory = try Self.asking(pack) { () throws(PackError) in try pack.directory() }
      if isNew {
        let bytes = try Self.asking(pack) { () throws(PackError) in try pack.fileBytes() }
        try tell(.packed(pack.name, nodes: directory.nodes, bytes: bytes))
      }
      if numbers.contains(where: { isLoose[$0] }) {
        removal.add(pack, Array(directory.frames.indices))
      }
    }
    for pack in united {
      let nodes = try Self.asking(pack) { () throws(PackError) in try pack.directory().nodes }
      try tell(.united(pack.name, nodes: nodes))
    }
    removal.united = united
    let twice = try addTwice(staying, &removal)
    let removed =
      isDryRun
      ? numbers.count { isLoose[$0] } + twice
      : try removal.run(where: { scan.set.number(of: $0).map { isLoose[$0] } ?? false }, effects)
    try noteRivals()
    if removed > 0 { try tell(.loose(nodes: removed)) }
    for damage in removal.damaged { try tell(.damaged(damage)) }
  }

  // MARK: The packs

  /// The packs that seem readable, as far as that is known without reading them; the smallest first.
  private func findPacks(
    _ tell: (TidyStep) throws -> Void, _ effects: Effects
  ) throws -> [(pack: Pack, nodes: Int, kind: ObjectKind)] {
    var found: [(pack: Pack, nodes: Int, kind: ObjectKind)] = []
    for pack in try packs.all() {
      let directory = try Self.reading(pack, tell, effects) { () throws(PackError) in
        _ = try pack.index()
        if let unreadable = pack.unreadableFrames.first { throw unreadable.error }
        return try pack.directory()
      }
      if let directory { found.append((pack, directory.nodes, directory.kind)) }
    }
    return found.sorted(on: \.pack.name).sorted(on: \.nodes)
  }

  /// How many of the packs, from the first on, are combined with the loose nodes.
  private func unitedCount(of old: [Pack]) throws -> Int {
    guard case .geometric(let factor) = choice else { return old.count }
    var loose = 0
    for number in 0..<scan.set.count {
      if try Self.place(of: scan.set.id(number), in: old) == nil { loose += 1 }
    }
    var sizes: [Int] = []
    for pack in old {
      sizes.append(try Self.asking(pack) { () throws(PackError) in try pack.directory().nodes })
    }
    var count = PackGeometry.united(sizes, loose: loose, factor: factor)
    // The packs that an interrupted run combined are contained in one larger pack.
    for (place, small) in old.enumerated() {
      for large in max(place + 1, count)..<max(place + 1, count, old.count)
      where try Self.isCovered(small, by: old[large]) {
        count = large + 1
      }
    }
    return count
  }

  /// Whether all nodes of a pack are in another one, according to their indexes.
  private static func isCovered(_ small: Pack, by large: Pack) throws -> Bool {
    try asking(small) { () throws(PackError) in
      let ids = try small.asking { index throws(PackIndexDamage) in try index.ids(prefix: []) }
      for id in ids where try large.place(of: id) == nil { return false }
      return true
    }
  }

  /// The first of some packs that has a node, according to their indexes, and the frame.
  private static func place(
    of id: ObjectID, in packs: [Pack]
  ) throws -> (pack: Int, frame: Int)? {
    for (number, pack) in packs.enumerated() {
      let place = try asking(pack) { () throws(PackError) in try pack.place(of: id) }
      if let place { return (number, place.frame) }
    }
    return nil
  }

  /// Gives packs without an index a new one; those that turn out to be damaged are left out.
  private func mendIndexes(
    of staying: [Pack], _ tell: (TidyStep) throws -> Void, _ effects: Effects
  ) throws -> [Pack] {
    var sound: [Pack] = []
    for pack in staying {
      let mended = try Self.reading(pack, tell, effects) { () throws(PackError) in
        (try packs.mendIndex(of: pack, writes: !isDryRun), try pack.directory().nodes)
      }
      guard let mended else { continue }
      if mended.0 { try tell(.indexed(pack.name, nodes: mended.1)) }
      sound.append(pack)
    }
    return sound
  }

  /// Reads a pack; if it is damaged, reports it.
  ///
  /// - Returns: `nil` when it is damaged.
  /// - Throws: `SystemError` when a call fails.
  private static func reading<Answer>(
    _ pack: Pack, _ tell: (TidyStep) throws -> Void, _ effects: Effects,
    _ body: () throws(PackError) -> Answer
  ) throws -> Answer? {
    do throws(PackError) {
      return try body()
    } catch {
      if case .system(let error) = error { throw error.named(pack.path) }
      try tell(.damaged(.pack(error, path: pack.path)))
      return nil
    }
  }

  /// Reads from a pack, and turns its error into the error of the run.
  private static func asking<Answer>(
    _ pack: Pack, _ question: () throws(PackError) -> Answer
  ) throws -> Answer {
    do throws(PackError) { return try question() } catch { throw failure(error, pack) }
  }

  /// The error for a pack that cannot be read: that of a system call with the name of the file, or what is wrong with
  /// the pack.
  package static func failure(_ error: PackError, _ pack: Pack) -> any Error {
    if case .system(let error) = error { return error.named(pack.path) }
    return RepackFault.pack(error, path: pack.path)
  }

  // MARK: The new pack

  /// The nodes of the new pack in its order, by number: those of combined packs, and loose ones that are in no pack
  /// that stays.
  private func numbers(besides staying: [Pack]) throws -> [Int] {
    var isMember = [Bool](repeating: false, count: scan.set.count)
    for copy in scan.copies where !copy.place.isLoose { isMember[Int(copy.number)] = true }
    for number in isMember.indices where !isMember[number] && scan.isLoose[number] {
      isMember[number] = try Self.place(of: scan.set.id(number), in: staying) == nil
    }
    return scan.set.order { isMember[$0] }
  }

  /// Reports what would be made.
  private func say(
    _ numbers: [Int], _ united: inout [Pack], _ tell: (TidyStep) throws -> Void,
    _ effects: Effects
  ) throws {
    guard !numbers.isEmpty else { return }
    let name = PackDirectory.name(of: numbers.map { scan.set.id($0) })
    let isKnown = united.contains { $0.name == name }
    united.removeAll { $0.name == name }
    // The rewritten pack may turn out to have the same bytes.
    guard !isKnown || !united.isEmpty || numbers.contains(where: { scan.isLoose[$0] }) else {
      return
    }
    try tell(.packed(name, nodes: numbers.count, bytes: nil))
  }

  /// Writes the new pack, and reads it again.
  private mutating func write(
    _ numbers: [Int], _ united: [Pack], _ effects: Effects
  ) throws -> (pack: Pack, isNew: Bool) {
    var new = try SystemError.naming(packs.path) { try NewPack(in: packs, scan.kind) }
    hasRivals = try scan.forEachNode(
      numbers, loose, united, spillingIn: packs, CopyChooser(trust, objects, rows: devices), effects
    ) { node throws in
      do throws(SystemError) { try new.add(node) } catch {
        throw error.named(packs.path)
      }
    }
    try effects.checkInterrupt()
    try noteRivals()
    do throws(PackError) {
      return try new.finish()
    } catch {
      if case .system(let error) = error { throw error.named(packs.path) }
      throw RepackFault.unwritten(error)
    }
  }

  private func noteRivals() throws {
    guard hasRivals else { return }
    try objects.renewSignatureMark()
  }

  /// Marks the loose nodes that are also in packs that stay.
  ///
  /// - Returns: their largest possible number.
  private func addTwice(
    _ staying: [Pack], _ removal: inout RepackRemoval
  ) throws -> Int {
    guard !staying.isEmpty else { return 0 }
    var frames = [Set<Int>](repeating: [], count: staying.count)
    var count = 0
    for number in 0..<scan.set.count where scan.isLoose[number] {
      guard let (pack, frame) = try Self.place(of: scan.set.id(number), in: staying) else {
        continue
      }
      frames[pack].insert(frame)
      count += 1
    }
    for (pack, frames) in zip(staying, frames) where !frames.isEmpty {
      removal.add(pack, frames.sorted())
    }
    return count
  }
}

extension Repository {
  /// A hold on the store's own packs until it goes out of scope: nobody else can replace any.
  ///
  /// It is taken after the hold on the objects.
  ///
  /// - Throws: `StoreError.locked` when another process holds it for too long.
  package func holdPacks() throws -> LockFile {
    let options = try refsOptions()
    return try objects.packs.hold(timeoutMilliseconds: options.lockTimeoutMilliseconds)
  }
}
