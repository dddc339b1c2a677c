// MERGE (protocol, section 4). With `fields` it sets them as an UPDATE does, unless it was made automatically;
// with `payload` it sets what its entries and its policy decide: see MergeDecisions.

internal import CanonicalJSON
internal import RedoObject

extension Replay {
  /// Does what a MERGE says.
  mutating func merge(_ position: Int, _ state: inout TaskState?) {
    if let decisions = decided[position] {
      for decision in decisions { decision.apply(to: &state) }
      return
    }
    reader.read(position, of: log)
    // A merge that was made automatically records what replay yields anyway. It must not overwrite what a device
    // that was offline has written since.
    guard !reader.isPayload, !reader.isAutomatic else { return }
    var members = reader.content.members
    while let member = members.next() {
      if let key = FieldKey(ofMerged: member.name.content) {
        state?.set(key, to: member.value.bytes)
      }
    }
  }
}

/// A member that a MERGE decides about.
struct MergeTarget: Hashable, Sendable {
  /// The todo; `nil` for the task itself.
  let todo: TaskID?
  /// The member.
  let key: FieldKey

  /// Its value in a state; `nil` when it has none there.
  func value(in state: TaskState?) -> [UInt8]? {
    guard let todo else { return state?.value(key) }
    return state.flatMap { state in state.todos.place(of: todo).map { state.todos.items[$0] } }?
      .value(key)
  }
}

/// What a MERGE sets.
struct MergeDecision: Sendable {
  let target: MergeTarget
  /// RFC 8785.
  let value: [UInt8]

  /// Sets it; nothing happens when the todo does not exist.
  func apply(to state: inout TaskState?) {
    guard let todo = target.todo else {
      state?.set(target.key, to: value)
      return
    }
    guard let place = state?.todos.place(of: todo) else { return }
    state?.todos.update(place) { $0.set(target.key, to: value) }
  }
}

/// How the value of a member is decided; any other name decides nothing.
enum MergeStrategy: String {
  case lww, ours, theirs, union, max, min, manual

  init?(_ name: Span<UInt8>) {
    switch name.count {
    case 3 where name.elementsEqual("lww"): self = .lww
    case 3 where name.elementsEqual("max"): self = .max
    case 3 where name.elementsEqual("min"): self = .min
    case 4 where name.elementsEqual("ours"): self = .ours
    case 5 where name.elementsEqual("union"): self = .union
    case 6 where name.elementsEqual("theirs"): self = .theirs
    case 6 where name.elementsEqual("manual"): self = .manual
    default: return nil
    }
  }
}

/// The contents of the `payload` of a MERGE.
struct MergeRequest: Sendable {
  /// The decision about one member.
  struct Entry: Sendable {
    let target: MergeTarget
    let strategy: MergeStrategy?
    let chosenParent: ObjectID?
    let value: [UInt8]?
  }

  /// The base that is named.
  var base: ObjectID?
  /// How members are decided that no entry names.
  var defaultStrategy: MergeStrategy? = .lww
  /// The decisions in their order: of the task, then of its todos.
  var entries: [Entry] = []

  /// Whether nothing is decided.
  var isEmpty: Bool {
    switch defaultStrategy {
    case .ours, .theirs, .union, .max, .min: false
    case .lww, .manual, nil: entries.isEmpty
    }
  }

  /// Reads the current content.
  init(_ content: JSONValue) {
    base = content["base"]?.objectID
    if let policy = content["policy"],
      let strategy = policy["defaultStrategy"]
    {
      defaultStrategy = MergeStrategy(strategy.content)
    }
    guard let resolutions = content["resolutions"] else { return }
    if let task = resolutions["task"] { addEntries(of: task, todo: nil) }
    guard let todos = resolutions["todos"] else { return }
    var elements = todos.elements
    while let element = elements.next() {
      if let id = element["todoTaskId"]?.taskID, let fields = element["fields"] {
        addEntries(of: fields, todo: id)
      }
    }
  }

  private mutating func addEntries(of array: JSONValue, todo: TaskID?) {
    var elements = array.elements
    while let element = elements.next() {
      guard let name = element["path"]?.content,
        let key = todo == nil ? FieldKey(ofMerged: name) : FieldKey(ofTodo: name)
      else { continue }
      var strategy = defaultStrategy
      if let own = element["strategy"] { strategy = MergeStrategy(own.content) }
      entries.append(
        Entry(
          target: MergeTarget(todo: todo, key: key), strategy: strategy,
          chosenParent: element["chosenParent"]?.objectID, value: element["value"]?.bytes))
    }
  }
}
