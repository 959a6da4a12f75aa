"""The HTTP addresses of games that are over: import, the game itself, its positions, export."""

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tamaya.web.guard import IMPORTS, Refusal
from tamaya.web.requests import NO_STORE, check_key, check_rate, json_of, lobby_of, token_of

MEDIA_TYPES = {"json": "application/json", "text": "text/plain", "link": "text/plain"}


def game_routes() -> list[Route]:
    """The routes of games."""
    return [
        Route(IMPORTS, _import, methods=["POST"]),
        Route(f"{IMPORTS}/{{id}}", _game),
        Route(f"{IMPORTS}/{{id}}/views", _views),
        Route(f"{IMPORTS}/{{id}}/export", _export),
    ]


# ``library`` loads kernels, so it is imported when somebody asks, and by then is there.


async def _import(request: Request) -> Response:
    from tamaya.web import library

    lobby = lobby_of(request)
    check_key(request, lobby.settings.house)
    check_rate(request, lobby.opened)  # reading takes time too
    document = await json_of(request)
    tables = await lobby.tables()
    tables.reviews.analyses.wake()  # a review is next
    game, is_known = await library.bring_in(tables, document)
    return JSONResponse({"id": game, "known": is_known}, 200 if is_known else 201, NO_STORE)


async def _game(request: Request) -> Response:
    from tamaya.web import library

    tables = await lobby_of(request).tables()
    found = await library.document(tables, request.path_params["id"], token_of(request))
    return JSONResponse(found, headers=NO_STORE)


async def _views(request: Request) -> Response:
    from tamaya.web import library

    tables = await lobby_of(request).tables()
    asked = request.path_params["id"], request.query_params, token_of(request)
    found = await library.views(tables, *asked)
    tables.reviews.analyses.wake()  # values may be asked for next
    return Response(found, headers=NO_STORE, media_type="application/json")


async def _export(request: Request) -> Response:
    from tamaya.web import library

    tables = await lobby_of(request).tables()
    form = request.query_params.get("as", "json")
    if form not in MEDIA_TYPES:
        known = ", ".join(MEDIA_TYPES)
        raise Refusal(400, "bad_request", f"unknown form: expected one of {known}", "as")
    table_id = request.path_params["id"]
    text = await library.export(tables, table_id, form, token_of(request))
    ending = "json" if form == "json" else "txt"
    headers = {"Content-Disposition": f'attachment; filename="hanabi-{table_id}.{ending}"'}
    return PlainTextResponse(text, headers=headers, media_type=MEDIA_TYPES[form])
