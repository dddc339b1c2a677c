// A strict reader of SVG for tests.

import Foundation
import FoundationXML
import Testing

/// The elements of a document.
struct SVGReader {
  struct Element {
    let name: String
    let attributes: [String: String]
    /// The element's own text, and that of its title.
    var text = ""
    var title: String?

    /// An attribute that is a number.
    func number(_ name: String) throws -> Double {
      let text = attributes[name] ?? ""
      return try #require(Double(text), "\(name)='\(text)'")
    }
  }

  /// The elements, in the order in which they begin.
  let elements: [Element]

  /// Reads a document; refuses what is not well-formed.
  init(_ data: Data) throws {
    let reader = Reader()
    let parser = XMLParser(data: data)
    parser.delegate = reader
    let isWellFormed = parser.parse()
    try #require(
      isWellFormed, "line \(parser.lineNumber): \(String(describing: parser.parserError))")
    elements = reader.elements
  }

  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  // A class, because the parser requires one.
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      guard let last = open.last else { return }
      elements[last].text += text
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      guard let ended = open.popLast(), name == "title", let outer = open.last else { return }
      elements[outer].title = elements[ended].text
    }
  }
}
