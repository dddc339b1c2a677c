// Who created a field, and who changed it last, as an English sentence in UTC (schemas, section 4): "Created by iPad (revoked) on
// Jan 2, changed by iPhone on Jan 3".

package import RedoObject

/// Says where fields come from.
package struct FieldProvenance {
  private let devices: DeviceList
  private let now: WallTime

  /// A speaker.
  ///
  /// - Parameters:
  ///   - devices: the devices of the history.
  ///   - now: dates of another year than this are told with it.
  package init(_ devices: DeviceList, now: WallTime) {
    self.devices = devices
    self.now = now
  }

  /// Where a field comes from.
  package func text(of field: SchemaField) -> String {
    let isBuiltIn = field.created == .none
    var text = isBuiltIn ? "Built in" : "Created\(said(field.created))"
    if field.updated.by != field.created.by, field.updated != .none {
      text += ", changed\(said(field.updated))"
    }
    return text
  }

  /// ` by <device> on <date>`, as far as that is known.
  private func said(_ stamp: FieldStamp) -> String {
    var text = ""
    if stamp.by != .zero {
      text += " by \(devices.name(of: stamp.by))"
      if devices.device(stamp.by)?.isRevoked ?? false { text += " (revoked)" }
    }
    return stamp.at == .earliest ? text : "\(text) on \(day(stamp.at))"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Jan 2`, or `Jan 2, 2025` for another year than now.
  private func day(_ time: WallTime) -> String {
    let date = Self.date(time)
    let text = "\(Self.months[Int(date.month) - 1]) \(date.day)"
    return date.year == Self.date(now).year ? text : "\(text), \(date.year)"
  }

  private static func date(_ time: WallTime) -> (year: Int64, month: Int64, day: Int64) {
    let dayLength: Int64 = 86_400_000
    let days = time.milliseconds / dayLength
    return WallTime.date(time.milliseconds % dayLength < 0 ? days - 1 : days)
  }
}
