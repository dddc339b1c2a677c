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

/// The commands: each is a subcommand of `redo`.
///
/// With REDO_THIN=1 in the environment (`make thin`) each is an executable of its own, too; otherwise nobody waits until half a
/// hundred of them are linked.
let commands = [
  "redo-age",
  "redo-archive",
  "redo-backup",
  "redo-canonicalize",
  "redo-cat-node",
  "redo-checkpoint",
  "redo-cid",
  "redo-circle",
  "redo-commit",
  "redo-compare",
  "redo-config",
  "redo-device",
  "redo-diff",
  "redo-explain",
  "redo-export",
  "redo-fetch",
  "redo-gc",
  "redo-hash-object",
  "redo-import",
  "redo-index",
  "redo-init",
  "redo-key",
  "redo-log",
  "redo-local",
  "redo-ls-remote",
  "redo-merge",
  "redo-merge-base",
  "redo-prove",
  "redo-push",
  "redo-quarantine",
  "redo-query",
  "redo-receipt",
  "redo-record",
  "redo-recover",
  "redo-reflog",
  "redo-remote",
  "redo-repack",
  "redo-rev-parse",
  "redo-revert",
  "redo-schema",
  "redo-search",
  "redo-serve",
  "redo-share",
  "redo-show",
  "redo-show-ref",
  "redo-snapshot",
  "redo-state",
  "redo-stats",
  "redo-sync",
  "redo-trust",
  "redo-undo",
  "redo-update-ref",
  "redo-verify",
  "redo-verify-pack",
  "redo-wipe",
]

let thin = Context.environment["REDO_THIN"] == "1" ? commands : []

let package = Package(
  name: "redo",
  products: [
    .executable(name: "redo", targets: ["redo"]),
    // What other programs import; Tests/Library is one.
    .library(name: "RedoRepository", targets: ["RedoRepository"]),
  ]
    + thin.map { .executable(name: $0, targets: [$0]) },
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
    .target(name: "DAGCBOR", swiftSettings: settings),
    .target(
      name: "RedoCrypto", dependencies: ["CSodium", "COpenSSL"], swiftSettings: settings),
    .target(
      name: "RedoObject", dependencies: ["CanonicalJSON", "DAGCBOR", "RedoCrypto"],
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

    // What can be done with a store.
    .target(
      name: "RedoRepository",
      dependencies: [
        "CanonicalJSON", "DAGCBOR", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote",
        "RedoStore",
      ],
      swiftSettings: settings),

    // People: the manners of every command, and what each command says.
    .target(
      name: "RedoShell",
      dependencies: [
        "CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote", "RedoRepository",
        "RedoStore",
      ],
      swiftSettings: settings),
    // Two modules, which are compiled side by side.
    .target(
      name: "RedoReadCommands",
      dependencies: [
        "CanonicalJSON", "DAGCBOR", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRepository",
        "RedoShell", "RedoStore",
      ],
      swiftSettings: settings),
    .target(
      name: "RedoWriteCommands",
      dependencies: [
        "CanonicalJSON", "RedoCrypto", "RedoObject", "RedoHistory", "RedoRemote", "RedoRepository",
        "RedoShell", "RedoStore",
      ],
      swiftSettings: settings),
    .target(
      name: "RedoCommands",
      dependencies: ["RedoReadCommands", "RedoShell", "RedoWriteCommands"],
      swiftSettings: settings),
    .executableTarget(name: "redo", dependencies: ["RedoCommands"], swiftSettings: settings),

    .target(
      name: "TestSupport", path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "CanonicalJSONTests", dependencies: ["CanonicalJSON", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DAGCBORTests", dependencies: ["DAGCBOR", "RedoCrypto", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoCryptoTests", dependencies: ["CZlib", "RedoCrypto", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoObjectTests",
      dependencies: ["CanonicalJSON", "DAGCBOR", "RedoCrypto", "RedoObject", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FirestoreModelTests",
      dependencies: ["CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoObject", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RedoHistoryTests",
      dependencies: [
        "CanonicalJSON", "DAGCBOR", "RedoCrypto", "RedoObject", "RedoHistory", "TestSupport",
      ],
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
      name: "RedoRepositoryTests",
      dependencies: [
        "CanonicalJSON", "RedoCrypto", "RedoHistory", "RedoObject", "RedoRemote", "RedoRepository",
        "RedoStore", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RedoScriptTests", dependencies: ["redo", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "RedoCommandsTests",
      dependencies: [
        "CanonicalJSON", "RedoCommands", "RedoCrypto", "RedoHistory", "RedoObject",
        "RedoReadCommands", "RedoRemote", "RedoRepository", "RedoShell", "RedoStore",
        "RedoWriteCommands", "TestSupport",
      ],
      swiftSettings: settings),
  ]
    + thin.map {
      .executableTarget(name: $0, dependencies: ["RedoCommands"], swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)

// What talks HTTP, and the packages it needs, exist only with REDO_NETWORK=1 in the environment: a
// package that imports the library, and `make demo`, neither fetch nor compile them. `make` sets it.
// (A package trait keeps them from being fetched as well, but defines itself as a condition of every
// module, so that all of redo would be compiled again whenever it is switched, and the sources of
// these targets would have to stand in `#if`s. A package of its own could not see `package` names.)
if Context.environment["REDO_NETWORK"] == "1" {
  package.products.append(.executable(name: "redo-net", targets: ["redo-net"]))
  package.dependencies += [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ]
  package.targets += [
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
        "RedoCrypto", "RedoNIO", "RedoRemote", "RedoRepository", "RedoStore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings),
    .target(
      name: "RedoServer",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoNIO", "RedoObject", "RedoRemote",
        "RedoRepository", "RedoStore",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: settings),
    .target(
      name: "RedoFirestore",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoHTTP", "RedoObject", "RedoRemote",
        "RedoRepository", "RedoStore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "redo-net",
      dependencies: [
        "FirestoreModel", "RedoFirestore", "RedoHTTP", "RedoRemote", "RedoRepository", "RedoServer",
        "RedoShell", "RedoStore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RedoHTTPTests",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoHTTP", "RedoNIO", "RedoObject", "RedoRemote",
        "RedoRepository", "RedoServer", "RedoStore",
        "RedoCrypto", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RedoFirestoreTests",
      dependencies: [
        "CanonicalJSON", "FirestoreModel", "RedoCrypto", "RedoFirestore", "RedoObject",
        "RedoRemote", "RedoRepository", "RedoStore", "TestSupport",
      ],
      swiftSettings: settings),
  ]
}

// What links SQLite, with REDO_INDEX=1 in the environment, for the same reasons.
if Context.environment["REDO_INDEX"] == "1" {
  package.products.append(
    .executable(name: "redo-index-sqlite", targets: ["redo-index-sqlite"]))
  package.dependencies += [.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")]
  package.targets += [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "RedoIndex",
      dependencies: [
        "CanonicalJSON", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "redo-index-sqlite", dependencies: ["RedoIndex"], swiftSettings: settings),
    .testTarget(
      name: "RedoIndexTests",
      dependencies: [
        "CSQLite", "CanonicalJSON", "RedoIndex", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
  ]
}
