// An expression over the properties of a row, ready to be evaluated. It is kept in postfix form, so that neither
// parsing nor evaluation recurses.
//
//   expression = term { "or" term }            term = factor { "and" factor }
//   factor = "not" factor | "(" expression ")" | property [ operator value ]
//   operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"
//   value = text | number | "true" | "false" | "null" | property

package import RedoObject

/// A condition on rows.
package struct QueryExpression: Sendable {
  /// How a property is compared.
  enum Operator: String, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case contains = "~"
    case lacks = "!~"
  }

  /// What a property is compared with.
  enum Operand: Sendable {
    case property(QueryProperty)
    case value(QueryValue)
    /// Instants: a whole day, or one of them.
    case times(ClosedRange<WallTime>)
    /// A text, or, where a field of a record is a time, instants.
    case textOrTimes([UInt8], ClosedRange<WallTime>)
    /// What a text is searched for, in lower case.
    case needle(QueryNeedle)
  }

  /// A step of the postfix form.
  enum Step: Sendable {
    case compare(QueryProperty, Operator, Operand)
    case and, or, not
  }

  /// The postfix form: never empty, and complete.
  let steps: [Step]

  /// The fields of records that it is about, as they were written.
  package var recordNames: [ByteText] {
    var names: [ByteText] = []
    func note(_ property: QueryProperty) {
      if case .record(let name) = property { names.append(name) }
    }
    for step in steps {
      guard case .compare(let property, _, let operand) = step else { continue }
      note(property)
      if case .property(let other) = operand { note(other) }
    }
    return names
  }

  /// Whether a row meets the condition.
  ///
  /// A property without a value is equal to `null` only, and neither less nor greater than anything.
  ///
  /// - Complexity: O(*n*) in the length of the expression.
  package func holds(for item: QueryItem) -> Bool {
    var stack: [Bool] = []
    for step in steps {
      switch step {
      case .compare(let property, let comparison, let operand):
        stack.append(Self.compare(property, comparison, operand, item))
      case .not: stack.append(!stack.removeLast())
      case .and:
        let right = stack.removeLast()
        stack.append(stack.removeLast() && right)
      case .or:
        let right = stack.removeLast()
        stack.append(stack.removeLast() || right)
      }
    }
    return stack[0]
  }

  private static func compare(
    _ property: QueryProperty, _ comparison: Operator, _ operand: Operand, _ item: QueryItem
  ) -> Bool {
    let left = item.value(of: property)
    switch operand {
    case .property(let other):
      let right = item.value(of: other)
      if comparison == .contains || comparison == .lacks {
        guard case .text(let bytes) = right else { return comparison == .lacks }
        return contains(left, QueryNeedle(bytes)) == (comparison == .contains)
      }
      // Two missing values cannot be compared.
      if left == .missing, right == .missing { return false }
      return compare(left, comparison, right)
    case .value(let right): return compare(left, comparison, right)
    case .needle(let needle): return contains(left, needle) == (comparison == .contains)
    case .textOrTimes(let bytes, let times):
      guard case .time(let time) = left else { return compare(left, comparison, .text(bytes)) }
      return compare(time, comparison, times)
    case .times(let times):
      guard case .time(let time) = left else { return comparison == .notEqual }
      return compare(time, comparison, times)
    }
  }

  private static func compare(
    _ time: WallTime, _ comparison: Operator, _ times: ClosedRange<WallTime>
  ) -> Bool {
    switch comparison {
    case .equal: times.contains(time)
    case .notEqual: !times.contains(time)
    case .less: time < times.lowerBound
    case .atMost: time <= times.upperBound
    case .greater: time > times.upperBound
    case .atLeast: time >= times.lowerBound
    case .contains, .lacks: false
    }
  }

  private static func compare(
    _ left: QueryValue, _ comparison: Operator, _ right: QueryValue
  ) -> Bool {
    switch comparison {
    case .equal: return isEqual(left, right)
    case .notEqual: return !isEqual(left, right)
    case .less: return precedes(left, right)
    case .greater: return precedes(right, left)
    case .atMost: return precedes(left, right) || isOrdered(left) && isEqual(left, right)
    case .atLeast: return precedes(right, left) || isOrdered(left) && isEqual(left, right)
    case .contains, .lacks: return false
    }
  }

  private static func isEqual(_ left: QueryValue, _ right: QueryValue) -> Bool {
    left == right && left != .composite
  }

  /// Whether values of this kind are less or greater than each other.
  private static func isOrdered(_ value: QueryValue) -> Bool {
    switch value {
    case .number, .time, .text: true
    case .truth, .composite, .missing: false
    }
  }

  private static func precedes(_ left: QueryValue, _ right: QueryValue) -> Bool {
    switch (left, right) {
    case (.number, .number), (.time, .time), (.text, .text): left.precedes(right)
    default: false
    }
  }

  private static func contains(_ value: QueryValue, _ needle: QueryNeedle) -> Bool {
    guard case .text(let bytes) = value else { return false }
    return needle.isIn(bytes)
  }
}
