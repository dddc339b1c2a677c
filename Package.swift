// swift-tools-version: 6.2
import PackageDescription

// `make` builds with warnings as errors; a plain `swift build` does not, so that a newer compiler's
// new warning never keeps a user from building.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // Views of bytes (JSONValue) are bound to what they look into.
  .enableExperimentalFeature("Lifetimes"),
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
  "redo-fetch",
  "redo-gc",
  "redo-hash-object",
  "redo-import",
  "redo-init",
  "redo-key",
  "redo-log",
  "redo-ls-remote",
  "redo-merge",
  "redo-merge-base",
  "redo-prove",
  "redo-push",
  "redo-quarantine",
  "redo-query",
  "redo-recover",
  "redo-reflog",
  "redo-remote",
  "redo-repack",
  "redo-rev-parse",
  "redo-revert",
  "redo-serve",
  "redo-show",
  "redo-show-ref",
  "redo-snapshot",
  "redo-state",
  "redo-stats",
  "redo-sync",
  "redo-trust",
  "redo-update-ref",
  "redo-verify",
  "redo-verify-pack",
  "redo-wipe",
]

/// The executables that talk HTTP; `redo` starts them, and links nothing of what they link.
let networkExecutables = ["redo-remote-firestore", "redo-remote-http", "redo-serve-http"]

let package = Package(
  name: "redo",
  products: [.executable(name: "redo", targets: ["redo"])]
    + (commands + networkExecutables).map { .executable(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
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

    .target(
      name: "FirestoreModel", dependencies: ["CanonicalJSON", "RedoCrypto", "RedoObject"],
      swiftSettings: settings),

    // Effects: where objects live.
    .target(
      name: "RedoStore",
      dependencies: ["CanonicalJSON", "RedoObject", "RedoCrypto", "CZlib", "CLinux"],
      swiftSettings: settings),

    // Others: what two stores say to each other; pure so far.
    .target(
      name: "RedoRemote", dependencies: ["RedoObject", "RedoCrypto"], swiftSettings: settings),

    // People: what each command says.
    .target(
      name: "RedoCommands",
      dependencies: [
        "CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote", "RedoStore",
      ],
      swiftSettings: settings),
    .executableTarget(name: "redo", dependencies: ["RedoCommands"], swiftSettings: settings),

    // HTTP: what needs a network library, each behind an executable of its own.
    .target(
      name: "RedoNIO",
      dependencies: [
        "RedoRemote",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .target(
      name: "RedoHTTP",
      dependencies: [
        "RedoCommands", "RedoCrypto", "RedoNIO", "RedoRemote", "RedoStore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "redo-remote-http", dependencies: ["RedoCommands", "RedoHTTP"],
      swiftSettings: settings),
    .target(
      name: "RedoServer",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoCommands", "RedoCrypto", "RedoNIO", "RedoObject",
        "RedoRemote", "RedoStore",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "redo-serve-http", dependencies: ["RedoCommands", "RedoServer"],
      swiftSettings: settings),

    .target(
      name: "RedoFirestore",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoCommands", "RedoCrypto", "RedoHTTP", "RedoObject",
        "RedoRemote", "RedoStore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "redo-remote-firestore", dependencies: ["RedoCommands", "RedoFirestore"],
      swiftSettings: settings),

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
      name: "FirestoreModelTests",
      dependencies: ["CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoObject", "TestSupport"],
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
      name: "RedoRemoteTests",
      dependencies: ["RedoRemote", "RedoObject", "RedoCrypto", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoHTTPTests",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoHTTP", "RedoNIO", "RedoObject", "RedoRemote", "RedoServer",
        "RedoCrypto", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RedoFirestoreTests",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoFirestore", "RedoObject",
        "RedoRemote", "RedoStore", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RedoScriptTests", dependencies: ["redo", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "RedoCommandsTests",
      dependencies: [
        "CanonicalJSON", "RedoCommands", "RedoCrypto", "RedoHistory", "RedoObject", "RedoRemote",
        "RedoStore", "TestSupport",
      ],
      swiftSettings: settings),
  ]
    + commands.map {
      .executableTarget(name: $0, dependencies: ["RedoCommands"], swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)
