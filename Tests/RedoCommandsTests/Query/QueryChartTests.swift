// Bar charts: the lengths of bars, as blocks, as ASCII and as rectangles, and numbers that are not finite.

import Foundation
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Charts of questions")
struct QueryChartTests {
  private func chart(_ values: [Double], rests: [Double] = []) -> QueryChart {
    var chart = QueryChart(title: "Title", subtitle: "subtitle", unit: "units")
    if !rests.isEmpty { chart.rest = "others" }
    chart.bars = values.enumerated().map { place, value in
      QueryChart.Bar(label: "\(place)", value: value, rest: rests.isEmpty ? 0 : rests[place])
    }
    return chart
  }

  private func bars(_ chart: QueryChart, isASCII: Bool) -> [String] {
    chart.lines(isASCII: isASCII).dropFirst(2).compactMap { line in
      line.split(whereSeparator: { $0 == "|" || $0 == "│" }).dropFirst().first.map(String.init)
    }
  }

  @Test("the greatest value has 48 columns, and an eighth of a column is seen")
  func blocks() {
    let full = String(repeating: "█", count: 48)
    // 384 eighths in all: 192 are 24 columns, 190 are 23 and 6 eighths, 1 is one.
    #expect(
      bars(chart([384, 192, 190, 1, 0]), isASCII: false) == [
        full + " 384", String(full.prefix(24)) + " 192", String(full.prefix(23)) + "▊ 190", "▏ 1",
        " 0",
      ])
    // Every value above zero is visible, however small it is.
    #expect(bars(chart([1_000_000, 1]), isASCII: false)[1] == "▏ 1")
  }

  @Test("ASCII bars, and what stands on top of them")
  func ascii() {
    let hashes = String(repeating: "#", count: 48)
    let dots = String(repeating: ".", count: 48)
    #expect(
      bars(chart([48, 24, 0.1, 0]), isASCII: true) == [
        hashes + " 48", String(hashes.prefix(24)) + " 24", "# 0.1", " 0",
      ])
    let stacked = chart([12, 0, 48], rests: [12, 48, 0])
    #expect(
      bars(stacked, isASCII: true) == [
        String(hashes.prefix(12)) + String(dots.prefix(12)) + " 12", dots + " 0", hashes + " 48",
      ])
    #expect(stacked.lines(isASCII: true).last == "# units, . others")
    #expect(stacked.lines(isASCII: false).last == "█ units, ░ others")
  }

  @Test("steps of the axis: 1, 2 or 5 times a power of ten, at most 5 of them")
  func steps() {
    let cases: [(Double, Double)] = [
      (0, 1), (0.3, 0.1), (1, 0.2), (4, 1), (5, 1), (6, 2), (11, 5), (25, 5), (26, 10), (356, 100),
      (9416, 2000),
    ]
    for (maximum, step) in cases {
      let found = QueryChart.axisStep(for: maximum, isWhole: false)
      #expect(abs(found - step) < step * 1e-9, "\(maximum)")
    }
    #expect(QueryChart.axisStep(for: 2, isWhole: true) == 1)
  }

  @Test(
    "a picture is XML, whatever the numbers",
    arguments: [
      [], [0], [0, 0], [1], [1, 2.5, 3], [1e308, 1e308], [.leastNonzeroMagnitude, 0],
      [.leastNonzeroMagnitude], [4e-7], [6e-7],
      [.greatestFiniteMagnitude, 1], Array(repeating: 1, count: 300),
    ])
  func picture(values: [Double]) throws {
    for rests in [[], values] {
      let chart = chart(values, rests: rests)
      for isASCII in [false, true] {
        #expect(chart.lines(isASCII: isASCII).allSatisfy { $0.count < 400 })
      }
      var bytes: [UInt8] = []
      chart.appendSVG(to: &bytes)
      #expect(try SVGReader(Data(bytes)).all("rect").count >= 1)
    }
  }

  @Test("a rectangle reaches as high as its value says")
  func rectangles() {
    var bytes: [UInt8] = []
    chart([1, 4]).appendSVG(to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    // 248 rows from 96 to 344: 4 of 4 has all of them, 1 of 4 has 62.
    #expect(text.contains("y=\"96\" width=\"48\" height=\"248\"/>"))
    #expect(text.contains("y=\"282\" width=\"48\" height=\"62\"/>"))
    #expect(text.contains("<title>1: 4 units</title>"))
  }
}
