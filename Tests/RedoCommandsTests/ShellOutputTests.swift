import Glibc
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import Synchronization
import Testing

@Suite("Output")
struct ShellOutputTests {
  /// The error of a body that writes.
  private func failure(
    _ descriptor: Int32, _ body: (inout Output) throws -> Void
  ) -> CommandError? {
    var output = Output.descriptor(descriptor)
    do { try body(&output) } catch { return CommandError(error) }
    return nil
  }

  @Test("a full device is an error, at once or at the end, and goes on being one")
  func full() throws {
    // SAFETY: a constant path.
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let expected = CommandError.fatal("write error: no space left on device")
    #expect(failure(descriptor) { output throws in try output.write("x") } == nil)
    #expect(
      failure(descriptor) { output throws in
        try output.write("x")
        try output.flush()
      } == expected)
    #expect(
      failure(descriptor) { output throws in
        try output.write([UInt8](repeating: 0, count: Output.bufferBytes))
      } == expected)
    #expect(
      failure(descriptor) { output throws in
        try output.write("x")
        output.flushOrDrop()
        try output.flush()
      } == expected)
  }

  @Test("a full device ends a command with 128")
  func fullShell() throws {
    // SAFETY: a constant path.
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    var context = Context(arguments: ["x"], output: .descriptor(descriptor))
    #expect(
      Shell.run(&context, as: "redo-echo", CommandSuite("redo", [EchoCommand.self]))
        == .exit(.fatal))
    #expect(context.errors.text == "fatal: write error: no space left on device\n")
  }

  @Test("a message ends the line of progress that stands there")
  func messageInProgress() {
    let clock = Atomic<Int64>(0)
    let time: @Sendable () -> Int64 = { clock.wrappingAdd(1_000, ordering: .relaxed).newValue }
    let stream = MessageStream(.memory(), clock: time, isTerminal: { true })
    let progress = Progress(.importing, total: 4, Effects(reporter: stream))
    progress.update(1)
    progress.update(2)
    stream.say("warning: ", "odd")
    progress.update(3)
    progress.finish(4)
    #expect(
      stream.text == """
        importing changes: 25% (1/4)\rimporting changes: 50% (2/4)\rimporting changes: 50% (2/4)
        warning: odd
        importing changes: 75% (3/4)\rimporting changes: 100% (4/4)\rimporting changes: 100% (4/4), done

        """)
  }

  @Test("whatever is written arrives, in order")
  func order() throws {
    let (output, expected) = try withStream([]) { descriptor in
      var output = Output.descriptor(descriptor)
      var expected: [UInt8] = []
      for number in 0..<2000 {
        let line = Array("line \(number)".utf8) + [UInt8](repeating: 46, count: number % 100)
        try output.write(line)
        try output.write(line[2...])
        try output.write(line.span)
        try output.write("é")
        try output.writeLine("x")
        try output.write(byte: 0)
        try output.append { $0 += [1, 2] }
        expected += line + line[2...] + line + [0xC3, 0xA9, 120, 10, 0, 1, 2]
      }
      try output.write([UInt8](repeating: 7, count: 200_000))
      expected += [UInt8](repeating: 7, count: 200_000)
      try output.flush()
      #expect(output.contents.isEmpty)
      lseek(descriptor, 0, SEEK_SET)
      var bytes = [UInt8](repeating: 0, count: expected.count + 1)
      // SAFETY: reads no more than the array holds.
      let count = unsafe read(descriptor, &bytes, bytes.count)
      return (Array(bytes.prefix(count)), expected)
    }
    #expect(output == expected)
  }

  @Test("progress: only on a terminal, late, and not too often")
  func progress() {
    for (isTerminal, wanted, expected) in [
      (false, nil, false), (true, nil, true), (true, false, false), (false, true, true),
    ] as [(Bool, Bool?, Bool)] {
      let time = Mutex<Int64>(1000)
      let messages = MessageStream(
        .memory(), clock: { time.withLock { $0 } }, isTerminal: { isTerminal })
      messages.showProgress(wanted)
      let effects = Effects(reporter: messages)
      let early = Progress(.importing, total: 200, effects)
      early.update(1)
      early.finish(1)
      #expect(messages.text == "")
      let late = Progress(.importing, total: 200, effects)
      time.withLock { $0 = 1600 }
      late.update(50)
      late.update(51)
      late.finish(200)
      #expect(
        messages.text
          == (expected
            ? "importing changes: 25% (50/200)\rimporting changes: 100% (200/200), done\n" : ""))
    }
  }
}
