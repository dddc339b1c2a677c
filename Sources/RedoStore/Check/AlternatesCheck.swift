// `objects/info/alternates`: every directory that it names is there.

internal import RedoObject

/// The check of the further directories of objects that a store reads.
package enum AlternatesCheck {
  private static let sizeLimit = 1 << 20

  /// Looks at each line.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong, in the order of the lines.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    let path = "\(Layout.objectInfo)/alternates"
    let bytes: [UInt8]?
    do throws(SystemError) {
      guard try store.status(path)?.kind == .regular else { return [] }
      bytes = try store.readFile(path, limit: sizeLimit, isFollowing: false)
    } catch {
      return [
        StoreFinding(.fileKind, path: path, detail: "it cannot be read: \(error.reason)")
      ]
    }
    let lines = (bytes ?? []).split(separator: UInt8(ascii: "\n"))
    return lines.filter { $0.first != UInt8(ascii: "#") }.compactMap { line in
      let name = String(decoding: line, as: UTF8.self)
      do throws(SystemError) {
        _ = try Directory.open(joinPath(joinPath(store.path, Layout.objects), name))
        return nil
      } catch {
        return StoreFinding(
          error.isMissing ? .fileMissing : .fileKind, path: path,
          detail: "'\(name)' cannot be opened: \(error.reason)",
          repair: "put the directory back, or take the line out")
      }
    }
  }
}
