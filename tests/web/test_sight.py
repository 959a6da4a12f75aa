"""Sight: who is sent what, and masks, marks and logs against naive computations."""

from random import Random
from typing import Any

import pytest

from reference import ReferenceGame, copies
from support import pick_rules, play_randomly, reference_of, replay, scaled
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.web import sight
from tamaya.web.events import (
    AGENT,
    OPEN,
    OVER,
    PERSON,
    SEATED,
    UNDONE,
    Event,
    Opening,
    Role,
    SeatState,
    TableError,
)
from tamaya.web.eyes import ALL_FACES, NO_FACES, scene_of
from tamaya.web.messages import dump
from tamaya.web.sight import Presence, Reasons, view_frame, welcome_frame
from tamaya.web.table import Table

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve")
BOT = SeatState(AGENT, "certainty", "certainty", "certainty", code="0123456789abcdef")


def table_of(game: Game, *, agents: bool = False) -> Table:
    """A table at which a game is played, by persons or by agents."""
    seats = [BOT if agents else SeatState(PERSON, name) for name in NAMES[: game.rules.players]]
    start, deck = int(game.record.start), tuple(game.deck)
    table = Table(Opening("t" * 16, game.rules, tuple(seats), seed=123, deck=deck, start=start))
    table.game = game
    return table


def some_game(rng: Random, observation: str = "card_knowledge", to_end: bool = False) -> Game:
    """A random game under random rules, stopped anywhere."""
    rules = Rules.parse(f"{pick_rules(rng.choice).to_text()} observation={observation}")
    whole = play_randomly(Game(rules, rng.getrandbits(60)), rng)
    return whole if to_end else replay(whole, turns=rng.randrange(whole.turn))


def oracle(game: Game, turn: int | None = None) -> ReferenceGame:
    """The same position by the oracle."""
    slow = reference_of(game.rules, game.deck, int(game.record.start))
    for move in game.moves[:turn]:
        slow.apply(move)
    return slow


def faces(frame: dict[str, Any]) -> list[list[int | None]]:
    """The cards of a frame, empty slots left out."""
    return [[slot["card"] for slot in hand if slot["order"] >= 0] for hand in frame["hands"]]


# Who sees what, row by row.


def test_a_seat_sees_all_hands_but_its_own():
    rng = Random(1)
    for _ in range(scaled(40)):
        game = some_game(rng)
        table = table_of(game)
        for seat in range(game.rules.players):
            for is_host in (False, True):
                frame = view_frame(table, Role(seat, is_host))
                shown = faces(frame)
                assert shown[seat] == [None] * len(game.hands[seat])
                assert (
                    shown[:seat] + shown[seat + 1 :] == game.hands[:seat] + game.hands[seat + 1 :]
                )
                assert frame["seat"] == seat


def test_only_the_seat_to_move_is_told_its_legal_moves():
    rng = Random(2)
    for _ in range(scaled(30)):
        game = some_game(rng)
        table = table_of(game)
        texts = [move_text(game.rules, move) for move in oracle(game).legal_moves()]
        for seat in (*range(game.rules.players), None):
            frame = view_frame(table, Role(seat))
            if seat == game.mover:
                assert (frame["legal"], frame["call"]) == (texts, "your turn")
            else:
                assert (frame["legal"], frame["risks"], frame["call"]) == (None, {}, "")


def test_nobody_elses_eyes_hold_legal_moves():
    game = Game(Rules(players=3), 2)
    assert scene_of(game, game.mover).legal
    assert not any(scene_of(game, eyes).legal for eyes in (1, 2, ALL_FACES, NO_FACES))


