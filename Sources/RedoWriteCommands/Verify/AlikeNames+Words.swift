// What people are told of names that look alike.

internal import RedoObject
internal import RedoRepository

extension AlikeNames.Kind {
  /// Several of them in messages.
  fileprivate var words: String {
    switch self {
    case .author: "names of authors"
    case .email: "addresses of authors"
    case .deviceID: "device ids"
    case .deviceName: "names of devices"
    }
  }
}

extension AlikeNames.Group {
  /// The most users of one name that a message lists.
  private static let userLimit = 3
  /// The most names that a message lists.
  private static let nameLimit = 10

  /// The message: each name as it can be told apart, with the user ids, with which the public keys begin.
  var words: String {
    let first = names.prefix(Self.nameLimit)
    let shown = LookAlike.distinct(first.map(\.text))
    let parts = zip(shown, first).map { text, name in "'\(text)'\(Self.users(of: name.holders))" }
    let more = names.count > first.count ? " and \(names.count - first.count) more" : ""
    return "these \(kind.words) look alike: \(parts.joined(separator: ", "))\(more)"
  }

  private static func users(of holders: AlikeNames.Holders) -> String {
    let users = holders.users.map(\.text).sorted()
    guard !users.isEmpty else { return "" }
    let more = users.count > userLimit ? " and \(users.count - userLimit) more" : ""
    let word = users.count == 1 ? "user" : "users"
    return " (\(word) \(users.prefix(userLimit).joined(separator: ", "))\(more))"
  }
}
