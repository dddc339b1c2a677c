// The laws of edits, over random histories of three devices with clocks that are wrong: whatever an edit makes of heads, every
// store takes it, and it lacks nothing that they have.

import RedoObject
import TestSupport
import Testing

@Suite("Laws of edits of schemas")
struct SchemaEditLawTests {
  private static let devices = [iPad, iPhone, hashed("mac")]
  private static let types: [FieldType] = [.string, .int]
  private static let words = ["a", "b", "c", "vaccine:a", "vaccine:b"]

  /// Definitions and edits with much in common.
  private struct Source {
    var random: SeededRandom

    mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    mutating func time() -> WallTime {
      pick([.earliest, second(0), second(1), second(2), SchemaVersion.clockEnd])
    }

    mutating func stamp() -> FieldStamp {
      FieldStamp(by: pick(SchemaEditLawTests.devices + [.zero]), at: time())
    }

    mutating func text() -> ByteText {
      ByteText(pick(["Notes", "Dose", "Lot", "a", "é\"\\", hashed("a").text]))
    }

    mutating func definition() -> SchemaDefinition {
      var fields: [SchemaField] = []
      for _ in 0..<random.below(5) {
        var field = SchemaField(
          FieldPair(hashed(pick(SchemaEditLawTests.words)), pick(SchemaEditLawTests.types)),
          displayName: text())
        field.displayOrder = Int64(random.below(3))
        field.isRequired = random.once(in: 2)
        field.visibility = pick([.active, .hidden, .deprecated])
        field.mergedInto = random.once(in: 4) ? hashed(pick(SchemaEditLawTests.words)) : nil
        (field.created, field.updated) = (stamp(), stamp())
        fields.append(field)
      }
      let versions = (0..<2).map { _ in
        SchemaVersion(time(), pick(SchemaEditLawTests.devices), Int64(random.below(3)))
      }
      return SchemaDefinition(
        SchemaDefinition.Name(ByteText("vaccine")),
        SchemaDefinition.Metadata(displayName: text(), iconSystemName: ByteText("i")),
        isBuiltIn: random.once(in: 4), version: max(versions[0], versions[1]),
        metaVersion: min(versions[0], versions[1]), fields: fields,
        keys: random.once(in: 2) ? [ByteText("a")] : [])
    }

    mutating func options() -> FieldOptions {
      var options = FieldOptions()
      if random.once(in: 2) { options.displayName = text() }
      if random.once(in: 3) { options.isRequired = random.once(in: 2) }
      if random.once(in: 3) { options.displayOrder = Int64(random.below(9)) }
      if random.once(in: 3) { options.placeholder = random.once(in: 2) ? text() : ByteText("") }
      if random.once(in: 3) { options.rules = [ByteText("minLength=\(random.below(3))")] }
      if random.once(in: 5) { options.dropsRules = true }
      return options
    }

    mutating func request(_ heads: [SchemaDefinition]) -> SchemaRequest {
      switch random.below(10) {
      case 0: return .addField(.id(hashed("\(random.next())")), pick([.int, .date]), options())
      case 1:
        return .addField(.key(ByteText(pick(["a", "b", "c"]))), pick([.int, .bool]), options())
      case 2:
        var options = SchemaOptions()
        options.displayName = text()
        if random.once(in: 2) { options.description = random.once(in: 2) ? text() : ByteText("") }
        return .set(options)
      case 3: return .setField(text(), options())
      case 4: return .rename(ByteText(hashed(pick(SchemaEditLawTests.words)).text), to: text())
      case 5: return .show(text(), pick([.active, .hidden, .deprecated]))
      case 6: return .mergeFields(source: text(), target: text())
      case 7: return .splitField(text())
      case 8:
        return .merge(
          random.once(in: 2) ? [] : [SchemaPick(text(), fromHead: pick(heads))])
      default: return .import(definition(), hidesAbsent: random.once(in: 2))
      }
    }
  }

  @Test("each edit is taken, lacks nothing, and is read as it was written")
  func laws() throws {
    var made: [String: Int] = [:]
    for seed in SeededRandom.seeds("edits of schemas") {
      var source = Source(random: SeededRandom(seed: seed))
      // A history: each head is some definition, or the edit of some others.
      var heads = [try schemaObject(source.definition())]
      for _ in 0..<150 {
        if source.random.once(in: 3) {
          let other = try schemaObject(source.definition())
          if !heads.contains(where: { $0.id == other.id }) { heads.append(other) }
        }
        if heads.count > 4 { heads.removeFirst() }
        let device = source.pick(Self.devices)
        let request = source.request(heads.map(\.definition))
        let before = heads.map(\.definition)
        let now = source.pick([second(-9), second(1), second(60), WallTime.latest])
        let edited: SchemaEdited
        do throws(SchemaFault) {
          edited = try request.apply(to: before, by: device, now: now)
        } catch {
          made["refused", default: 0] += 1
          continue
        }
        guard let after = edited.definition else {
          made["unchanged", default: 0] += 1
          continue
        }
        made[edited.change.op, default: 0] += 1
        #expect(before.allSatisfy { $0.isContained(in: after) }, "\(request)")
        guard case .success(let read) = SchemaDefinition.read(after.canonical) else {
          Issue.record("what is written cannot be read: \(request)")
          continue
        }
        #expect(read == after)
        let object = try schemaObject(after, after: heads, by: device, edited.change.source)
        let findings = object.findings(parents: heads, received: nil)
        #expect(findings == [], "\(request)")
        if edited.change.source == .manual {
          #expect(before.allSatisfy { $0.version < after.version }, "\(request)")
        }
        // A single schema is left, of which another edit is made.
        heads = [object]
      }
    }
    for op in [
      "add-field", "set", "rename", "hide", "restore", "deprecate", "merge", "merge-fields",
      "split-field", "import", "unchanged", "refused",
    ] {
      #expect(made[op, default: 0] > 0, "no \(op)")
    }
  }
}
