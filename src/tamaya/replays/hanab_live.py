"""Games as hanab.live's JSON, format 3.0.0, both ways.

A card is identified by its order, a seat by its index, and a colour by its index, never by its
name: index 3 is white here and blue there. Rules that hanab.live cannot express are stored in an
object called ``tamaya``; without it, the rules follow from players, variant and options.
"""

from collections.abc import Sequence
from typing import Any

from tamaya.cards import copies_of_rank
from tamaya.game import Game, IllegalMoveError
from tamaya.moves import DISCARD, HINT_COLOUR, HINT_RANK, PLAY, describe
from tamaya.replays.fields import Field, load_json, shown
from tamaya.rules import MAX_PLAYERS, Rules, RulesError

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily")  # hanab.live's names for unnamed seats
VARIANTS = {5: "No Variant", 4: "4 Suits", 3: "3 Suits"}  # by number of colours
KINDS = (PLAY, DISCARD, HINT_COLOUR, HINT_RANK)  # by action type
END_GAME, END_BY_VOTE = 4, 5  # action types that are not moves
VERSION = 1  # of the tamaya object
COLOURS_NOTE = "by index: suitIndex 0 to 4 are R Y G W B in tamaya, whatever hanab.live calls them"

# Options that determine our rules, and options that do not affect moves.
UNDERSTOOD = frozenset(("variant", "startingPlayer", "emptyClues", "oneExtraCard", "oneLessCard"))
HARMLESS = frozenset(("timed", "timeBase", "timePerTurn", "speedrun", "cardCycle", "deckPlays"))


# Export.


