// The file in which an object lies.

package import RedoObject

extension ObjectStore {
  /// The file in which an object lies; its bytes are not looked at.
  ///
  /// - Parameter id: the object.
  /// - Returns: the path of the first file that has it, in the order in which files are read: a loose object, a pack, or a
  ///   registered archive, which may be away; `nil` when none has it.
  /// - Throws: `archives` when a list of archives is damaged, `system`.
  package func source(of id: ObjectID) throws(StoreError) -> String? {
    let generation = archivesGeneration
    for layer in layers { if let path = try layer.source(of: id) { return path } }
    if let path = try shown?.source(of: id) { return path }
    for shelf in shelves { if let path = try shelf.source(of: id) { return path } }
    // What was brought back out of an archive meanwhile is in the layers now.
    guard archivesGeneration != generation else { return nil }
    for layer in layers { if let path = try layer.source(of: id) { return path } }
    return nil
  }
}

extension Layer {
  /// The path of the file in which an object lies.
  fileprivate func source(of id: ObjectID) throws(StoreError) -> String? {
    let generation = packs.generation
    if try loose.contains(id) { return loose.path(of: id) }
    if let path = try packs.source(of: id) { return path }
    // Nothing may be missed that moves from one place to the other meanwhile.
    if try mapSystem({ () throws(SystemError) in try packs.refresh() }),
      let path = try packs.source(of: id)
    {
      return path
    }
    guard packs.generation != generation, try loose.contains(id) else { return nil }
    return loose.path(of: id)
  }
}

extension PackStore {
  fileprivate func source(of id: ObjectID) throws(StoreError) -> String? {
    try search { (pack) throws(PackError) in try pack.contains(id) ? pack.path : nil }
  }
}

extension ArchiveShelf {
  /// The path of an archive that has a node; of one that is there, if there is one.
  fileprivate func source(of id: ObjectID) throws(StoreError) -> String? {
    let having = try all().filter { (try? $0.contains(id)) == true }
    let present = having.first { if case .present = $0.condition() { true } else { false } }
    return (present ?? having.first)?.archive.path
  }
}
