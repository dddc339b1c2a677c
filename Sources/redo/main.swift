import Glibc
import RedoObject
import CanonicalJSON
import RedoCrypto
func now() -> Double { var t = timespec(); unsafe clock_gettime(CLOCK_MONOTONIC, &t); return Double(t.tv_sec)*1e6 + Double(t.tv_nsec)/1e3 }
func run() {
  let fd = open("/tmp/log100k.ndjson", O_RDONLY)
  var all = [UInt8](repeating: 0, count: 100_000_000)
  var n = 0
  while true { let r = unsafe all.withUnsafeMutableBytes { p in unsafe read(fd, p.baseAddress! + n, p.count - n) }; if r <= 0 { break }; n += r }
  var lines: [Range<Int>] = []
  var s = 0
  for i in 0..<n where all[i] == 10 { lines.append(s..<i); s = i + 1 }
  let span = all.span
  for _ in 0..<3 {
    var sc = Scanner()
    var t = now()
    var c = 0
    for l in lines { try! sc.scan(span.extracting(l)); c += sc.tokenCount }
    print("scan", (now() - t) / Double(lines.count), c)
    var d = NodeDecoder()
    t = now(); c = 0
    for l in lines { if let n = d.decode(span.extracting(l)) { c += n.parents.count } else { print(d.findings) } }
    print("decode", (now() - t) / Double(lines.count), c)
    t = now()
    var o: [UInt8] = []
    for l in lines { let g = SHA256.digest(of: span.extracting(l)); o.append(g.bytes[0]) }
    print("sha of line", (now() - t) / Double(lines.count), o.count)
  }
}
run()
