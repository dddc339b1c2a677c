// Records in a store: what a commit is told of, what comes out of files, and who has which name.

import CanonicalJSON
import RedoHistory
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Records of a store")
struct RecordStoreTests {
  /// A store with a schema `form` of the fields `Name`, required, and `Count`, an integer of at least 1.
  private static func store() throws -> SmallStore {
    let store = try SmallStore()
    let text =
      #"{"id":"form","displayName":"Form","iconSystemName":"doc","isBuiltIn":false,"fields":["#
      + #"{"id":"name","displayName":"Name","fieldType":"string","isRequired":true},"#
      + #"{"id":"count","displayName":"Count","fieldType":"int","displayOrder":1,"#
      + #""validationRules":[{"type":"minValue","value":1}]}]}"#
    let read = SchemaImport(Array(text.utf8))
    try edit(store, SchemaRequest.import(read.definitions[0], hidesAbsent: false))
    return store
  }

  private static func edit(_ store: SmallStore, _ request: SchemaRequest) throws {
    let writer = try SchemaWriter(store.opened, SchemaWriter.Options(), store.effects)
    let name = SchemaDefinition.Name(ByteText("form"))
    try writer.take(try writer.make([request], of: name, store.effects), store.effects)
  }

  /// A CREATE of a record.
  private static func create(_ members: String) -> ChangeRequest {
    var request = ChangeRequest(action: "CREATE")
    request.content = Array("{\"title\":\"t\",\"schemaId\":\"form\"\(members)}".utf8)
    return request
  }

  private static func update(_ task: TaskID, _ members: String) -> ChangeRequest {
    var request = ChangeRequest(action: "UPDATE")
    request.task = task
    request.content = Array("{\(members)}".utf8)
    return request
  }

  /// Records changes that are checked.
  private static func commit(
    _ requests: [ChangeRequest], _ store: SmallStore, _ mode: String? = nil
  ) throws -> [Node]? {
    if let mode {
      try store.opened.store.changeSettings { text throws(ConfigError) in
        try text.set("schema.check", name: "check", to: mode)
      }
    }
    let opened = try store.effects.openRepository()
    var options = CommitWriter.Options()
    options.checksRecords = true
    var writer = try CommitWriter(opened, options, store.effects)
    return try writer.commit(requests, store.effects)
  }

  /// What was told of records so far.
  private static func told(_ store: SmallStore) -> [String] {
    store.events.events.compactMap { event in
      switch event {
      case .writing(.odd(let finding, of: _, count: _)): "warning \(finding.rule.id)"
      case .writing(.refused(let finding, of: _)): "error \(finding.rule.id)"
      default: nil
      }
    }
  }

