// Reading, decoding and verifying stored objects one after the other, with the buffers of one thread.

internal import RedoObject
internal import RedoStore

/// What one thread needs to judge stored objects.
struct StoredJudge: ~Copyable {
  let options: Intake.Options
  var workspace = LooseStore.Workspace()
  var decoder: NodeDecoder

  init(_ options: Intake.Options) {
    self.options = options
    decoder = NodeDecoder(profile: options.profile)
  }

  /// Reads an object of a store, or of what is read after it.
  mutating func read(
    _ id: ObjectID, _ store: ObjectStore
  ) -> Result<StoredObject?, StoreError> {
    do throws(StoreError) {
      return .success(try store.read(id, &workspace))
    } catch {
      return .failure(error)
    }
  }

  /// Reads an object of an open shard.
  mutating func read(
    _ id: ObjectID, in shard: borrowing LooseStore.Shard, _ store: LooseStore
  ) -> Result<StoredObject?, StoreError> {
    do throws(StoreError) {
      return .success(try store.read(id, in: shard, &workspace))
    } catch {
      return .failure(error)
    }
  }

  /// Judges a node that was read.
  mutating func judge(_ object: StoredObject) -> Judged {
    Intake.judge(decoder.decode(object), decoder, options)
  }

  /// Whether more is needed than the node itself: the key of its author, or its parents.
  func waits(_ judged: Judged) -> Bool {
    judged.verdict == nil && judged.node != nil || options.profile.checksParents
  }
}
