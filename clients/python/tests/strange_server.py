"""A server that is not the service, and answers whatever a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Respond = Callable[["Handler", int], None]


class Handler(BaseHTTPRequestHandler):
    respond: Respond
    requests: list[dict[str, Any]]

    def handle_any(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.requests.append({"path": self.path, "headers": self.headers})
        type(self).respond(self, len(self.requests))

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

    def log_message(self, *_: object) -> None:
        pass

    def send(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(raw)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


@contextmanager
def strange_server(respond: Respond) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its address, and the requests that it got. `respond` gets the number of the request, counted from 1."""
    requests: list[dict[str, Any]] = []
    handler = type("Answering", (Handler,), {"respond": staticmethod(respond), "requests": requests})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        server.server_close()


def refusal(kind: str, **more: object) -> dict[str, Any]:
    return {"error": {"type": kind, "message": f"It is {kind}.", "param": None, "request_id": "req_1", **more}}
