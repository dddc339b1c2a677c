// swift-tools-version: 6.2
import PackageDescription

// `make` builds with warnings as errors; a plain `swift build` does not, so that a newer compiler's
// new warning never keeps a user from building.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

/// The commands: each is a subcommand of `redo`, and a thin executable of its own.
let commands = [
  "redo-archive",
  "redo-canonicalize",
  "redo-cat-node",
  "redo-checkpoint",
  "redo-commit",
  "redo-config",
  "redo-diff",
  "redo-explain",
  "redo-export",
  "redo-gc",
  "redo-hash-object",
  "redo-import",
  "redo-init",
  "redo-key",
  "redo-log",
  "redo-merge",
  "redo-merge-base",
  "redo-prove",
  "redo-query",
  "redo-recover",
  "redo-reflog",
  "redo-repack",
  "redo-rev-parse",
  "redo-revert",
  "redo-show",
  "redo-show-ref",
  "redo-snapshot",
  "redo-state",
  "redo-stats",
  "redo-trust",
  "redo-update-ref",
  "redo-verify",
  "redo-verify-pack",
  "redo-wipe",
]

let package = Package(
  name: "redo",
  products: [.executable(name: "redo", targets: ["redo"])]
    + commands.map { .executable(name: $0, targets: [$0]) },
  targets: [
    // C libraries: a module map and a shim each.
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Pure: meaning, no effects.
    .target(name: "CanonicalJSON", swiftSettings: settings),
    .target(
      name: "RedoCrypto", dependencies: ["CSodium", "COpenSSL"], swiftSettings: settings),
    .target(
      name: "RedoObject", dependencies: ["CanonicalJSON", "RedoCrypto"],
      swiftSettings: settings),

    .target(
      name: "RedoHistory", dependencies: ["CanonicalJSON", "RedoObject"],
      swiftSettings: settings),

    // Effects: where objects live.
    .target(
      name: "RedoStore", dependencies: ["RedoObject", "RedoCrypto", "CZlib", "CLinux"],
      swiftSettings: settings),

    // People: what each command says.
    .target(
      name: "RedoCommands",
      dependencies: ["CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "RedoStore"],
      swiftSettings: settings),
    .executableTarget(name: "redo", dependencies: ["RedoCommands"], swiftSettings: settings),

    .target(
      name: "TestSupport", path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "CanonicalJSONTests", dependencies: ["CanonicalJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoCryptoTests", dependencies: ["RedoCrypto", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoObjectTests",
      dependencies: ["CanonicalJSON", "RedoCrypto", "RedoObject", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoHistoryTests",
      dependencies: ["CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoStoreTests",
      dependencies: ["RedoStore", "RedoObject", "RedoCrypto", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoScriptTests", dependencies: ["redo", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "RedoCommandsTests",
      dependencies: [
        "CanonicalJSON", "RedoCommands", "RedoCrypto", "RedoObject", "RedoStore", "TestSupport",
      ],
      swiftSettings: settings),
  ]
    + commands.map {
      .executableTarget(name: $0, dependencies: ["RedoCommands"], swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)
