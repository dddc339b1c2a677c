"""tls-proxy.py <port> <certificate> <key> <version>: TLS of one version, 1.2 or 1.3, in front of a server that speaks none.

It prints the port that it listens at, on 127.0.0.1, and passes on what comes, connection by connection.
"""

import socket
import ssl
import sys
import threading


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client, context, port):
    try:
        inner = context.wrap_socket(client, server_side=True)
    except (ssl.SSLError, OSError):
        client.close()
        return
    server = socket.create_connection(("127.0.0.1", port))
    threading.Thread(target=pump, args=(inner, server), daemon=True).start()
    pump(server, inner)


def main(port, certificate, key, version):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    wanted = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}[version]
    context.minimum_version = context.maximum_version = wanted
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, context, int(port)), daemon=True).start()


main(*sys.argv[1:])
