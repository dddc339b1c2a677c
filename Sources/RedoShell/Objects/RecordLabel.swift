// How a field of a record is named for people: `Dose (doseNumber)`, `Dose (doseNumber, deprecated)`.

package import RedoHistory
internal import RedoObject
internal import RedoRepository

/// Names members of records.
package enum RecordLabel {
  /// The name of a member.
  ///
  /// - Parameters:
  ///   - name: the name of its field.
  ///   - key: its key, escaped for terminals.
  /// - Returns: both, escaped, and where the field is shown unless it is active.
  package static func text(_ name: RecordNames.Name, _ key: String) -> String {
    let state = name.visibility == .active ? "" : ", \(name.visibility.rawValue)"
    return "\(Escape.text(name.text.text)) (\(key)\(state))"
  }

  /// Says that fields are not shown.
  package static func hidden(_ count: Int) -> String {
    count == 1
      ? "1 hidden field; '--all-fields' shows it"
      : "\(count) hidden fields; '--all-fields' shows them"
  }
}
