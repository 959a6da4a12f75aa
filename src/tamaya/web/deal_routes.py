"""The HTTP addresses of deals that several people play, and of branches of games."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tamaya.web.guard import IMPORTS
from tamaya.web.requests import (
    NO_STORE,
    check_key,
    check_rate,
    json_of,
    lobby_of,
    token_of,
    tokens_of,
)

PLACE = "/api/deals"


def deal_routes() -> list[Route]:
    """The routes of deals and branches."""
    return [
        Route(PLACE, _by_seed, methods=["POST"]),
        Route(f"{PLACE}/{{id}}", _deal),
        Route(f"{PLACE}/{{id}}/play", _play, methods=["POST"]),
        Route(f"{PLACE}/{{id}}/results", _results),
        Route(f"{IMPORTS}/{{id}}/deal", _of_game, methods=["POST"]),
        Route(f"{IMPORTS}/{{id}}/branch", _branch, methods=["POST"]),
    ]


async def _by_seed(request: Request) -> Response:
    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    document = await json_of(request)
    tables = await lobby.tables()
    check_rate(request, lobby.opened)
    await tables.wait_until_ready()
    deal = await tables.deals.by_seed(document)
    return JSONResponse({"id": deal.id}, 201, NO_STORE)


async def _of_game(request: Request) -> Response:
    lobby = lobby_of(request)
    tables = await lobby.tables()
    check_rate(request, lobby.opened)
    has_key = lobby.settings.house.may_open(request.headers)
    deal = await tables.deals.of_game(request.path_params["id"], token_of(request), has_key)
    return JSONResponse({"id": deal.id}, 201, NO_STORE)


async def _deal(request: Request) -> Response:
    tables = await lobby_of(request).tables()
    deal = await tables.deals.find(request.path_params["id"])
    return JSONResponse(await tables.deals.document(deal, tokens_of(request)), headers=NO_STORE)


async def _play(request: Request) -> Response:
    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    document = await json_of(request)
    tables = await lobby.tables()
    deal = await tables.deals.find(request.path_params["id"])
    check_rate(request, lobby.opened)
    opened = await tables.deals.play(deal, document, tokens_of(request))
    return JSONResponse(opened, 201, NO_STORE)


async def _results(request: Request) -> Response:
    lobby = lobby_of(request)
    tables = await lobby.tables()
    deal = await tables.deals.find(request.path_params["id"])
    has_key = lobby.settings.house.may_open(request.headers)
    address = request.scope["tamaya.address"]
    found = await tables.comparisons.document(deal, tokens_of(request), has_key, address)
    return JSONResponse(found, headers=NO_STORE)


async def _branch(request: Request) -> Response:
    from tamaya.web.branches import open_branch  # behind it are kernels

    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    document = await json_of(request)
    tables = await lobby.tables()
    check_rate(request, lobby.opened)
    asked = request.path_params["id"], document, token_of(request)
    return JSONResponse(await open_branch(tables, *asked), 201, NO_STORE)
