// Reading, decoding and verifying stored objects one after the other, with the buffers of one thread.

package import RedoObject
package import RedoStore

/// What one thread needs to judge stored objects.
package struct StoredJudge: ~Copyable {
  package let options: Intake.Options
  /// What the trust file says, if there is one.
  private let trust: TrustList?
  package var workspace = LooseStore.Workspace()
  private var places: PlaceDecoder

  package init(_ options: Intake.Options, _ trust: TrustList?) {
    self.options = options
    self.trust = trust
    places = PlaceDecoder(profile: options.profile)
  }

  /// Decodes nodes.
  package var decoder: NodeDecoder {
    _read { yield places.nodes }
    _modify { yield &places.nodes }
  }

  /// Reads an object of a store, or of the places that are read after it.
  package mutating func read(
    _ id: ObjectID, _ store: ObjectStore
  ) -> Result<StoredObject?, StoreError> {
    do throws(StoreError) {
      return .success(try store.read(id, &workspace))
    } catch {
      return .failure(error)
    }
  }

  /// Reads an object of an open shard.
  package mutating func read(
    _ id: ObjectID, in shard: borrowing LooseStore.Shard, _ store: LooseStore
  ) -> Result<StoredObject?, StoreError> {
    do throws(StoreError) {
      return .success(try store.read(id, in: shard, &workspace))
    } catch {
      return .failure(error)
    }
  }

  /// Judges a node that was read.
  package mutating func judge(_ object: StoredObject) -> Judged {
    var judged = Intake.judge(decoder.decode(object), decoder, options)
    if let trust { _ = judged.stand(trust) }
    return judged
  }

  /// Judges a receipt or a schema that was read, as far as it can be by itself.
  package mutating func judge(grouped object: StoredObject) -> JudgedObject {
    GroupIntake.judge(object, &places)
  }

  /// Whether more than the node itself is needed: the key of its author, its parents, or the nodes that a revocation
  /// leaves good.
  package func waits(_ judged: Judged) -> Bool {
    if judged.verdict == nil && judged.node != nil || options.profile.checksParents { return true }
    return trust != nil && judged.verdict?.isGood == true && judged.key != nil
      && judged.standing == nil
  }
}
