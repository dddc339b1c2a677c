// How urgent a task is, and its rank (protocol, section 3.2). The arithmetic is our own down to the exponential
// function, so that the values are the same whatever library a system has.
//
//   t = days of 86,400 seconds from the moment asked for to the current todo's deadline
//   U = 1 + 10 / (1 + e^(0.4 t))            U(14) = 1.037   U(0) = 6   U(-7) = 10.427
//   s = (U - 1) / 10                        low < 0.3 <= medium < 0.6 <= high < 0.9 <= critical
//   rank = priority * U * sqrt(storyPoints), 0 without a deadline

package import RedoObject

/// How urgent a todo is at a moment.
package struct Urgency: Sendable {
  /// Levels for people.
  package enum Level: String, CaseIterable, Sendable {
    case none, low, medium, high, critical
  }

  /// U, from 1 to 11; `nil` without a deadline.
  package let value: Double?

  /// The urgency of a deadline.
  ///
  /// - Parameters:
  ///   - due: the deadline; `nil` without a current todo, or when it has none.
  ///   - moment: the moment asked for.
  package init(due: WallTime?, at moment: WallTime) {
    value = due.map { due in
      Self.value(days: Double(due.milliseconds - moment.milliseconds) / 86_400_000)
    }
  }

  /// U of the days that are left.
  package static func value(days: Double) -> Double { 1 + 10 / (1 + exponential(0.4 * days)) }

  /// The level.
  package var level: Level {
    guard let value else { return .none }
    let share = (value - 1) / 10
    return share < 0.3 ? .low : share < 0.6 ? .medium : share < 0.9 ? .high : .critical
  }

  /// The rank of a task, or of a todo with the weights of its task.
  package func rank(priority: Double, storyPoints: Double) -> Double {
    guard let value else { return 0 }
    return priority * value * storyPoints.squareRoot()
  }

  /// e to a power: e^x = 2^k e^r with |r| <= ln 2 / 2, and the series of e^r to its 13th power, whose
  /// rest is below half a unit in the last place.
  package static func exponential(_ power: Double) -> Double {
    guard power < 709.7 else { return power.isNaN ? power : .infinity }
    guard power > -745 else { return 0 }
    let exponent = (power * 1.442_695_040_888_963_4).rounded()
    // ln 2 in two parts, so that the product with the exponent loses nothing.
    let rest =
      (power - exponent * 0x1.62e4_2fee_0000_0p-1) - exponent * 0x1.a39e_f357_93c7_6p-33
    var sum = 1.0
    for divisor in stride(from: 13.0, through: 1, by: -1) { sum = 1 + sum * rest / divisor }
    return Double(sign: .plus, exponent: Int(exponent), significand: sum)
  }

  /// A value rounded to 6 decimals, for printing.
  package static func text(_ value: Double) -> String {
    let scaled = (value * 1_000_000).rounded()
    // Beyond 2^53 a double has no decimals to print.
    guard scaled.magnitude < 0x1p62 else { return "\(value)" }
    let whole = Int64(scaled)
    let digits = String(whole.magnitude)
    let padded = String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
    return (whole < 0 ? "-" : "") + padded.dropLast(6) + "." + padded.suffix(6)
  }
}

extension TaskState {
  /// How urgent the task is at a moment: as its current todo.
  package func urgency(at moment: WallTime) -> Urgency {
    Urgency(due: currentTodo?.due, at: moment)
  }

  /// The rank of the task at a moment.
  package func rank(at moment: WallTime) -> Double {
    urgency(at: moment).rank(priority: priorityNumber, storyPoints: storyPointsNumber)
  }

  /// The rank of one of its todos at a moment: with the todo's deadline and the weights of its task.
  package func rank(of todo: TodoState, at moment: WallTime) -> Double {
    Urgency(due: todo.due, at: moment)
      .rank(priority: priorityNumber, storyPoints: storyPointsNumber)
  }
}