def test_a_watcher_of_persons_sees_no_face_and_what_hints_told():
    rng = Random(3)
    for _ in range(scaled(30)):
        game = some_game(rng)
        for role in (Role(), Role(None, is_host=True)):
            frame = view_frame(table_of(game), role)
            for hand, held in zip(frame["hands"], oracle(game).hands, strict=True):
                for slot, card in zip(hand, held, strict=True):
                    if card is None:
                        assert slot == {"slot": slot["slot"], "order": -1}
                        continue
                    assert slot["card"] is None
                    assert slot["sight"] == slot["hints"] == slot["empathy"] == hints_of(card)
                    told = {"colour": card.colour_hinted, "rank": card.rank_hinted}
                    assert slot["told"] == told


def test_a_table_that_persons_left_to_agents_still_shows_no_face():
    game = replay(play_randomly(Game(Rules(players=2), 5), Random(5)), turns=4)
    table = table_of(game)
    for seat in range(2):
        table.apply(table.fill(Role(seat, True), seat, BOT, is_away=True))
    assert view_frame(table, Role())["hands"][0][0]["card"] is None
    assert view_frame(table, Role(1))["hands"][1][0]["card"] is None


@pytest.mark.parametrize("observation", ["card_knowledge", "minimal", "seer"])
def test_a_watcher_of_agents_sees_all_hands(observation):
    rng = Random(4)
    for _ in range(scaled(10)):
        game = some_game(rng, observation)
        frame = view_frame(table_of(game, agents=True), Role(None, is_host=True))
        assert faces(frame) == game.hands
        assert frame["legal"] is None


