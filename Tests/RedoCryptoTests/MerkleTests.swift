// Merkle trees against the test data of Certificate Transparency, and against the recursive
// definitions of RFC 6962 for every size up to 70.

import RedoCrypto
import TestSupport
import Testing

@Suite("Merkle tree")
struct MerkleTests {
  /// The leaves of the reference implementation's tests.
  static let leaves = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ].map { leafHash(bytes(hex: $0)) }
  /// The roots of the first ones of them.
  static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  @Test("the roots of the reference tree")
  func referenceRoots() {
    var edge = MerkleEdge()
    #expect(digits(edge.root.bytes) == Self.roots[0])
    for (index, leaf) in Self.leaves.enumerated() {
      edge.append(leaf)
      #expect(digits(edge.root.bytes) == Self.roots[index + 1])
    }
  }

  @Test("the proofs of the reference tree")
  func referenceProofs() {
    #expect(
      inclusion(0, 8) == [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ])
    #expect(
      inclusion(5, 8) == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ])
    #expect(inclusion(0, 1).isEmpty)
    #expect(
      consistency(2, 5) == [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ])
    #expect(
      consistency(6, 8) == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ])
    #expect(
      consistency(6, 7) == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ])
    #expect(consistency(1, 1).isEmpty)
    #expect(consistency(0, 8).isEmpty)
  }

  private func inclusion(_ index: Int, _ size: Int) -> [String] {
    proof(.inclusion(of: index, in: size), Self.leaves).map { digits($0.bytes) }
  }
  private func consistency(_ old: Int, _ new: Int) -> [String] {
    proof(.consistency(from: old, to: new), Self.leaves).map { digits($0.bytes) }
  }

  /// Leaves that are all different.
  static let many = (0..<70).map { leafHash([UInt8($0), 7]) }

  @Test("every size up to 70 has the root and the proofs that RFC 6962 defines", arguments: 0...70)
  func definitions(size: Int) {
    let leaves = Self.many[..<size]
    var edge = MerkleEdge()
    for leaf in leaves { edge.append(leaf) }
    #expect(edge.root == Defined.root(leaves))
    for index in 0..<size {
      let path = proof(.inclusion(of: index, in: size), Array(leaves))
      #expect(path == Defined.path(index, leaves))
      #expect(
        MerkleTree.isIncluded(leaves[index], at: index, of: size, root: edge.root, path: path))
    }
    for old in 0...size {
      let oldRoot = Defined.root(leaves[..<old])
      let path = proof(.consistency(from: old, to: size), Array(leaves))
      #expect(path == Defined.consistency(old, leaves))
      #expect(MerkleTree.isConsistent(old, oldRoot, size, edge.root, path: path))
    }
  }

  @Test("a proof that was changed in any way is refused", arguments: [1, 2, 3, 7, 8, 13, 33])
  func mutations(size: Int) {
    let leaves = Array(Self.many[..<size])
    let root = Defined.root(leaves[...])
    let other = leafHash([99])
    for index in 0..<size {
      let path = proof(.inclusion(of: index, in: size), leaves)
      func holds(
        _ leaf: Digest, _ place: Int, _ count: Int, _ root: Digest, _ path: [Digest]
      ) -> Bool { MerkleTree.isIncluded(leaf, at: place, of: count, root: root, path: path) }
      #expect(!holds(other, index, size, root, path))
      #expect(!holds(leaves[index], index, size, other, path))
      for place in -1...size where place != index {
        #expect(!holds(leaves[index], place, size, root, path))
      }
      for changed in changes(of: path) {
        #expect(!holds(leaves[index], index, size, root, changed))
      }
    }
    for old in 1...size {
      let oldRoot = Defined.root(leaves[..<old])
      let path = proof(.consistency(from: old, to: size), leaves)
      #expect(!MerkleTree.isConsistent(old, other, size, root, path: path))
      #expect(!MerkleTree.isConsistent(old, oldRoot, size, other, path: path))
      for wrong in -1...size + 1 where wrong != old {
        #expect(!MerkleTree.isConsistent(wrong, oldRoot, size, root, path: path))
      }
      for changed in changes(of: path) {
        #expect(!MerkleTree.isConsistent(old, oldRoot, size, root, path: changed))
      }
    }
    #expect(!MerkleTree.isConsistent(0, other, size, root, path: []))
    #expect(!MerkleTree.isConsistent(0, MerkleTree.emptyRoot, size, root, path: [other]))
  }

  /// A path with each hash changed, without each, with one more, and with neighbours swapped.
  private func changes(of path: [Digest]) -> [[Digest]] {
    var changed = [path + [leafHash([1])], [leafHash([1])] + path]
    for index in path.indices {
      var one = path
      one[index].bytes[index % 32] ^= 0x10
      changed.append(one)
      var less = path
      less.remove(at: index)
      changed.append(less)
      if index > 0, path[index] != path[index - 1] {
        var swapped = path
        swapped.swapAt(index, index - 1)
        changed.append(swapped)
      }
    }
    return changed
  }

  @Test("a proof is not ready before its leaves have passed by")
  func incomplete() {
    var prover = MerkleProver.inclusion(of: 2, in: 5)
    for leaf in Self.leaves[..<4] {
      prover.append(leaf)
      #expect(prover.proof == nil)
    }
    prover.append(Self.leaves[4])
    #expect(prover.proof?.count == 3)
    // More leaves than the tree has change nothing.
    let proof = prover.proof
    prover.append(Self.leaves[5])
    #expect(prover.proof == proof)
  }
}

/// The hash of a leaf.
private func leafHash(_ data: [UInt8]) -> Digest { MerkleTree.leafHash(data.span) }

private func proof(_ prover: MerkleProver, _ leaves: [Digest]) -> [Digest] {
  var prover = prover
  for leaf in leaves { prover.append(leaf) }
  return prover.proof ?? []
}

/// RFC 6962, sections 2.1 to 2.1.2, by the letter.
private enum Defined {
  static func half(_ count: Int) -> Int {
    var power = 1
    while power * 2 < count { power *= 2 }
    return power
  }

  static func root(_ leaves: ArraySlice<Digest>) -> Digest {
    if leaves.isEmpty { return digest(of: []) }
    if leaves.count == 1 { return leaves[leaves.startIndex] }
    let k = leaves.startIndex + half(leaves.count)
    return digest(of: [1] + raw(root(leaves[..<k])) + raw(root(leaves[k...])))
  }

  static func path(_ m: Int, _ leaves: ArraySlice<Digest>) -> [Digest] {
    if leaves.count == 1 { return [] }
    let k = half(leaves.count)
    let (left, right) = (leaves.prefix(k), leaves.dropFirst(k))
    return m < k ? path(m, left) + [root(right)] : path(m - k, right) + [root(left)]
  }

  static func consistency(_ m: Int, _ leaves: ArraySlice<Digest>) -> [Digest] {
    m == 0 ? [] : subproof(m, leaves, true)
  }

  static func subproof(_ m: Int, _ leaves: ArraySlice<Digest>, _ isWhole: Bool) -> [Digest] {
    if m == leaves.count { return isWhole ? [] : [root(leaves)] }
    let k = half(leaves.count)
    let (left, right) = (leaves.prefix(k), leaves.dropFirst(k))
    return m <= k
      ? subproof(m, left, isWhole) + [root(right)]
      : subproof(m - k, right, false) + [root(left)]
  }

  static func raw(_ digest: Digest) -> [UInt8] { (0..<32).map { digest.bytes[$0] } }
}
