// Which packs are united, so that there are never many of them and no node is written anew too often: as
// git's `repack --geometric` has it, each pack is a few times as large as all smaller ones together.

/// The choice of packs by their sizes.
package enum PackGeometry {
  /// How many times as many nodes a pack has as all smaller ones together, by default.
  package static let usualFactor = 2

  /// How many of the smallest packs become one with the loose nodes.
  ///
  /// They are the fewest after which each pack that stays has at least `factor` times the nodes of
  /// all smaller ones together, the new one among them. So a store of *n* nodes has at most
  /// log *n* packs, to the base of `factor` + 1, and a node is written as often at most.
  ///
  /// - Parameters:
  ///   - sizes: the nodes of each pack, in ascending order.
  ///   - loose: the number of loose nodes.
  ///   - factor: 1 or more.
  /// - Returns: how many packs, from the first on.
  package static func united(_ sizes: [Int], loose: Int, factor: Int) -> Int {
    // What is smaller than a pack is the same whether it is united or not.
    var below = loose
    var count = 0
    for (index, size) in sizes.enumerated() {
      // A size times a factor may be more than a number can hold.
      let (needed, isOver) = below.multipliedReportingOverflow(by: factor)
      if isOver || size < needed { count = index + 1 }
      below += size
    }
    return count
  }
}
