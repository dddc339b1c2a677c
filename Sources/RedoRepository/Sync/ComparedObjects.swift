// What an exchange needs of the objects of one kind: an exchange is about one kind (redo-wire(5)), and whatever it is, the
// two sides compare, check, send and remember in the same steps.

package import RedoCrypto
package import RedoObject
package import RedoRemote
package import RedoStore

/// The objects of one kind in the history of a store, for one exchange.
///
/// A class, because they are read once, whoever needs them first.
package protocol ComparedObjects: AnyObject {
  // A `ComparedSource`, as those who use it say: a requirement of another module would keep programs from reading this one.
  associatedtype Source

  /// The digests of what is compared, as long as it was not read.
  var top: RangeTree.Top? { get }
  /// Why it could not be read.
  var failure: (any Error)? { get set }
  /// The surroundings.
  var effects: Effects { get }

  /// What is compared.
  ///
  /// - Throws: the error when the history cannot be read.
  func source() throws -> Source

  /// The number of objects that are compared, and of all in the history.
  var counts: (compared: Int, history: Int) { get throws }

  /// The digest of all that is compared, if it is known.
  var root: Digest? { get throws }

  /// The objects that are not compared, as they are told.
  ///
  /// - Parameter limit: how many of each rule are named, as for `NamedRows`; all when `nil`.
  /// - Returns: the rows, ancestors before descendants.
  /// - Throws: the error when the history cannot be read.
  func held(limit: Int?) throws -> [RefusedNode]

  /// The same, counted by reason.
  var withheld: Withheld { get throws }

  /// The heads among some of what is compared, by the refs that name them.
  ///
  /// - Parameter has: whether the object at a position counts.
  /// - Returns: the refs, in their order; none where they cannot be told.
  /// - Throws: the error when the history cannot be read.
  func heads(_ has: (Int) -> Bool) throws -> [Ref]

  /// Which objects may be sent.
  ///
  /// - Parameters:
  ///   - positions: the objects, ascending, with all ancestors that the other side lacks.
  ///   - effects: where the trust file is found.
  /// - Returns: what may be sent, and why the rest may not.
  /// - Throws: `TrustError` when the trust file cannot be read, `StoreError` when the store cannot be; `Interruption`.
  func check(_ positions: [Range<Int>], _ effects: Effects) throws -> PushCheck.Outcome

  /// What makes packs of them.
  ///
  /// - Parameters:
  ///   - turnLimit: the most bytes that are sent at once; `nil` for no limit.
  ///   - tellsWhy: whether the other side may know what is wrong with an object that cannot be read.
  ///   - lists: reads the access lists that go along; `nil` for none.
  ///   - effects: describes errors.
  /// - Returns: what makes them.
  /// - Throws: the error when the history cannot be read.
  func packs(
    turnLimit: Int?, tellsWhy: Bool, lists: (() -> AccessNotes.Found?)?, _ effects: Effects
  ) throws -> any PackMaker

  /// The heads that both have after an exchange, by the refs of this store.
  ///
  /// - Parameters:
  ///   - lacking: what the other side lacked and still lacks.
  ///   - fetched: what has come.
  ///   - pushed: what was sent.
  ///   - isFirst: whether the heads of all groups are wanted, and not only of those in which something has moved.
  ///   - effects: the surroundings.
  /// - Returns: the heads, by ref; `nil` when they cannot be told.
  /// - Throws: the error when the history cannot be read.
  func sharedHeads(
    lacking: Set<ObjectID>, fetched: [ObjectID], pushed: [ObjectID], isFirst: Bool,
    _ effects: Effects
  ) throws -> [(name: RefName, ids: [ObjectID])]?
}

extension ComparedObjects {
  /// What is compared, for an exchange, which is told no more than that it failed.
  ///
  /// - Returns: the source.
  /// - Throws: that it cannot be read; `failure` says why.
  package func asked() throws(RemoteError) -> Source {
    do {
      return try source()
    } catch {
      failure = error
      throw (error as? RemoteError) ?? RemoteError(ending: error, effects)
    }
  }
}

extension ComparedObjects where Source: ComparedSource {
  /// The ids at some positions.
  func ids(at positions: [Range<Int>]) throws -> Set<ObjectID> {
    guard !positions.isEmpty else { return [] }
    let source = try source()
    return Set(positions.joined().lazy.map { source.id(at: $0) })
  }
}
