// Which packs a repack combines.

internal import RedoStore

/// Which packs are combined.
package enum RepackChoice {
  /// All of them.
  case all
  /// As many as are needed so that each pack has this many times the nodes of all smaller ones.
  case geometric(Int)
}
