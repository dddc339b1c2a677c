// swift-tools-version: 6.2
// A package of its own, as a user of the library would write it.
import PackageDescription

let package = Package(
  name: "library-example",
  dependencies: [.package(name: "redo", path: "../..")],
  targets: [
    .executableTarget(
      name: "Example", dependencies: [.product(name: "RedoRepository", package: "redo")])
  ],
  swiftLanguageModes: [.v6]
)
