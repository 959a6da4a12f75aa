"""`tamaya serve`: the web table, on this machine or for friends."""

import errno
import logging
import os
import secrets
import socket
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import Json, StoreUrl, print_json

if TYPE_CHECKING:
    from tamaya.web.app import Settings

AgentFiles = Annotated[
    list[str] | None,
    typer.Argument(help="Files with your own agents, to offer as well.", metavar="FILE"),
]
Port = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
]
Host = Annotated[
    str, typer.Option("--host", help="Address to listen on; 0.0.0.0 lets other machines connect.")
]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", help="Public host name of the server; may be repeated.", metavar="NAME"),
]
Proxy = Annotated[
    bool,
    typer.Option("--proxy", help="Trust X-Forwarded-For: the server is behind a reverse proxy."),
]
Runs = Annotated[
    Path | None,
    typer.Option("--runs", help="Folder whose runs the lab shows.", metavar="FOLDER",
                 show_default="runs, if it exists"),
]  # fmt: skip
Open = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
TablesPerMinute = Annotated[
    int, typer.Option("--tables-per-minute", min=1, help="Tables per minute for one address.")
]
Sockets = Annotated[int, typer.Option("--sockets", min=1, help="Open WebSockets for one address.")]
RequestsPerSecond = Annotated[
    int, typer.Option("--requests-per-second", min=1, help="Requests per second for one address.")
]
RUNS = Path("runs")
MIN_KEY = 8  # characters of TAMAYA_KEY
BACKLOG = 512
# Wildcard addresses, each with a remote address reserved for documentation.
EVERYWHERE = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
UNREAD_SECONDS = 30.0  # for which a client may leave data unread
LARGEST_MESSAGE = 1 << 20  # bytes that are read before the message about the limit of 64 KB


def serve(
    files: AgentFiles = None,
    port: Port = 8000,
    host: Host = "127.0.0.1",
    name: Names = None,
    store: StoreUrl = None,
    runs: Runs = None,
    proxy: Proxy = False,
    tables_per_minute: TablesPerMinute = 10,
    sockets: Sockets = 20,
    requests_per_second: RequestsPerSecond = 20,
    open: Open = False,
    json: Json = False,
) -> None:
    """Serve a page where people play with agents; Ctrl-C stops it.

    With --name or a --host other than this machine the server has a key, which is part of the
    address it prints: only people who have the key can open tables. TAMAYA_KEY sets the key.
    """
    check_extra()
    from tamaya.web.app import Settings
    from tamaya.web.guard import LOOPBACK, House, Limits, host_names

    is_for_others = host not in LOOPBACK
    key = _key() if is_for_others or name else ""
    limits = Limits(
        tables_per_minute=tables_per_minute,
        sockets=sockets,
        requests_per_second=requests_per_second,
    )
    names = host_names(host, (socket.gethostname(), *(name or ())))
    house = House(names, is_for_others, key, proxy, limits)
    listener = listen(host, port)
    settings = Settings(house, store, tuple(files or ()), _runs(runs))
    address = page_address(name[0] if name else host, listener.getsockname()[1], key, bool(name))
    if json:
        print_json({"address": address, "port": listener.getsockname()[1], "key": key})
        sys.stdout.flush()
    _run(settings, listener, address, is_silent=json, opens=open)


def check_extra() -> None:
    """Raise an error with instructions if the web server's packages are missing."""
    from importlib.util import find_spec

    for package in ("starlette", "uvicorn", "websockets"):
        if find_spec(package) is None:
            raise ValueError(f"tamaya serve needs {package}: pip install 'tamaya[web]'")


def _runs(chosen: Path | None) -> Path | None:
    """The folder of the lab: the chosen one, or ``runs`` if it exists."""
    if chosen is not None and not chosen.is_dir():
        raise ValueError(f"--runs {chosen}: there is no such folder")
    return chosen or (RUNS if RUNS.is_dir() else None)


def _key() -> str:
    """The key from the environment, or a new one."""
    chosen = os.environ.get("TAMAYA_KEY", "")
    if chosen and (len(chosen) < MIN_KEY or not chosen.isascii() or not chosen.isalnum()):
        raise ValueError(f"TAMAYA_KEY: expected at least {MIN_KEY} letters and digits")
    return chosen or secrets.token_hex(16)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; an error names the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Because the protocol is named, asyncio sets TCP_NODELAY; otherwise a second frame could wait
    # 40 ms for the acknowledgement of the first.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Drops clients that do not read; asyncio would wait for them even to close the connection.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        patience = round(1000 * UNREAD_SECONDS)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, patience)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ValueError(f"port {port} of {host} is in use: stop what uses it, or choose "
                             f"another port, such as --port {port + 1}") from None  # fmt: skip
        reason = error.strerror or str(error)
        raise ValueError(f"cannot listen on {host}, port {port}: {reason}") from None
    return listener


def page_address(host: str, port: int, key: str, is_named: bool) -> str:
    """The address of the page; a server with a --name is behind a proxy with TLS."""
    fragment = f"#key={key}" if key else ""
    if is_named:
        return f"https://{host}/{fragment}"
    if host in EVERYWHERE:
        host = own_address(host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/{fragment}"


def own_address(host: str) -> str:
    """The address of this machine in its network; found without sending anything."""
    family, far = EVERYWHERE[host]
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((far, 9))
        except OSError:  # there is no network
            return socket.gethostname()
        return str(probe.getsockname()[0])


def _run(
    settings: "Settings", listener: socket.socket, address: str, *, is_silent: bool, opens: bool
) -> None:
    """Serve until Ctrl-C or SIGTERM; raises the error if the tables cannot be loaded."""
    import uvicorn

    from tamaya.web.app import create_app
    from tamaya.web.connections import Gate

    logging.basicConfig(level=logging.WARNING, format="tamaya: %(message)s", stream=sys.stderr)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # not what clients do wrong
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        access_log=False,
        backlog=BACKLOG,
        lifespan="on",
        log_config=None,
        proxy_headers=False,  # ``Guard`` reads them, if it is told to
        server_header=False,
        timeout_graceful_shutdown=1,
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        **Gate(settings.house).protocols(),
    )
    server = uvicorn.Server(config)

    def stop() -> None:
        server.should_exit = True

    app.lobby.on_failure = stop
    if not is_silent:
        sys.stdout.write(f"{address}\nPress Ctrl-C to stop.\n")
        sys.stdout.flush()
    if opens:
        webbrowser.open(address)
    server.run([listener])
    if app.lobby.failure:
        raise app.lobby.failure
