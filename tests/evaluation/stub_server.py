"""A real HTTP server on this machine that answers as a test says, and keeps what it was asked."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Reply:
    """What a server does with its n-th request: a status with headers and a body, after a pause."""

    def __init__(self, status: int = 200, body: object = None, *, pause: float = 0.0, **headers: str) -> None:
        self.status, self.body, self.pause, self.headers = status, body, pause, headers


@contextmanager
def server(answer) -> Iterator[tuple[str, list[dict]]]:
    """A server whose `answer(number, request)` decides; requests are kept for inspection."""
    requests: list[dict] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(requests)
                requests.append(
                    {"body": body, "headers": dict(self.headers), "path": self.path, "at": time.monotonic()}
                )
            reply = answer(number, body)
            time.sleep(reply.pause)
            content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client gave up waiting, which is what some of these tests are about

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        # The default backlog of five loses connections when sixteen threads knock at once.
        request_queue_size = 64
        daemon_threads = True

    running = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}/score", requests
    finally:
        running.shutdown()
        running.server_close()
        thread.join()