def to_json(
    game: Game,
    names: Sequence[str] | None = None,
    notes: Sequence[Sequence[str]] | None = None,
    seed: str | None = None,
    agents: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The document of a game, ready for ``json.dump``.

    Notes are one list per seat, with a text per card order. A seed is one of hanab.live's, which
    refuses a seed that does not deal exactly this deck: omit it for other decks. Agents are
    their texts by seat, empty for a person.
    """
    rules = game.rules
    document: dict[str, Any] = {
        "players": list(NAMES[: rules.players] if names is None else names),
        "deck": [{"suitIndex": card // 5, "rank": card % 5 + 1} for card in game.deck],
        "actions": _actions(game),
    }
    _read_names(Field(document["players"], "players"), rules.players)
    options = _options(rules, int(game.record.start))
    if options:
        document["options"] = options
    if notes is not None:
        document["notes"] = [_without_last_blanks(texts) for texts in notes]
        _read_notes(Field(document["notes"], "notes"), rules)
    if seed is not None:
        document["seed"] = seed
    document["tamaya"] = {
        "version": VERSION,
        "rules": rules.to_text(),
        "colours": COLOURS_NOTE,
        "unknown_to_hanab_live": unknown_rules(rules),
    }
    if agents is not None:
        document["tamaya"]["agents"] = list(agents)
        _read_names(Field(document["tamaya"]["agents"], "tamaya.agents"), rules.players)
    return document


def unknown_rules(rules: Rules) -> list[str]:
    """Names of the rules that hanab.live cannot express."""
    usual = Rules(players=rules.players)
    names = ["ranks", "tokens", "lives", "random_start", "observation", "bomb",
             "discard_at_full", "refill", "no_completion_token"]  # fmt: skip
    unknown = [name for name in names if getattr(rules, name) != getattr(usual, name)]
    if rules.colours not in VARIANTS:
        unknown.append("colours")
    if abs(rules.hand_size - usual.hand_size) > 1:
        unknown.append("hand_size")
    return unknown


def _actions(game: Game) -> list[dict[str, int]]:
    actions = []
    for event in game.events:
        kind, _, value = describe(game.rules, int(event.move))
        action = {"type": KINDS.index(kind)}
        if kind in (PLAY, DISCARD):
            action["target"] = int(event.order)
        else:
            action["target"] = int(event.target)
            action["value"] = value if kind == HINT_COLOUR else value + 1
        actions.append(action)
    return actions


def _options(rules: Rules, start: int) -> dict[str, Any]:
    """hanab.live's options that differ from its defaults."""
    more = rules.hand_size - Rules(players=rules.players).hand_size
    options: dict[str, Any] = {}
    if rules.colours in VARIANTS and rules.colours != 5:
        options["variant"] = VARIANTS[rules.colours]
    for name, is_set in (
        ("emptyClues", rules.empty_hints),
        ("oneExtraCard", more == 1),
        ("oneLessCard", more == -1),
    ):
        if is_set:
            options[name] = True
    if start:
        options["startingPlayer"] = start
    return options


def _without_last_blanks(texts: Sequence[str]) -> list[str]:
    length = max((k + 1 for k, text in enumerate(texts) if text), default=0)
    return list(texts[:length])


# Import.


def parse_json(text: str) -> Game:
    """The game of a JSON text; ReplayError names line and column, or the field."""
    return from_json(load_json(text.removeprefix("\ufeff")))


def from_json(document: object) -> Game:
    """The game of a document, replayed move by move; ReplayError names the field."""
    fields = Field(document, "")
    n_players = len(_read_names(fields["players"]))
    options = fields.get("options", {})
    _check_options(options)
    if "tamaya" in fields:
        rules = _own_rules(fields["tamaya"], n_players, options)
    else:
        rules = _implied_rules(n_players, options)
    start = options.get("startingPlayer", 0).whole("player", 0, n_players - 1)
    deck = _read_deck(fields["deck"], rules)
    _read_notes(fields.get("notes", []), rules)
    game = Game(rules, deck=deck, start=start)
    _replay(game, fields["actions"].items())
    return game


def names_of(document: object) -> list[str]:
    """The names of the players by seat, in the form for ``to_json``."""
    return _read_names(Field(document, "")["players"])


def agents_of(document: object) -> list[str]:
    """The texts of the agents by seat, empty for a person, in the form for ``to_json``; or none."""
    fields = Field(document, "")
    own = fields.get("tamaya", {})
    n_players = len(_read_names(fields["players"]))
    return _read_names(own["agents"], n_players) if "agents" in own else []


def notes_of(document: object) -> list[list[str]]:
    """The notes of each seat by card order, in the form for ``to_json``; empty if there are none.

    Notes after those on the cards are about the fireworks. ``tamaya.replays.notes`` reads their
    shorthands.
    """
    fields = Field(document, "")
    options = fields.get("options", {})
    n_players = len(_read_names(fields["players"]))
    if "tamaya" in fields:
        rules = _own_rules(fields["tamaya"], n_players, options)
    else:
        rules = _implied_rules(n_players, options)
    return _read_notes(fields.get("notes", []), rules)


def _read_names(field: Field, n_players: int = 0) -> list[str]:
    names = [name.text() for name in field.items()]
    if n_players and len(names) != n_players:
        raise field.error(f"{len(names)} names for {n_players} players")
    if not 2 <= len(names) <= MAX_PLAYERS:
        raise field.error(f"{len(names)} names, expected 2 to {MAX_PLAYERS}")
    return names


def _check_options(options: Field) -> None:
    for name, value in options.mapping().items():
        if value and name not in UNDERSTOOD | HARMLESS:
            raise options.get(str(name)[:40], value).error("this option is not supported")


def _implied_rules(n_players: int, options: Field) -> Rules:
    """The rules of a document without a tamaya object."""
    variant = options.get("variant", VARIANTS[5])
    colours = {name: n for n, name in VARIANTS.items()}.get(variant.text())
    if colours is None:
        known = ", ".join(VARIANTS.values())
        raise variant.error(f"unknown variant {shown(variant.value)}: expected one of {known}")
    more = options.get("oneExtraCard", False).flag() - options.get("oneLessCard", False).flag()
    size = Rules(players=n_players).hand_size + more
    empty_hints = options.get("emptyClues", False).flag()
    return Rules(n_players, colours, hand_size=size, empty_hints=empty_hints)


def _own_rules(own: Field, n_players: int, options: Field) -> Rules:
    """The rules of a tamaya object, checked against players and options."""
    own.get("version", VERSION).whole("version", VERSION, VERSION)
    try:
        rules = Rules.parse(own["rules"].text())
    except RulesError as error:
        raise own["rules"].error(str(error)[:200]) from None
    if rules.players != n_players:
        raise own["rules"].error(f"{rules.players} players, but {n_players} names")
    implied = _options(rules, start=0)
    for name in ("variant", "emptyClues", "oneExtraCard", "oneLessCard"):
        usual = VARIANTS[5] if name == "variant" else False
        found, wanted = options.get(name, usual), implied.get(name, usual)
        value = found.text() if name == "variant" else found.flag()
        if value != wanted:
            reason = f"{shown(value)} contradicts tamaya.rules, which mean {shown(wanted)}"
            raise found.error(reason)
    return rules


def _read_deck(field: Field, rules: Rules) -> list[int]:
    entries = field.items()
    if len(entries) != rules.deck_size:
        hint = "" if entries else "; a seed alone is not enough"
        raise field.error(f"{len(entries)} cards, expected {rules.deck_size}{hint}")
    deck: list[int] = []
    for entry in entries:
        colour = entry["suitIndex"].whole("colour", 0, rules.colours - 1)
        rank = entry["rank"].whole("rank", 1, rules.ranks)
        card, n_copies = 5 * colour + rank - 1, copies_of_rank(rank - 1, rules.ranks)
        if deck.count(card) == n_copies:
            raise entry.error(f"colour {colour} rank {rank} comes more than {n_copies} times")
        deck.append(card)
    return deck


def _read_notes(field: Field, rules: Rules) -> list[list[str]]:
    """The notes of each seat by card order, which a game does not store."""
    lists = field.items()
    if lists and len(lists) != rules.players:
        raise field.error(f"{len(lists)} lists for {rules.players} players")
    longest = rules.deck_size + rules.colours  # hanab.live has notes on the fireworks too
    notes = []
    for entry in lists:
        texts = [note.text() for note in entry.items()]
        if len(texts) > longest:
            raise entry.error(f"{len(texts)} notes, at most {longest} are possible")
        notes.append(texts)
    return notes


def _replay(game: Game, actions: list[Field]) -> None:
    """Apply a list of actions as moves, up to one that ends the game early."""
    moves = {describe(game.rules, move): move for move in range(game.rules.n_moves)}
    for k, action in enumerate(actions):
        number = action["type"].whole("type", 0, END_BY_VOTE)
        if number >= END_GAME:
            highest = game.rules.players - 1 if number == END_GAME else -1
            action["target"].whole("player", -1, highest)
            if k + 1 < len(actions):
                raise actions[k + 1].error(f"{action.place} has ended the game already")
            return
        if game.is_over:
            raise action.error(f"the game is over already ({game.status})")
        kind = KINDS[number]
        read = _read_card if kind in (PLAY, DISCARD) else _read_hint
        place, value = read(game, kind, action)
        try:
            game.apply(moves[kind, place, value])
        except IllegalMoveError:
            raise action.error(_why_illegal(game, kind)) from None


def _read_card(game: Game, kind: int, action: Field) -> tuple[int, int]:
    """The slot of the card that an action plays or discards, and no value."""
    rules, mover, target = game.rules, game.mover, action["target"]
    order = target.whole("card", 0, rules.deck_size - 1)
    value = action.get("value", 0)
    if type(value.value) is not int or value.value != 0:
        raise value.error(f"a play or discard has no value, found {shown(value.value)}")
    held = game.record.order[mover, : rules.hand_size].tolist()
    if order not in held:
        is_in_deck = order >= rules.deck_size - int(game.record.deck_size)
        where = ", it is still in the deck" if is_in_deck else ""
        raise target.error(f"card {order} is not in the hand of player {mover}{where}")
    return held.index(order), -1


def _read_hint(game: Game, kind: int, action: Field) -> tuple[int, int]:
    """The offset of a hint, and its colour or rank."""
    rules, mover = game.rules, game.mover
    target = action["target"].whole("player", 0, rules.players - 1)
    if target == mover:
        raise action["target"].error(f"player {mover} gives a hint to itself")
    if kind == HINT_COLOUR:
        value = action["value"].whole("colour", 0, rules.colours - 1)
    else:
        value = action["value"].whole("rank", 1, rules.ranks) - 1
    return (target - mover) % rules.players, value


def _why_illegal(game: Game, kind: int) -> str:
    if kind == DISCARD:
        return f"a discard is not legal at {game.record.tokens} tokens"
    if game.record.tokens == 0:
        return "a hint is not legal without a token"
    return "a hint that touches no card is not legal"
