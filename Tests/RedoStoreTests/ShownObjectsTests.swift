// What hooks are shown: only by a name that the store itself has given, and only as long as somebody holds it.

import Foundation
import RedoObject
import RedoStore
import TestSupport
import Testing

@Suite("What hooks are shown")
struct ShownObjectsTests {
  /// What an environment says of a store.
  private func opened(
    _ place: borrowing Scratch, shown: String?
  ) throws -> (isHook: Bool, path: String?) {
    var sources = ConfigSources(options: ["core.fsync=none"])
    sources.shownPath = shown
    let store = try StoreDirectory.open(place.path + "/.redo", sources)
    return (store.shown != nil, store.shown?.path)
  }

  private func make(_ place: borrowing Scratch) throws -> Quarantine {
    var isNew = false
    let store = try StoreDirectory.create(
      place.path + "/.redo", ConfigSources(options: ["core.fsync=none"]), isNew: &isNew)
    return try Quarantine(in: store.directory, .none)
  }

  @Test("objects are read there as long as it lasts, and it leaves nothing behind")
  func shows() throws {
    let place = try Scratch()
    let quarantine = try make(place)
    let shown = try quarantine.show()
    let object = StoredObject(blob: Array("x".utf8))
    try shown.write { take throws in try take([object]) }
    let found = try opened(place, shown: shown.path)
    #expect(found.isHook && found.path != nil)
    let store = try ObjectStore.open(path: place.path + "/.redo/objects", shownPath: found.path)
    #expect(try store.contains(object.id) && store.read(object.id)?.canonical == object.canonical)
    #expect(try store.list(prefix: "").isEmpty)
    shown.remove()
    #expect(try place.directory.openSubdirectory(".redo/quarantine").list().isEmpty)
    #expect(try opened(place, shown: shown.path) == (true, nil))
  }

  @Test("no other path means anything")
  func others() throws {
    let place = try Scratch()
    let quarantine = try make(place)
    let shown = try quarantine.show()
    let name = try #require(shown.path.split(separator: "/").last.map(String.init))
    let root = place.path + "/.redo/quarantine"
    for path in [
      nil, "", "/", name, root, root + "/", root + "/orphans", root + "/../quarantine/" + name,
      shown.path + "/", shown.path + "/pack", "/tmp/" + name, root + "/hook-0123456789ABCDEF",
      root + "/hook-", place.path + "/.redo/objects",
    ] {
      #expect(try opened(place, shown: path) == (false, nil), "\(path ?? "nothing")")
    }
    shown.remove()
  }

  @Test("one that nobody holds, that is a link, or that others may write shows nothing")
  func stale() throws {
    let place = try Scratch()
    let quarantine = try make(place)
    let root = place.path + "/.redo/quarantine"
    let left = root + "/hook-0123456789abcdef"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    #expect(FileManager.default.createFile(atPath: left + "/lock", contents: nil))
    #expect(try opened(place, shown: left) == (true, nil))
    let shown = try quarantine.show()
    #expect(!FileManager.default.fileExists(atPath: left), "a new one removes it")
    try FileManager.default.createSymbolicLink(atPath: left, withDestinationPath: shown.path)
    #expect(try opened(place, shown: left) == (true, nil))
    #expect(try opened(place, shown: shown.path).path != nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: shown.path)
    #expect(try opened(place, shown: shown.path) == (true, nil))
    shown.remove()
  }

  @Test("while a hook is asked nothing is written")
  func frozen() throws {
    let place = try Scratch()
    let quarantine = try make(place)
    let shown = try quarantine.show()
    var sources = ConfigSources(options: ["core.fsync=none"])
    sources.shownPath = shown.path
    let store = try StoreDirectory.open(place.path + "/.redo", sources)
    let refused = SystemError.hookRuns(store.path)
    #expect(throws: refused) { try store.checkWritable() }
    #expect(throws: RefsError.system(refused)) { _ = try store.refs.hold(RefsOptions()) }
    #expect(throws: RefsError.system(refused)) {
      _ = try store.refs.holdObjects(.shared, RefsOptions())
    }
    #expect(throws: ConfigError.system(refused)) {
      try store.changeSettings { (text) throws(ConfigError) in }
    }
    _ = try store.refs.snapshot()
    shown.remove()
  }
}