def test_after_the_end_everybody_sees_everything_at_every_turn():
    rng = Random(6)
    for _ in range(scaled(10)):
        game = some_game(rng, to_end=True)
        table = table_of(game)
        assert table.phase == OVER
        for role in (Role(0), Role(), Role(1, True)):
            for turn in (0, game.turn // 2, game.turn):
                assert faces(view_frame(table, role, turn)) == game.at(turn).hands
            assert welcome_frame(table, role)["seed"] == "123"
            last = view_frame(table, role)
            assert not any(slot.get("marks") for hand in last["hands"] for slot in hand)


def test_while_a_table_waits_nobody_sees_a_face():
    seats = (SeatState(PERSON, "Ann"), SeatState(OPEN), BOT)
    table = Table(Opening("t" * 16, Rules(players=3), seats))
    for role in (Role(0), Role(0, True), Role()):
        frame = view_frame(table, role)
        assert {card for hand in faces(frame) for card in hand} == {None}
        assert (frame["mover"], frame["legal"], frame["phase"]) == (None, None, "waiting")


def test_who_looks_back_sees_what_it_saw_then():
    rng = Random(7)
    for _ in range(scaled(15)):
        game = some_game(rng)
        table = table_of(game)
        for turn in range(0, game.turn + 1, 3):
            then = game.at(turn)
            for seat in range(game.rules.players):
                frame = view_frame(table, Role(seat), turn)
                as_it_was = view_frame(table_of(then), Role(seat))
                differing = {name for name in frame if frame[name] != as_it_was[name]}
                if turn == game.turn:
                    assert not differing
                else:
                    assert differing <= {"now", "legal", "risks", "call"}
                    assert (frame["legal"], frame["risks"], frame["call"]) == (None, {}, "")
                assert (frame["turn"], frame["now"]) == (turn, game.turn)


@pytest.mark.parametrize("turn", [-1, 6, 1000])
def test_nobody_looks_into_the_future(turn):
    table = table_of(replay(play_randomly(Game(seed=8), Random(8)), turns=5))
    with pytest.raises(TableError, match="has not been") as caught:
        view_frame(table, Role(0), turn)
    assert caught.value.code == "stale"


# Reasons.


def test_reasons_are_for_the_own_seat_for_watchers_of_agents_and_for_all_after_the_end():
    whole = play_randomly(Game(Rules(players=3), 9), Random(9))
    game = replay(whole, turns=4)
    persons, agents, over = table_of(game), table_of(game, agents=True), table_of(whole)

    def allowed(table: Table, role: Role, turn: int, seat: int | None) -> int | str:
        try:
            return sight.check_question(table, role, turn, seat)
        except TableError as error:
            return error.code

    assert game.mover == 1
    assert allowed(persons, Role(1), 4, None) == 1
    assert allowed(persons, Role(1), 1, 1) == 1
    assert allowed(persons, Role(1), 3, None) == "not_your_turn"
    assert allowed(persons, Role(1), 3, 0) == "forbidden"
    assert allowed(persons, Role(0, True), 4, None) == "not_your_turn"
    assert allowed(persons, Role(0, True), 4, 1) == "forbidden"
    assert allowed(persons, Role(), 4, None) == "forbidden"
    assert allowed(persons, Role(), 4, 1) == "forbidden"
    assert allowed(persons, Role(1), 5, None) == "stale"
    assert allowed(persons, Role(1), 4, 3) == "no_such_seat"
    assert allowed(agents, Role(), 4, None) == 1
    assert allowed(agents, Role(), 3, 0) == 0
    assert allowed(agents, Role(), 3, 1) == "not_your_turn"
    assert allowed(over, Role(), 3, None) == 0
    assert allowed(over, Role(1), 3, 0) == 0
    assert allowed(over, Role(1), whole.turn, None) == "over"
    waiting = Table(Opening("t" * 16, Rules(), (SeatState(PERSON, "Ann"), SeatState())))
    assert allowed(waiting, Role(0), 0, None) == "waiting"


def test_reasons_name_moves_and_cards():
    table = table_of(Game(Rules(players=3), 3))
    frame = sight.reasons_frame(
        table, "advise", 0, 0, Reasons("/bots/mine.py", "h1R", [("slot 4", "R1")])
    )
    assert frame["words"] == "mine.py would tell Ben red"
    assert frame["rows"] == [{"parts": [{"slot": 4, "seat": 0}], "value": [{"card": 0}]}]
    silent = sight.reasons_frame(table, "why", 0, 0, Reasons("eager", None))
    assert (silent["words"], silent["rows"], silent["move"]) == ("eager says nothing", [], None)


# Masks and marks.


def hints_of(held: Any) -> int:
    """What hints alone leave open of a card."""
    return sum(1 << (5 * colour + rank) for colour in held.colours for rank in held.ranks)


def unseen(game: ReferenceGame, hidden: set[int]) -> int:
    """The cards with a copy that is neither put down nor in a hand, some hands being hidden."""
    mask = 0
    for colour, rank in game.kinds:
        seen = game.discards.count((colour, rank)) + (game.fireworks[colour] > rank)
        for seat, hand in enumerate(game.hands):
            if seat not in hidden:
                seen += sum(held is not None and held.card == (colour, rank) for held in hand)
        if seen < copies(rank, game.rules.ranks):
            mask |= 1 << (5 * colour + rank)
    return mask


def marks_of(game: ReferenceGame, could_be: int) -> list[str]:
    """The marks that all cards of a set share."""
    cards = [card for card in game.kinds if could_be >> (5 * card[0] + card[1]) & 1]
    shared = []
    for mark, holds in (("playable", is_playable), ("critical", is_critical), ("dead", is_dead)):
        if game.status == 0 and cards and all(holds(game, *card) for card in cards):
            shared.append(mark)
    return shared


def is_playable(game: ReferenceGame, colour: int, rank: int) -> bool:
    """Whether a card would score now."""
    return game.fireworks[colour] == rank


def is_dead(game: ReferenceGame, colour: int, rank: int) -> bool:
    """Whether a card can never score again."""
    below = range(game.fireworks[colour], rank + 1)
    return rank < game.fireworks[colour] or any(
        game.discards.count((colour, other)) == copies(other, game.rules.ranks) for other in below
    )


def is_critical(game: ReferenceGame, colour: int, rank: int) -> bool:
    """Whether the last copy of a card is still needed."""
    left = copies(rank, game.rules.ranks) - game.discards.count((colour, rank))
    return left == 1 and not is_dead(game, colour, rank)


def test_masks_and_marks_are_those_of_a_naive_player():
    rng = Random(10)
    for _ in range(scaled(60)):
        game = some_game(rng)
        slow, seat = oracle(game), rng.randrange(game.rules.players)
        frame = view_frame(table_of(game), Role(seat))
        for other, (hand, held_cards) in enumerate(zip(frame["hands"], slow.hands, strict=True)):
            for slot, held in zip(hand, held_cards, strict=True):
                if held is None:
                    continue
                hints = hints_of(held)
                empathy = hints & unseen(slow, {seat, other})
                face = 1 << (5 * held.card[0] + held.card[1])
                assert slot["hints"] == hints
                assert slot["empathy"] == empathy
                assert slot["sight"] == (empathy if other == seat else face)
                assert slot["marks"] == marks_of(slow, slot["sight"])


def test_empathy_is_exact_for_who_sees_all_hands():
    rng = Random(11)
    for _ in range(scaled(20)):
        game = some_game(rng)
        slow = oracle(game)
        frame = view_frame(table_of(game, agents=True), Role())
        for seat, (hand, held_cards) in enumerate(zip(frame["hands"], slow.hands, strict=True)):
            for slot, held in zip(hand, held_cards, strict=True):
                if held is not None:
                    assert slot["empathy"] == hints_of(held) & unseen(slow, {seat})


def test_risks_are_plays_that_surely_fail_and_discards_that_surely_lose_points():
    rng, n_risks = Random(12), 0
    for _ in range(max(20, scaled(120))):
        game = some_game(rng)
        slow = oracle(game)
        frame = view_frame(table_of(game), Role(game.mover))
        expected = set()
        for slot in frame["hands"][game.mover]:
            if slot["order"] < 0:
                continue
            cards = [card for card in slow.kinds if slot["sight"] >> (5 * card[0] + card[1]) & 1]
            if not any(is_playable(slow, *card) for card in cards):
                expected.add(f"p{slot['slot']}")
            if all(is_critical(slow, *card) for card in cards):
                expected.add(f"d{slot['slot']}")
        assert set(frame["risks"]) == expected & set(frame["legal"])
        n_risks += len(expected)
    assert n_risks >= 5


# The log and the board.


def naive_log(game: Game) -> tuple[list[dict[str, Any]], dict[int, list[int]], dict[int, int]]:
    """Every move, the hints that touched each card, and when each was drawn."""
    log: list[dict[str, Any]] = []
    touched: dict[int, list[int]] = {}
    drawn: dict[int, int] = {}
    slow = oracle(game, 0)
    for turn in range(game.turn + 1):
        for hand in slow.hands:
            for held in hand:
                if held is not None:
                    drawn.setdefault(held.order, turn)
        if turn == game.turn:
            return log, touched, drawn
        before = [[held.order if held else -1 for held in hand] for hand in slow.hands]
        slow.apply(game.moves[turn])
        event = slow.history[-1]
        kind, *numbers = slow.describe(event["move"])
        line: dict[str, Any] = {"turn": turn, "seat": event["seat"], "kind": kind,
                                "move": move_text(game.rules, event["move"])}  # fmt: skip
        if event["target"] is None:
            colour, rank = event["card"]
            line |= {"slot": numbers[0], "card": 5 * colour + rank, "order": event["order"],
                     "token": event["token"]}  # fmt: skip
            if kind == "play":
                line |= {"scored": event["scored"], "blind": event["order"] not in touched}
        else:
            orders = before[event["target"]]
            line |= {"target": event["target"], "value": numbers[1],
                     "touched": [orders[slot] for slot in event["touched"]],
                     "newly": [orders[slot] for slot in event["newly"]]}  # fmt: skip
            for order in line["touched"]:
                touched.setdefault(order, []).append(turn)
        log.append(line)
    raise AssertionError


def test_the_log_is_the_one_of_the_oracle():
    rng = Random(13)
    for _ in range(scaled(40)):
        game = some_game(rng, to_end=rng.random() < 0.3)
        log, touched, drawn = naive_log(game)
        frame = view_frame(table_of(game), Role(0))
        assert [{k: v for k, v in e.items() if k != "words"} for e in frame["past"]] == log
        assert frame["last"] == (frame["past"][-1] if log else None)
        for hand in frame["hands"]:
            for slot in hand:
                if slot["order"] >= 0:
                    assert slot["touched"] == touched.get(slot["order"], [])
                    assert slot["drawn"] == drawn[slot["order"]]
        piles = {"played": [], "discarded": []}
        for event in log:
            if "card" in event:
                card = {name: event[name] for name in ("card", "order", "turn")}
                if event.get("scored"):
                    piles["played"].append(card)
                else:
                    piles["discarded"].append({**card, "failed": event["kind"] == "play"})
        assert {name: frame[name] for name in piles} == piles


def test_the_board_is_the_one_of_the_oracle():
    rng = Random(14)
    for _ in range(scaled(60)):
        game = some_game(rng, to_end=rng.random() < 0.3)
        slow = oracle(game)
        frame = view_frame(table_of(game), Role(1))
        assert frame["firework"] == slow.fireworks
        assert (frame["tokens"], frame["lives"]) == (slow.tokens, slow.lives)
        assert frame["deck"] == len(slow.deck)
        assert frame["turns_left"] == (None if slow.deck else slow.turns_left)
        assert frame["mover"] == (slow.mover if slow.status == 0 else None)
        assert (frame["points"], frame["score"]) == (slow.points(), slow.score())
        assert (frame["status"], frame["max_score"]) == (game.status, game.rules.max_score)


def test_a_log_that_was_kept_is_the_same_as_a_new_one():
    """After moves, after moves taken back and others made, and when somebody has another name."""
    rng = Random(15)
    for _ in range(scaled(15)):
        rules = Rules.parse(f"{pick_rules(rng.choice).to_text()} observation=card_knowledge")
        table = table_of(Game(rules, rng.getrandbits(60)))
        kept = None
        for _ in range(25):
            if table.phase == OVER:
                break
            if rng.random() < 0.2 and table.turn:
                table.game = table.game.at(rng.randrange(table.turn))
            else:
                table.game.apply(rng.choice(table.game.legal_moves))
            if rng.random() < 0.1:
                renamed = SeatState(PERSON, f"Ann {rng.randrange(9)}")
                table.apply(Event(SEATED, table.turn, 0, sitter=renamed))
            sent, kept = kept, dump(view_frame(table, Role(0)))
            fresh = table_of(table.game.copy())
            fresh.seats, fresh.seatings = list(table.seats), dict(table.seatings)
            assert kept == dump(view_frame(fresh, Role(0)))
            assert sent != kept


def test_who_made_a_move_stays_its_author():
    """Also where another sits since, to whoever looks back, and after moves are taken back."""
    table = table_of(Game(seed=17))
    first, second = table.seats[0].name, table.seats[1].name
    table.game.apply(table.game.legal_moves[-1])
    table.apply(Event(SEATED, table.turn, 0, sitter=SeatState(AGENT, "piers", "piers")))
    for _ in range(2):
        table.game.apply(table.game.legal_moves[-1])

    def authors(turn=None):
        past = view_frame(table, Role(1), turn)["past"]
        return [event["words"].split(" ")[0] for event in past]

    assert authors() == [first, second, "piers"]
    assert authors(1) == [first]
    table.apply(Event(UNDONE, 0, 1))
    table.game.apply(table.game.legal_moves[-1])
    assert authors() == ["piers"]


def test_a_frame_that_was_made_does_not_change_with_the_table():
    table = table_of(replay(play_randomly(Game(seed=16), Random(16)), turns=8))
    frame = view_frame(table, Role(0))
    before = dump(frame), dump(frame | {"past": list(frame["past"])})
    while table.phase != OVER:
        table.game.apply(table.game.legal_moves[-1])
        view_frame(table, Role(0))
    assert (dump(frame), dump(frame | {"past": list(frame["past"])})) == before


def test_labels_are_read_aloud():
    table = table_of(Game(Rules(players=3), 3))
    table.game.apply("h11")
    frame = view_frame(table, Role(1))
    told = next(slot for slot in frame["hands"][1] if slot["touched"])
    number = 5 - told["slot"]
    newest = ", newest" if number == 1 else ""
    assert told["label"] == f"slot {number}{newest}, rank 1, told rank 1 at turn 1, playable"
    assert frame["hands"][0][4]["label"].startswith("Ann, slot 1, newest: ")
    assert frame["said"] == frame["past"][0]["words"].replace("Ben", "you")
    blind = view_frame(table, Role())["hands"][1][told["slot"]]["label"]
    assert blind == f"Ben, {told['label']}"


# The other frames.


def test_the_seed_is_told_after_the_end_only():
    table = table_of(Game(seed=17))
    for role in (Role(0), Role(), Role(0, True)):
        frame = welcome_frame(table, role, token="x" * 22, adviser="piers")
        assert (frame["seed"], frame["index"]) == (None, None)
    assert (frame["role"], frame["seat"], frame["host"]) == ("seat", 0, True)
    assert (frame["token"], frame["adviser"], frame["palette"]) == ("x" * 22, "piers", "tamaya")
    assert frame["rules"] == {"players": 2, "colours": 5, "ranks": 5, "hand_size": 5, "tokens": 8,
                              "lives": 3, "text": "players=2 hand_size=5"}  # fmt: skip
    assert frame["options"] == {"pace_ms": 500, "paused": False, "undo": True}
    assert welcome_frame(table, Role())["role"] == "watcher"


def test_seats_say_who_is_there():
    seats = (SeatState(PERSON, "Ann", token_hash="secret"), SeatState(), BOT)
    table = Table(Opening("t" * 16, Rules(players=3), seats))
    frame = sight.seats_frame(table, [Presence(2), Presence(), Presence(stuck="too slow")])
    assert "secret" not in dump(frame)
    ann, nobody, bot = frame["seats"]
    assert ann == {"seat": 0, "kind": "person", "name": "Ann", "agent": "", "label": "Ann",
                   "version": "", "present": True, "tabs": 2, "away": 0, "stuck": None}  # fmt: skip
    assert (nobody["kind"], nobody["name"], nobody["present"]) == ("open", "seat 2", False)
    assert (bot["agent"], bot["version"], bot["present"], bot["stuck"]) == (
        "certainty", "01234567", True, "too slow",
    )  # fmt: skip
    assert sight.seats_frame(table)["seats"][0]["present"] is False


def test_who_wants_moves_back():
    table = table_of(replay(play_randomly(Game(Rules(players=3), 18), Random(1)), turns=4))
    assert sight.asked_frame(table) == {
        "type": "asked", "by": None, "turn": None, "agreed": [], "open": False,
    }  # fmt: skip
    table.apply(table.ask_undo(Role(2), 4))
    table.apply(table.agree(Role(0), True))
    assert sight.asked_frame(table) == {
        "type": "asked", "by": 2, "turn": 2, "agreed": [0], "open": True,
    }  # fmt: skip


def test_how_a_game_ended():
    game = play_randomly(Game(seed=19), Random(19))
    table = table_of(game)
    table.undos = 2
    frame = sight.over_frame(table)
    assert (frame["score"], frame["status"], frame["turns"]) == (
        game.score, game.status, game.turn,
    )  # fmt: skip
    assert (frame["undos"], frame["game"], frame["perfect"]) == (2, "t" * 16, False)
    assert frame["link"].startswith("https://hanab.live/replay-json/")
    with pytest.raises(TableError, match="not over"):
        sight.over_frame(table_of(Game(seed=19)))
    odd = play_randomly(Game(Rules(lives=4), 20), Random(20))
    assert sight.over_frame(table_of(odd))["link"] is None
