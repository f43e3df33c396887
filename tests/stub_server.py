"""A model server on the loopback that speaks /v1/chat/completions, with faults on request.

In a test: `with StubServer(faults=[Fault("429", times=2)]) as server: server.url, server.calls`.
As a process of its own, so that its log outlives a killed client:

    python tests/stub_server.py LOG SECONDS [FAULTS-AS-JSON]

It prints its address, appends a line a call to LOG (written and synced before the reply is sent)
and ends after SECONDS at most.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_KINDS = (
    "429 500 401 404 413 too_long images content_filter null slow cut garbage empty error_in_200 "
    "filtered_200 say"
)
KINDS = frozenset(_KINDS.split())


@dataclass(frozen=True)
class Fault:
    """What goes wrong, for which calls, and how often.

    Args:
        kind: one of KINDS.
        times: for how many calls; None for all.
        match: only calls whose text contains this.
        value: Retry-After of 429, seconds of `slow`, images allowed, bytes allowed by 413, words.
    """

    kind: str
    times: int | None = None
    match: str = ""
    value: float | str | None = None


@dataclass(frozen=True)
class Asked:
    """One call as the server saw it.

    Args:
        key: of text, images and seed: the same for the same request.
        at: monotonic seconds.
        text: all text of the messages.
        images: number of them.
        seed: as sent.
        status: of the response.
        body: the request without its images.
    """

    key: str
    at: float
    text: str
    images: int
    seed: int | None
    status: int
    body: dict[str, Any] = field(default_factory=dict)


class StubServer:
    """A server in this process; `calls` holds what it was asked, in order."""

    def __init__(
        self,
        faults: Sequence[Fault] = (),
        *,
        log: Path | None = None,
        seconds: float = 60.0,
        cache_by_text: bool = False,
    ) -> None:
        assert all(fault.kind in KINDS for fault in faults)
        self.faults, self.calls = list(faults), list[Asked]()
        self.connections: set[socket.socket] = set()
        self.most_at_once = 0
        self._at_once = 0
        self._hits: Counter[int] = Counter()
        self._guard = threading.Lock()
        self._log = None if log is None else os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._cache: dict[str, str] | None = {} if cache_by_text else None
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                owner.models(self)

            def do_POST(self) -> None:
                owner.complete(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def process_request(self, request: Any, client_address: Any) -> None:
                owner.connections.add(request)
                super().process_request(request, client_address)

            def shutdown_request(self, request: Any) -> None:
                owner.connections.discard(request)
                super().shutdown_request(request)

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # a killed client leaves broken pipes behind

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._timer = threading.Timer(seconds, self.close)
        self._timer.daemon = True

    @property
    def url(self) -> str:
        """The address for `base_url`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> StubServer:
        self._thread.start()
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self.close()

    def close(self) -> None:
        """Stop listening, and hang up on those who keep a connection open."""
        self._server.shutdown()
        self._server.server_close()
        for connection in list(self.connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)

    def wait(self) -> None:
        """Block until the time is up."""
        self._thread.join()

    def models(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer /v1/models."""
        _send(handler, 200, {"object": "list", "data": [{"id": "stub", "object": "model"}]})

    def complete(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer /v1/chat/completions."""
        raw = handler.rfile.read(int(handler.headers["Content-Length"]))
        body = json.loads(raw)
        text, images = _shown(body)
        seed = body.get("seed")
        key = sha256(json.dumps([text, images, seed]).encode()).hexdigest()[:16]
        with self._guard:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            fault = self._fault(text, len(images), len(raw))
        try:
            self._answer(handler, body, (text, images, key), fault)
        finally:
            with self._guard:
                self._at_once -= 1

    def _fault(self, text: str, images: int, size: int) -> Fault | None:
        for i, fault in enumerate(self.faults):
            if fault.match not in text or self._hits[i] == fault.times:
                continue
            if fault.kind == "images" and images <= float(fault.value or 1):
                continue
            if fault.kind == "413" and size <= float(fault.value or 0):
                continue
            self._hits[i] += 1
            return fault
        return None

    def _answer(
        self,
        handler: BaseHTTPRequestHandler,
        body: dict[str, Any],
        seen: tuple[str, list[str], str],
        fault: Fault | None,
    ) -> None:
        text, images, key = seen
        status, headers, reply = self._reply(body, text, images, key, fault)
        asked = Asked(
            key=key,
            at=time.monotonic(),
            text=text,
            images=len(images),
            seed=body.get("seed"),
            status=status,
            body={k: v for k, v in body.items() if k != "messages"},
        )
        with self._guard:
            self.calls.append(asked)
            if self._log is not None:
                os.write(self._log, (json.dumps(asdict(asked)) + "\n").encode())
                os.fsync(self._log)
        if fault is not None and fault.kind == "slow":
            time.sleep(float(fault.value or 0))
        if fault is not None and fault.kind == "cut":
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", "1000")
            handler.end_headers()
            handler.wfile.write(b'{"id": "x", "choi')
            handler.close_connection = True
            return
        _send(handler, status, reply, headers)

    def _reply(
        self, body: dict[str, Any], text: str, images: list[str], key: str, fault: Fault | None
    ) -> tuple[int, dict[str, str], Any]:
        kind = "" if fault is None else fault.kind
        value = None if fault is None else fault.value
        if kind == "429":
            headers = {} if value is None else {"Retry-After": str(value)}
            return 429, headers, _error("Rate limit reached", "rate_limit_exceeded")
        if kind == "500":
            return 500, {}, _error("internal error", None)
        if kind == "401":
            said = f"Incorrect API key provided: {value}"
            return 401, {}, _error(said, "invalid_api_key")
        if kind == "404":
            return 404, {}, _error(f"The model `{body['model']}` does not exist.", "NotFound")
        if kind == "413":
            return 413, {}, "<html>413 Request Entity Too Large</html>"
        if kind == "too_long":
            said = (
                "This model's maximum context length is 40000 tokens. However, your request has "
                "53481 input tokens. Please reduce the length of the input messages."
            )
            return 400, {}, _error(said, "BadRequestError")
        if kind == "images":
            said = f"At most {int(float(value or 1))} image(s) may be provided in one prompt."
            return 400, {}, _error(said, "BadRequestError")
        if kind == "content_filter":
            return 400, {}, _error("The response was filtered.", "content_filter")
        if kind == "garbage":
            return 200, {}, "this is { no JSON"
        if kind == "empty":
            return 200, {}, {"id": "x", "object": "chat.completion", "choices": []}
        if kind == "error_in_200":
            return 200, {}, {"error": {"message": "upstream is away", "code": 502}}
        if kind == "null":
            message = {"role": "assistant", "content": None, "reasoning_content": "First, the..."}
            return 200, {}, _completion(body, message, "length")
        if kind == "filtered_200":
            message = {"role": "assistant", "content": ""}
            return 200, {}, _completion(body, message, "content_filter")
        said = str(value) if kind == "say" else self._choice(text, images, key)
        return 200, {}, _completion(body, {"role": "assistant", "content": said}, "stop")

    def _choice(self, text: str, images: list[str], key: str) -> str:
        if self._cache is not None:
            return self._cache.setdefault(text, _letter(text, key))
        return _letter(text, key)


def _letter(text: str, key: str) -> str:
    letters = re.findall(r"^([A-Z])\. ", text, re.MULTILINE)
    if not letters:
        return f"A picture of {key}."
    return str(letters[int(key, 16) % len(letters)])


def _shown(body: dict[str, Any]) -> tuple[str, list[str]]:
    texts: list[str] = []
    images: list[str] = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "text":
                texts.append(part["text"])
            elif part["type"] == "image_url":
                images.append(sha256(part["image_url"]["url"].encode()).hexdigest())
            else:
                images.append(sha256(json.dumps(part).encode()).hexdigest())
    return "\n".join(texts), images


def _completion(body: dict[str, Any], message: dict[str, Any], finish: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 1, "total_tokens": 12},
    }


def _error(message: str, code: str | None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "stub", "param": None, "code": code}}


def _send(
    handler: BaseHTTPRequestHandler, status: int, reply: Any, headers: dict[str, str] | None = None
) -> None:
    data = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


@contextmanager
def stub_process(
    log: Path, *, seconds: float = 120.0, faults: Sequence[Fault] = ()
) -> Iterator[str]:
    """Run the server as a process of its own and give its address."""
    listing = json.dumps([asdict(fault) for fault in faults])
    command = [sys.executable, __file__, str(log), str(seconds), listing]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def read_log(log: Path) -> list[Asked]:
    """Return the calls of a log."""
    return [Asked(**json.loads(line)) for line in log.read_text().splitlines()]


if __name__ == "__main__":
    with StubServer(
        [Fault(**fault) for fault in json.loads(sys.argv[3] if len(sys.argv) > 3 else "[]")],
        log=Path(sys.argv[1]),
        seconds=float(sys.argv[2]),
    ) as running:
        print(running.url, flush=True)
        running.wait()
