"""The server of the pages: aiohttp around `streams.view.pages`. It reads; it has no way to write."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Final

from aiohttp import web

from streams.store import StoreError
from streams.view import asked
from streams.view.asked import Refused
from streams.view.pages import Pages

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
    "Server": "retally",
}
_FILES: Final = {
    "/static/view.css": ("view.css", "text/css"),
    "/static/view.js": ("view.js", "text/javascript"),
    "/favicon.svg": ("favicon.svg", "image/svg+xml"),
}
"""All files that are served, by path: no path of a request ever names a file."""
_METHODS: Final = ("GET", "HEAD")

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return False


def host_allowed(header: str, bound_to: str) -> bool:
    """Whether a request's Host header may name this server: a page elsewhere whose name is pointed at this computer
    must not read what is here.

    >>> host_allowed("127.0.0.1:8080", "127.0.0.1"), host_allowed("evil.example", "127.0.0.1")
    (True, False)
    """
    name = header.rpartition(":")[0] if header.rpartition(":")[2].isdecimal() else header
    name = name.removeprefix("[").removesuffix("]").lower()
    if is_loopback(name) or name == bound_to.lower():
        return True
    if is_loopback(bound_to):
        return False
    return _is_address(name) or name == socket.gethostname().lower()


def application(pages: Pages, bound_to: str, thread: ThreadPoolExecutor) -> web.Application:
    """The application; ``thread`` has the one thread in which the store is asked."""
    files = {
        path: (resources.files("streams.view").joinpath("static", name).read_bytes(), kind)
        for path, (name, kind) in _FILES.items()
    }

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if request.method not in _METHODS:
                raise Refused(405, "this server is read-only: GET and HEAD")
            hosts = request.headers.getall("Host", [])
            if len(hosts) != 1 or not host_allowed(hosts[0], bound_to):
                raise Refused(421, "this server does not go by the name that was asked for")
            return await handler(request)
        except Refused as refused:
            status, text = refused.status, refused.text
        except StoreError as error:
            status, text = 503, str(error)
        except web.HTTPException as error:
            status, text = error.status, error.reason
        except Exception as error:
            log.error("%s: %s: %s", request.path_qs[:200], type(error).__name__, error)
            status, text = 500, "this page could not be made; the server's log says why"
        response = web.Response(
            status=status, text=pages.refusal(status, text), content_type="text/html", charset="utf-8"
        )
        if status == 405:
            response.headers["Allow"] = ", ".join(_METHODS)
        return response

    async def answer(request: web.Request) -> web.StreamResponse:
        path, given = asked.split(request.raw_path)
        if path in files:
            content, kind = files[path]
            return web.Response(body=content, content_type=kind, charset="utf-8")
        text = await asyncio.get_running_loop().run_in_executor(thread, pages.page, path, given)
        return web.Response(text=text, content_type="text/html", charset="utf-8")

    async def with_headers(_: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(_HEADERS)

    app = web.Application(middlewares=[guarded], client_max_size=1)
    app.router.add_route("*", "/{path:.*}", answer)
    app.on_response_prepare.append(with_headers)
    return app


class _Connection(web.RequestHandler):
    """A connection that says in one line what is no HTTP."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to bytes that the parser refuses, or to an error of aiohttp's own."""
        if request.writer.output_size > 0:
            raise ConnectionError("an answer was under way")
        text = "this is no request that the server can read" if status < 500 else "this request failed"
        response = web.Response(status=status, text=f"{text}\n", headers=_HEADERS)
        response.force_close()
        return response


async def serve(pages: Pages, host: str, port: int, thread: ThreadPoolExecutor, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. ``ready`` is told the address once the server listens.

    Raises:
        OSError: the address cannot be bound to.
    """
    runner = web.AppRunner(application(pages, host, thread), handle_signals=False)
    await runner.setup()
    loop = asyncio.get_running_loop()
    manager = runner.server
    assert manager is not None
    try:
        listening = await loop.create_server(lambda: _Connection(manager, loop=loop), host, port)
        bound = listening.sockets[0].getsockname()[1]
        ready(f"http://[{host}]:{bound}/" if ":" in host else f"http://{host}:{bound}/")
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        await stop.wait()
        listening.close()
    finally:
        await runner.cleanup()


def run(pages: Pages, host: str, port: int) -> None:
    """The same, for the command line: the address on standard output, a warning where others can reach it."""

    def ready(address: str) -> None:
        if not is_loopback(host):
            sys.stderr.write(
                f"retally: warning: {host} can be reached from other computers; whoever reaches it sees every night\n"
            )
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="store") as thread:
        try:
            asyncio.run(serve(pages, host, port, thread, ready))
        except OSError as error:
            raise OSError(f"{host} port {port} cannot be listened on: {error.strerror or error}") from None
