"""Shared by the HTTP addresses: the checks of a request, and how it is read."""

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.websockets import WebSocket

from tamaya.web.guard import NEEDS_KEY, House, Refusal
from tamaya.web.rates import Rate

if TYPE_CHECKING:
    from tamaya.web.app import Lobby

NO_STORE = {"Cache-Control": "no-store"}
LONGEST_TOKEN = 100
MOST_TOKENS = 20  # of one request


def lobby_of(request: Request | WebSocket) -> "Lobby":
    """What all addresses share."""
    lobby: Lobby = request.app.state.lobby
    return lobby


def check_key(request: Request, house: House) -> None:
    """Refuse who has not used the link that the server printed."""
    if not house.may_open(request.headers):
        raise Refusal(403, "forbidden", NEEDS_KEY, "X-Tamaya-Key")


def check_rate(request: Request, rate: Rate) -> None:
    """Refuse who has opened enough for now."""
    if not rate.takes(request.scope["tamaya.address"]):
        raise Refusal(429, "too_fast", f"at most {rate.times} tables a minute: wait a little")


def token_of(request: Request) -> str | None:
    """The token of a seat that a request was sent with."""
    return request.headers.get("x-tamaya-token", "")[:LONGEST_TOKEN] or None


def tokens_of(request: Request) -> list[str]:
    """The tokens of several seats, with commas between them."""
    texts = request.headers.get("x-tamaya-token", "").split(",")[:MOST_TOKENS]
    return [text for text in texts if text and len(text) <= LONGEST_TOKEN]


async def json_of(request: Request) -> object:
    """The JSON document of a request; a Refusal says where it is none."""
    from tamaya.replays.fields import ReplayError, load_json  # behind it are kernels

    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, "bad_type", "expected JSON", "Content-Type")
    try:
        # Beside the event loop: a megabyte of brackets takes a tenth of a second.
        return await asyncio.to_thread(load_json, (await request.body()).decode())
    except UnicodeDecodeError:
        raise Refusal(400, "bad_request", "not JSON: not UTF-8 text", "body") from None
    except ReplayError as error:
        place = "body" if error.place == "document" else error.place
        raise Refusal(400, "bad_request", error.reason, place) from None
