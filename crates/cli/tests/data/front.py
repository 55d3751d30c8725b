# A server that speaks HTTPS before a course: prints its port, and passes on what comes.
import socket, ssl, sys, threading

host, port = sys.argv[1].rsplit(":", 1)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
door = socket.create_server(("127.0.0.1", 0))
print(door.getsockname()[1], flush=True)


def pass_on(source, sink):
    try:
        while part := source.recv(65536):
            sink.sendall(part)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(stream):
    try:
        guest = context.wrap_socket(stream, server_side=True)
    except OSError:
        return
    course = socket.create_connection((host, int(port)))
    threading.Thread(target=pass_on, args=(guest, course), daemon=True).start()
    pass_on(course, guest)
    guest.close()


while True:
    threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()
