// Which packs a repack unites.

internal import RedoStore

/// Which packs are united.
package enum RepackChoice {
  /// All of them.
  case all
  /// As many as it takes for each to have so many times the nodes of all smaller ones.
  case geometric(Int)
}
