"""The HTTP address at which a person asks what agents remember of them, and deletes it."""

import asyncio
import re

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamaya.web.guard import Refusal
from tamaya.web.requests import NO_STORE, lobby_of

PLACE = "/api/acquaintance"
HEADER = "X-Tamaya-Person"
_KEY = re.compile(r"[A-Za-z0-9_-]{22}")


def person_routes() -> list[Route]:
    """The routes of what is remembered of people."""
    return [Route(PLACE, _seen), Route(PLACE, _forget, methods=["DELETE"])]


def _person_of(request: Request) -> str:
    """The hash of a person's key."""
    from tamaya.web.opening import hash_of  # behind it are kernels

    key = request.headers.get(HEADER, "")
    if not _KEY.fullmatch(key):
        raise Refusal(400, "bad_request", "expected a person's key: 22 letters and digits", HEADER)
    return hash_of(key)


async def _seen(request: Request) -> Response:
    tables = await lobby_of(request).tables()
    games = await asyncio.to_thread(tables.acquaintances.count, _person_of(request))
    return JSONResponse({"games": games}, headers=NO_STORE)


async def _forget(request: Request) -> Response:
    tables = await lobby_of(request).tables()
    await tables.forget(_person_of(request))
    return JSONResponse({"games": 0}, headers=NO_STORE)
