// One list of migrations for the app's files and for ours: those that the app wrote first, under its own names, then
// redo_1, which makes of them what IndexSchema has, and redo_2, which adds records. They are recorded where GRDB records them.

internal import GRDB

/// The migrations of a file.
enum Migrations {
  /// Those of an index, in their order.
  static let own = ["v1", "v2", "v3_circles", "redo_1", "redo_2"]
  /// What the names of ours begin with.
  private static let ourPrefix = "redo_"

  /// Whether an identifier is one that an index may have.
  static func isKnown(_ identifier: String) -> Bool { own.contains(identifier) }

  /// What later releases of the app wrote, by number: nothing of ours depends on which of them did.
  private static let laterNumbers: ClosedRange<Character> = "4"..."9"

  /// Whether an identifier is one that an app's file may have.
  static func isApps(_ identifier: String) -> Bool {
    if identifier.hasPrefix(ourPrefix) { return false }
    if identifier == alias || own.contains(identifier) { return true }
    let letters = Array(identifier)
    guard letters.count >= 2, letters[0] == "v", laterNumbers.contains(letters[1]) else {
      return false
    }
    return letters.count == 2 || letters[2] == "_"
  }

  /// How the app's document calls what its code calls v3_circles.
  static let alias = "v3"

  /// What makes an index of an empty file, or of an app's.
  ///
  /// - Parameter checksReferences: whether a row that refers to none ends it.
  /// - Returns: what runs them.
  static func migrator(checksReferences: Bool = true) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    if !checksReferences { migrator = migrator.disablingDeferredForeignKeyChecks() }
    migrator.registerMigration("v1") { database in try AppSchema.makeFirst(database) }
    migrator.registerMigration("v2") { database in try AppSchema.takeSeveralImages(database) }
    migrator.registerMigration("v3_circles") { database in try AppSchema.addCircles(database) }
    migrator.registerMigration("redo_1") { database in try makeOurs(database) }
    migrator.registerMigration("redo_2") { database in try addRecords(database) }
    return migrator
  }
}