  @Test("what does not fit is told, refused, or not looked at, as the setting says")
  func modes() throws {
    let store = try Self.store()
    let bad = Self.create(#","name":"Ada","count":0"#)
    #expect(try Self.commit([bad], store)?.count == 1)
    #expect(Self.told(store) == ["warning record-rule"])
    #expect(try Self.commit([bad], store, "error") == nil)
    #expect(Self.told(store).last == "error record-rule")
    let count = Self.told(store).count
    #expect(try Self.commit([bad], store, "off")?.count == 1)
    #expect(Self.told(store).count == count)
    #expect(throws: ConfigError.self) { try Self.commit([bad], store, "maybe") }
  }

  @Test(
    "of several changes each is checked upon those before it, and one that is bad keeps all out")
  func several() throws {
    let store = try Self.store()
    let task = TaskID.random { 5 }
    var first = Self.create(#","name":"Ada""#)
    first.task = task
    #expect(
      try Self.commit([first, Self.update(task, #""name":null"#)], store, "error") == nil)
    #expect(Self.told(store) == ["error record-required"])
    #expect(try store.heads(of: task).isEmpty)
    // The value that was there before keeps nobody from writing another.
    #expect(try Self.commit([first, Self.update(task, #""count":0"#)], store, "off") != nil)
    #expect(try Self.commit([Self.update(task, #""other":1"#)], store, "error") != nil)
    #expect(try Self.commit([Self.update(task, #""name":5"#)], store, "error") == nil)
  }

  @Test("a task that is no record, or whose schema is not here, is not checked")
  func others() throws {
    let store = try Self.store()
    var plain = ChangeRequest(action: "CREATE")
    plain.content = Array(#"{"title":"t","count":"x"}"#.utf8)
    var absent = plain
    absent.content = Array(#"{"title":"t","schemaId":"nobody","count":"x"}"#.utf8)
    #expect(try Self.commit([plain, absent], store, "error")?.count == 2)
    #expect(Self.told(store).isEmpty)
  }

  @Test("records of a file: new ones, later ones, known ones and deleted ones are told apart")
  func intake() throws {
    let store = try Self.store()
    func file(_ number: Int, _ name: String, _ year: Int) -> String {
      #"{"id":"0000000\#(number)-0000-4000-8000-000000000000","schemaId":"form","#
        + #""fields":{"name":"\#(name)"},"updatedAt":"\#(year)-01-01T00:00:00Z"}"#
    }
    func read(_ texts: [String]) throws -> RecordIntake {
      let file = RecordFile(Array("[\(texts.joined(separator: ","))]".utf8))
      #expect(file.findings.isEmpty)
      return try RecordIntake(file.entries, store.opened, store.effects)
    }
    // Of two of one id the later one counts.
    let first = try read([file(1, "a", 2020), file(2, "b", 2020), file(1, "c", 2021)])
    #expect(first.requests.map(\.action) == ["CREATE", "CREATE"])
    let nodes = try #require(try Self.commit(first.requests, store))
    let names = nodes.map { String(decoding: $0.content, as: UTF8.self).contains(#""value":"c""#) }
    #expect(names == [false, true])
    let second = try read([file(1, "d", 2020), file(2, "e", 2022), file(3, "f", 2020)])
    #expect(second.requests.map(\.action) == ["UPDATE", "CREATE"])
    #expect(second.knownCount == 1 && second.deleted.isEmpty)
    var delete = ChangeRequest(action: "DELETE")
    delete.task = nodes[0].taskID
    #expect(try Self.commit([delete], store)?.count == 1)
    let third = try read([file(1, "g", 2030), file(2, "h", 2030)])
    #expect(third.deleted == [try #require(delete.task)])
    #expect(third.requests.map(\.action) == ["UPDATE"])
  }

  @Test("names of what a node writes come from the schema of its task, whatever that node says")
  func names() throws {
    let store = try Self.store()
    let made = try #require(try Self.commit([Self.create(#","name":"Ada""#)], store))
    let task = try #require(made[0].taskID)
    let changed = try #require(try Self.commit([Self.update(task, #""count":2"#)], store))
    try Self.edit(store, .rename(ByteText("Count"), to: ByteText("How many")))
    var names = try NodeNames(try store.effects.openRepository(), store.effects)
    let named = names.names(for: changed[0])
    let found = try #require(named)
    #expect(found.name(of: Array("count".utf8), Array("2".utf8))?.text.text == "How many")
    #expect(found.name(of: Array("title".utf8), nil) == nil)
    let plain = try #require(try store.commit(SmallStore.create("x")))
    let unnamed = names.names(for: plain[0])
    #expect(unnamed == nil)
  }

  @Test("the records of a deprecated field are counted; a store without one is not read")
  func deprecated() throws {
    let store = try Self.store()
    _ = try Self.commit(
      [Self.create(#","name":"Ada","count":2"#), Self.create(#","name":"Ben""#)], store)
    let name = SchemaDefinition.Name(ByteText("form"))
    func counts() throws -> [Int] {
      let opened = try store.effects.openRepository()
      let definition = try #require(try opened.schema(name)?.definition)
      return try opened.deprecatedCounts(of: [definition], store.effects)[name]
        .map { Array($0.values) } ?? []
    }
    #expect(try counts() == [])
    try Self.edit(store, .show(ByteText("Count"), .deprecated))
    #expect(try counts() == [1])
  }

  /// A record that is here, as JSON.
  private static func json(_ store: SmallStore, _ task: TaskID) throws -> String {
    let opened = try store.effects.openRepository()
    let found = try #require(try opened.state(of: task))
    let record = try opened.recordSchemas().record(of: found.state, found.lastWrites)
    var json: [UInt8] = []
    try #require(record).appendJSON(to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  @Test("a record made and changed by what somebody typed; each refusal says what it is about")
  func typed() throws {
    let store = try Self.store()
    func opened() throws -> Repository { try store.effects.openRepository() }
    let now = WallTime(milliseconds: store.effects.clock())
    let name: RecordSchemas.Typed = (ByteText("Name"), "Ada")
    func count(_ text: String) -> [RecordSchemas.Typed] { [(ByteText("Count"), text)] }
    let request = try opened().newRecord(of: "form", [name] + count("2"), person: nil, title: nil)
    let task = try #require(try Self.commit([request], store)?.first?.taskID)
    #expect(try Self.json(store, task).contains("\"Ada\""))
    let change = try #require(
      try opened().recordChange(of: task, count("3"), now: now, store.effects))
    #expect(change.action == "UPDATE" && change.task == task)
    #expect(try change.parents == store.heads(of: task))
    #expect(try Self.commit([change], store)?.count == 1)
    #expect(try opened().recordChange(of: task, count("3"), now: now, store.effects) == nil)

    func fault(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "-"
      } catch let fault as any Fault {
        return "\(fault.code) \(fault.subject ?? "-")"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      fault { _ = try opened().newRecord(of: "none", [name], person: nil, title: nil) }
        == "missing none")
    #expect(
      fault { _ = try opened().newRecord(of: "form", count("x"), person: nil, title: nil) }
        == "invalid form")
    #expect(
      fault { _ = try opened().recordChange(of: task, count("x"), now: now, store.effects) }
        == "invalid form")
    let plain = try store.task()
    #expect(
      fault { _ = try opened().recordChange(of: plain, count("1"), now: now, store.effects) }
        == "missing \(plain.text)")
    let writer = try SchemaWriter(try opened(), SchemaWriter.Options(), store.effects)
    let subject = DeviceRequest.Subject(id: writer.device, name: "a")
    try writer.take(
      try writer.make([DeviceRequest.revoke(subject)], of: .devices, store.effects), store.effects)
    #expect(
      fault { _ = try opened().newRecord(of: "redo.devices", [], person: nil, title: nil) }
        == "refused redo.devices")
    var delete = ChangeRequest(action: "DELETE")
    delete.task = task
    #expect(try Self.commit([delete], store)?.count == 1)
    #expect(
      fault { _ = try opened().recordChange(of: task, count("1"), now: now, store.effects) }
        == "refused \(task.text)")
  }

  @Test("old keys of the chosen records are written under ids, once")
  func migration() throws {
    let store = try Self.store()
    let nodes = try #require(
      try Self.commit([Self.create(#","name":"Ada""#), Self.create(#","name":"Ben""#)], store))
    let tasks = nodes.compactMap(\.taskID)
    func migrations(_ schemas: [String], _ tasks: [String] = []) throws -> [ChangeRequest] {
      let opened = try store.effects.openRepository()
      return try opened.recordMigrations(
        try RecordChoice(schemas, opened), tasks: tasks, nil, store.effects)
    }
    #expect(throws: RecordFault.self) { try migrations(["none"]) }
    #expect(try migrations([], [tasks[0].text]).map(\.task) == [tasks[0]])
    let requests = try migrations(["form"])
    #expect(Set(requests.compactMap(\.task)) == Set(tasks))
    #expect(try requests.map(\.parents) == requests.map { try store.heads(of: $0.task) })
    #expect(try Self.commit(requests, store)?.count == 2)
    #expect(try migrations([]).isEmpty)
    #expect(try Self.json(store, tasks[0]).contains("\"Ada\""))
  }
}
