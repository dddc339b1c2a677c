// CARv1 (ipld.io, "Content Addressable aRchives"), as redo export writes it: a header that names the roots, then blocks,
// each behind its CID of version 1 and SHA-256. A block of codec raw is a canonical body, whose id is the digest of its
// CID, one of codec dag-cbor a receipt; the block behind it may be its signature. Both are handed on as one text with id and
// signature, or as the line of a receipt, which is judged like any other. A block whose CID is not that of its bytes is damage: it ends the input, or it is handed on by itself,
// so that whoever judges it says so.

internal import DAGCBOR
internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// A block of a CAR file.
struct CARBlock {
  /// Its name as that of a node.
  let id: ObjectID
  /// The kind of object that it is.
  let kind: ObjectKind
  let data: [UInt8]
  /// The bytes before it in the stream.
  let offset: Int
  /// Whether its CID is that of its bytes.
  let isWhole: Bool

  /// The members that it adds to a node or receipt, if it is the signature of that.
  fileprivate func signature(of block: CARBlock) -> ArraySlice<UInt8>? {
    guard kind == .node, isWhole, data.starts(with: CARSignature(of: block.id, block.kind).start),
      data.last == UInt8(ascii: "}")
    else { return nil }
    return data[1..<(data.count - 1)]
  }

  /// The node with its id, and the signature if there is one, or a receipt as a line; anything that is no object as it stands.
  fileprivate func text(_ signature: ArraySlice<UInt8>?) -> [UInt8] {
    guard kind == .node else {
      var text = Array("{\"cbor\":\"".utf8)
      Base64.append(data.span, to: &text)
      text += "\",".utf8
      text += signature ?? Array("\"cid\":\"\(id.cidText(as: kind))\"".utf8)[...]
      text.append(UInt8(ascii: "}"))
      return text
    }
    guard data.first == UInt8(ascii: "{") else { return data }
    var text: [UInt8] = [UInt8(ascii: "{")]
    text += signature ?? Array("\"id\":\"\(id.text)\"".utf8)[...]
    if data.count > 2 { text.append(UInt8(ascii: ",")) }
    return text + data.dropFirst()
  }
}

extension ValueReader {
  /// Reads the header of a CAR file, and remembers its roots.
  ///
  /// - Parameter name: the file in messages.
  /// - Throws: `ImportFault.blocks` when it is not one as DAG-CBOR has it.
  mutating func readHeader(_ name: String) throws {
    guard let count = try varint(name), count <= 1 << 28, try has(count) else {
      throw ImportFault.blocks(offset: base + position, name: name)
    }
    let map = Array(buffer[position..<position + count])
    position += count
    let header: CBORValue
    do throws(CBORError) { header = try CBORDocument(map).root } catch {
      throw ImportFault.blocks(offset: error.offset, name: name)
    }
    guard header.form == .map(count: 2), header.member("version")?.form == .integer(1),
      let links = header.member("roots"), case .array = links.form
    else { throw ImportFault.blocks(offset: 0, name: name) }
    for link in links.elements {
      guard let cid = link.link else {
        throw ImportFault.blocks(offset: link.offset, name: name)
      }
      roots.insert(ObjectID(cid))
    }
  }

  /// Reads the next nodes.
  ///
  /// - Parameter name: the file in messages.
  /// - Returns: at least one; `nil` at the end.
  /// - Throws: `ImportFault.blocks` where the file is damaged, or when it ends before its roots came.
  mutating func nextBlocks(_ name: String) throws -> RecordBatch? {
    var batch = RecordBatch()
    while batch.records.count < batchCount, batch.bytes.count < Self.batchBytes {
      let before = held
      held = nil
      guard let block = try before ?? nextBlock(name) else { break }
      let next = try nextBlock(name)
      let signature = next?.signature(of: block)
      if signature == nil { held = next }
      roots.remove(block.id)
      number += 1
      let start = batch.bytes.count
      batch.bytes += block.text(signature)
      batch.records.append(
        LineRecord(
          range: start..<batch.bytes.count, offset: block.offset, byteCount: block.data.count,
          number: number, state: .complete))
    }
    if batch.records.isEmpty, !roots.isEmpty, manner != .salvaging {
      throw ImportFault.blocks(offset: base + position, name: name)
    }
    return batch.records.isEmpty ? nil : batch
  }

  private mutating func nextBlock(_ name: String) throws -> CARBlock? {
    let offset = base + position
    guard let count = try varint(name) else { return nil }
    guard count >= CID.byteCount, count <= Node.byteLimit + CID.byteCount, try has(count),
      let cid = CID(bytes: buffer[position..<position + CID.byteCount].span)
    else { throw ImportFault.blocks(offset: offset, name: name) }
    let id = ObjectID(cid)
    let data = Array(buffer[(position + CID.byteCount)..<(position + count)])
    position += count
    let isWhole = SHA256.digest(of: data.span) == id.digest
    guard isWhole || manner.isTold || manner == .salvaging else {
      throw ImportFault.blocks(offset: offset, name: name)
    }
    return CARBlock(
      id: id, kind: cid.codec == .dagCBOR ? .receipt : .node, data: data, offset: offset,
      isWhole: isWhole)
  }

  /// Whether so many bytes follow.
  private mutating func has(_ count: Int) throws -> Bool {
    while buffer.count - position < count { if try !fill() { return false } }
    return true
  }

  /// Reads a number, seven bits a byte from the least; `nil` at the end of the stream.
  private mutating func varint(_ name: String) throws -> Int? {
    let offset = base + position
    var value = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard try has(1) else {
        if shift == 0 { return nil }
        break
      }
      let byte = buffer[position]
      position += 1
      value |= Int(byte & 0x7F) << shift
      guard byte < 0x80 else { continue }
      if byte == 0, shift > 0 { break }
      return value
    }
    throw ImportFault.blocks(offset: offset, name: name)
  }
}
