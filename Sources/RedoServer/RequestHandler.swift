// One connection, on its event loop: requests come in one after another, answers go out.
//
// Nothing here waits. An exchange gets a thread when its body has come, or more of it than is held here;
// until then a slow client costs a timer and some memory. A request that is answered before it has ended
// is the connection's last one: what still comes is dropped for a second, so that the answer is not lost
// in a reset, and then the connection is closed.

internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import RedoNIO
internal import RedoRemote
internal import RedoStore

/// Answers the requests of one connection.
///
/// A class, because channel handlers are; only its event loop touches it.
final class RequestHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let core: ServerCore
  private let welcome: Connections.Welcome
  /// The request that is being received or answered.
  private var request: Request?
  /// Whether what comes is dropped.
  private var isDropping = false
  /// Whether the connection only stays for a client that still sends: what is closed before all was read takes
  /// the answer with it.
  private var isLingering = false
  /// Whether such a client has sent all.
  private var hasDropped = false
  private var isPaused = false
  private var isReadPending = false
  private var timer: Scheduled<Void>?

  /// What is known of a request.
  private struct Request {
    let head: HTTPRequestHead
    let beganNanoseconds: Int64
    /// What is worked on, and the bytes for it.
    var route: Route.Admitted?
    var stream: RequestStream?
    /// Whether it has been handed on to a thread.
    var hasStarted = false
    var byteCount = 0
    /// How many of them wait.
    var heldCount = 0
    var hasEnded = false
    var isLast: Bool
  }

  init(_ core: ServerCore, _ welcome: Connections.Welcome) {
    self.core = core
    self.welcome = welcome
  }

  func channelActive(context: ChannelHandlerContext) {
    startTimer(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    core.connections.remove(context.channel)
    request?.stream?.incoming.fail(.closed)
    request?.stream?.window.stop()
    if let request { settle(request, context.channel) }
    request = nil
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Noise of the network: a broken TLS handshake, a reset.
    context.close(promise: nil)
  }

  // MARK: Time

  /// A whole head, and the beginning of its body, must come in time.
  private func startTimer(_ context: ChannelHandlerContext) {
    timer?.cancel()
    let time = TimeAmount.seconds(Int64(core.settings.timeoutSeconds))
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      self?.timeIsOver(context)
    }
  }

  private func timeIsOver(_ context: ChannelHandlerContext) {
    if let request {
      core.logCut(request.head, from: context.channel, since: request.beganNanoseconds)
    }
    context.close(promise: nil)
  }

  // MARK: What comes

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDropping else {
      if case .end = Self.unwrapInboundIn(data) {
        hasDropped = true
        if isLingering { context.close(promise: nil) }
      }
      return
    }
    switch Self.unwrapInboundIn(data) {
    case .head(let head): take(head, context)
    case .body(let bytes): take(bytes, context)
    case .end:
      request?.hasEnded = true
      request?.stream?.incoming.finish()
      startExchange(context)
    }
  }

  private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    _ = core.connections.set(context.channel, isBusy: true)
    startTimer(context)
    var new = Request(
      head: head, beganNanoseconds: SystemClock.monotonicNanoseconds(), isLast: !head.isKeepAlive)
    let address = context.channel.remoteAddress
    let route = core.route(head, from: address?.ipAddress ?? "", welcome)
    switch route {
    case .answer(let answer):
      let hasBody =
        head.headers.contains(name: "content-length")
        || head.headers.contains(name: "transfer-encoding")
      new.isLast = new.isLast || hasBody || answer.status.code >= 400
      request = new
      refuse(answer, context)
    case .work(let admitted):
      core.connections.noteKnown(context.channel)
      let loop = context.eventLoop
      let handler = NIOLoopBound(self, eventLoop: loop)
      let bound = NIOLoopBound(context, eventLoop: loop)
      let stream = RequestStream(
        context.channel, version: head.version, timeoutSeconds: core.settings.timeoutSeconds
      ) { loop.execute { handler.value.resume(bound.value) } }
      new.route = admitted
      new.stream = stream
      core.add(stream, of: context.channel)
      request = new
      if head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
        let proceed = HTTPResponseHead(version: head.version, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(proceed)), promise: nil)
      }
    }
  }

  private func take(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    guard let request, let stream = request.stream, let route = request.route else { return }
    let count = bytes.readableBytes
    self.request?.byteCount += count
    stream.noteMoved(count)
    if request.byteCount + count > core.settings.bodyLimit {
      stream.incoming.fail(.limit("a request of more than \(core.settings.bodyLimit) bytes"))
      startExchange(context)
      return
    }
    if !request.hasStarted {
      guard core.open.withLockedValue({ $0.hold(count, of: route.client) }) else {
        // What has come so far is forgotten with the request.
        return refuse(ServerCore.crowded, context)
      }
      self.request?.heldCount += count
    }
    if !stream.incoming.push(bytes) {
      isPaused = true
      startExchange(context)
    }
  }

  /// Hands the request on to a thread, once.
  private func startExchange(_ context: ChannelHandlerContext) {
    guard let request, !request.hasStarted, let stream = request.stream, let route = request.route
    else { return }
    self.request?.hasStarted = true
    timer?.cancel()
    core.run(
      stream, route, request.head, from: context.channel, held: request.heldCount,
      since: request.beganNanoseconds)
  }

  /// Answers the request without working on it.
  private func refuse(_ answer: PlainAnswer, _ context: ChannelHandlerContext) {
    guard let request else { return }
    core.log(answer, request.head, from: context.channel, since: request.beganNanoseconds)
    if request.stream != nil { self.request?.isLast = true }
    send(answer, context)
  }

  /// A request takes up nothing any more.
  private func settle(_ request: Request, _ channel: any Channel) {
    guard let route = request.route, let stream = request.stream else { return }
    core.open.withLockedValue { open in
      if !request.hasStarted { open.release(request.heldCount, of: route.client) }
      open.end(route.client)
    }
    core.remove(stream, of: channel)
  }

  func read(context: ChannelHandlerContext) {
    if isPaused { isReadPending = true } else { context.read() }
  }

  /// The thread has room for more.
  private func resume(_ context: ChannelHandlerContext) {
    isPaused = false
    guard isReadPending else { return }
    isReadPending = false
    context.read()
  }

  // MARK: What goes out

  private func send(_ answer: PlainAnswer, _ context: ChannelHandlerContext) {
    let text = ByteBuffer(string: answer.text + "\n")
    var fields = HTTPHeaders(answer.fields)
    if !fields.contains(name: "content-type") {
      fields.add(name: "Content-Type", value: "text/plain")
    }
    fields.add(name: "Content-Length", value: "\(text.readableBytes)")
    let version = request?.head.version ?? .http1_1
    let head = HTTPResponseHead(version: version, status: answer.status, headers: fields)
    let isHead = request?.head.method == .HEAD
    write(context: context, data: Self.wrapOutboundOut(.head(head)), promise: nil)
    if !isHead { context.write(Self.wrapOutboundOut(.body(.byteBuffer(text))), promise: nil) }
    write(context: context, data: Self.wrapOutboundOut(.end(nil)), promise: nil)
    context.flush()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch Self.unwrapOutboundIn(data) {
    case .head(var head):
      // An answer before the end of its request is the last one of the connection.
      if request?.hasEnded != true, request?.stream != nil { request?.isLast = true }
      if core.connections.isStopping { request?.isLast = true }
      if request?.isLast == true { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
      context.write(data, promise: sent)
      answered(context, sent.futureResult)
    }
  }

  /// An answer is complete, as far as it has been made.
  private func answered(_ context: ChannelHandlerContext, _ sent: EventLoopFuture<Void>) {
    let isLast = request?.isLast ?? true
    let isWaitingForMore = request?.hasEnded != true
    let answered = request
    request = nil
    isDropping = isLast
    // What the exchange has not read no longer delays anything.
    resume(context)
    // A client that does not take the answer in time, or sends no further request, is cut off.
    startTimer(context)
    let channel = context.channel
    sent.assumeIsolated().whenComplete { [self] _ in
      if let answered { settle(answered, channel) }
      leave(context, isLast: isLast, lingers: isWaitingForMore)
    }
    context.flush()
  }

  /// An answer has left; only now may the connection end.
  private func leave(_ context: ChannelHandlerContext, isLast: Bool, lingers: Bool) {
    // The next request may have come while it left.
    let isToClose = request == nil && core.connections.set(context.channel, isBusy: false)
    guard isLast || isToClose else { return }
    isDropping = true
    timer?.cancel()
    guard isLast, lingers, !hasDropped else { return context.close(promise: nil) }
    isLingering = true
    let time = TimeAmount.seconds(Int64(core.settings.timeoutSeconds))
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
      context.close(promise: nil)
    }
  }
}
