"""The table against a naive account of it: wishes of all kinds at random, right and wrong."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from reference import RUNNING, ReferenceGame
from support import reference_of, scaled
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.web.events import (
    AGENT,
    OPEN,
    OVER,
    PERSON,
    PLAY_TABLE,
    PLAYING,
    WAITING,
    WATCH_TABLE,
    Event,
    Opening,
    Options,
    Role,
    SeatState,
    TableError,
)
from tamaya.web.table import Table

pytestmark = pytest.mark.interpreted

SIZES = (
    "players=2 colours=2 hand_size=2 tokens=3 lives=3",
    "players=3 colours=2 hand_size=2 tokens=2 lives=2 refill=in_place",
    "players=4 colours=3 hand_size=2 tokens=3 lives=3 random_start=true",
)
SITTERS = {
    PERSON: SeatState(PERSON, "Ann", token_hash="ann"),
    AGENT: SeatState(AGENT, "certainty", "certainty", "certainty"),
    OPEN: SeatState(),
}
OTHER = SeatState(AGENT, "eager", "eager", "eager 2")


def opened(*kinds: str, rules: str = "", **options: Any) -> Table:
    """A table with such seats, and a fixed deal."""
    all_rules = Rules.parse(f"players={len(kinds)} {rules}")
    seats = tuple(SITTERS[kind] for kind in kinds)
    return Table(Opening("t" * 16, all_rules, seats, seed=7, options=Options(**options)))


def happen(table: Table, event: Event | None) -> None:
    """Let an event happen, which there must be."""
    assert event is not None
    table.apply(event)


def move_first(table: Table, wanted: str = "") -> str:
    """Let the seat to move make its first legal move, or one that begins as wanted."""
    moves = [move_text(table.rules, move) for move in table.game.legal_moves]
    text = next(move for move in moves if move.startswith(wanted))
    seat = table.game.mover
    if table.seats[seat].kind == AGENT:
        memory = f"{seat} at {table.turn}".encode()
        event = table.agent_move(seat, table.turn, text, memory, revision=table.revision)
    else:
        event = table.move(Role(seat), table.turn, text)
    happen(table, event)
    return text


def refusal(wish: Any, *args: Any, **options: Any) -> str:
    """The code with which a wish is refused."""
    with pytest.raises(TableError) as caught:
        wish(*args, **options)
    assert caught.value.text
    return caught.value.code


# By example.


def test_a_table_waits_until_all_seats_are_taken():
    table = opened(PERSON, OPEN, AGENT)
    assert (table.kind, table.phase) == ("play", WAITING)
    assert refusal(table.move, Role(0), 0, "p0") == "waiting"
    happen(table, table.sit(Role(), 1, "Ben", "ben"))
    assert table.phase == PLAYING
    assert table.seats[1] == SeatState(PERSON, "Ben", token_hash="ben")


def test_the_host_can_begin_with_open_seats():
    table = opened(PERSON, OPEN)
    assert refusal(table.start, Role(0)) == "forbidden"
    happen(table, table.start(Role(0, is_host=True)))
    assert table.phase == PLAYING
    assert refusal(table.start, Role(0, is_host=True)) == "stale"
    move_first(table)
    assert table.agent_to_move is None
    happen(table, table.sit(Role(), 1, "Ben", "ben"))
    move_first(table)


def test_agents_alone_make_a_table_to_watch():
    table = opened(AGENT, AGENT)
    assert (table.kind, table.phase, table.agent_to_move) == ("watch", PLAYING, 0)
    assert refusal(table.sit, Role(), 0, "Ann", "ann") == "forbidden"


@pytest.mark.parametrize("observation", ["minimal", "seer"])
def test_persons_play_by_card_knowledge(observation):
    opened(AGENT, AGENT, rules=f"observation={observation}")
    for kind in (PERSON, OPEN):
        with pytest.raises(TableError, match=observation):
            opened(kind, AGENT, rules=f"observation={observation}")


def test_seats_and_players_must_agree():
    with pytest.raises(TableError, match="2 seats for 3 players"):
        Table(Opening("t" * 16, Rules(players=3), (SITTERS[PERSON],) * 2))


def test_the_same_move_again_is_fine_and_another_is_stale():
    table = opened(PERSON, PERSON)
    made = move_first(table, "h")
    assert table.move(Role(0), 0, made) is None
    assert refusal(table.move, Role(0), 0, "p0") == "stale"
    assert refusal(table.move, Role(1), 0, made) == "stale"
    assert refusal(table.move, Role(1), 7, "p0") == "stale"
    assert refusal(table.move, Role(0), 1, "p0") == "not_your_turn"
    assert refusal(table.move, Role(None), 1, "p0") == "forbidden"
    assert refusal(table.move, Role(4), 1, "p0") == "no_such_seat"


@pytest.mark.parametrize(("text", "reason"), [
    ("p9", "not a move"), ("x", "only agents"), ("d0", "all hint tokens"), ("", "not a move"),
])  # fmt: skip
def test_illegal_moves_say_why(text, reason):
    table = opened(PERSON, PERSON)
    with pytest.raises(TableError, match=reason) as caught:
        table.move(Role(0), 0, text)
    assert (caught.value.code, caught.value.place) == ("illegal", "move")


def test_the_last_move_again_is_fine_after_the_end():
    table = opened(PERSON, PERSON, rules="lives=1 colours=1 hand_size=2")
    while table.phase != OVER:
        made, seat = move_first(table, "p"), int(table.game.events[-1]["seat"])
    assert table.move(Role(seat), table.turn - 1, made) is None
    assert refusal(table.move, Role(table.game.mover), table.turn, "p0") == "over"
    for wish in (
        lambda: table.ask_undo(Role(0), table.turn),
        lambda: table.sit(Role(), 0, "Ann", "ann"),
        lambda: table.leave(Role(0)),
        lambda: table.fill(Role(0, True), 0, OTHER),
    ):
        assert refusal(wish) == "over"
    table.check_again(Role(0, is_host=True))
    assert refusal(table.check_again, Role(1)) == "forbidden"


def test_an_agent_may_give_up():
    table = opened(AGENT, AGENT)
    happen(table, table.agent_move(0, 0, "x", None, revision=0))
    assert (table.phase, table.turn, table.game.status) == (OVER, 0, "gave up")


def test_an_answer_to_an_old_question_is_stale():
    table = opened(PERSON, AGENT)
    move_first(table, "h")
    asked_at = table.revision
    happen(table, table.ask_undo(Role(0), 1))
    made = move_first(table, "p")
    assert refusal(table.agent_move, 1, 1, "p0", b"", revision=asked_at) == "stale"
    assert made != "p9"
    happen(table, table.agent_move(1, 1, "p0", b"", revision=table.revision))


def test_alone_with_agents_an_undo_is_at_once_and_goes_before_the_own_last_move():
    table = opened(AGENT, PERSON, AGENT)
    for _ in range(6):
        move_first(table, "h")
    before = table.game.at(4)
    happen(table, table.ask_undo(Role(1), 6))
    assert (table.game == before, table.turn, table.undos) == (True, 4, 1)
    assert sorted(table.memories) == [1, 3, 4]
    happen(table, table.ask_undo(Role(1), 4))
    assert (table.turn, table.undos) == (1, 2)
    assert refusal(table.ask_undo, Role(1), 1) == "forbidden"
    assert refusal(table.ask_undo, Role(1), 4) == "stale"
    assert refusal(table.ask_undo, Role(0), 1) == "forbidden"  # an agent's seat
    assert refusal(table.ask_undo, Role(None), 1) == "forbidden"


def test_among_persons_all_must_agree():
    table = opened(PERSON, PERSON, PERSON)
    for _ in range(4):
        move_first(table, "h")
    happen(table, table.ask_undo(Role(2), 4))
    assert table.asked is not None and table.asked.turn == 2
    assert table.ask_undo(Role(2), 4) is None
    assert refusal(table.ask_undo, Role(0), 4) == "busy"
    happen(table, table.agree(Role(0), True))
    assert table.turn == 4
    assert table.agree(Role(0), True) is None and table.agree(Role(2), True) is None
    move_first(table, "h")  # somebody else goes on meanwhile
    happen(table, table.agree(Role(1), True))
    assert (table.turn, table.undos, table.asked) == (2, 1, None)
    assert refusal(table.agree, Role(1), True) == "stale"


def test_a_wish_ends_by_a_refusal_by_moving_on_and_when_a_seat_changes_hands():
    table = opened(PERSON, PERSON)
    ends = (
        lambda: table.agree(Role(1), False),
        lambda: table.agree(Role(0), False),
        lambda: table.leave(Role(1)),
    )
    for end in ends:
        move_first(table, "h")
        happen(table, table.sit(Role(1), 1, "Ben", "ben"))
        move_first(table, "h")
        happen(table, table.ask_undo(Role(0), table.turn))
        turn = table.turn
        happen(table, end())
        assert (table.asked, table.turn) == (None, turn)
    happen(table, table.sit(Role(1), 1, "Ben", "ben"))
    happen(table, table.ask_undo(Role(0), table.turn))
    move_first(table, "h")
    assert table.asked is None


def test_nobody_takes_back_alone_what_was_done_among_others():
    """Or a host could give the seat of a friend to an agent, and play an own card to look at it."""
    table = opened(PERSON, PERSON)
    move_first(table, "h")
    move_first(table, "h")
    happen(table, table.fill(Role(0, is_host=True), 1, OTHER, is_away=True))
    assert refusal(table.ask_undo, Role(0), 2) == "forbidden"
    move_first(table, "p")
    assert refusal(table.ask_undo, Role(0), 3) == "forbidden"
    happen(table, table.sit(Role(1), 1, "Ben", "ben"))
    happen(table, table.ask_undo(Role(0), 3))
    assert table.asked is not None and table.turn == 3


def test_nobody_takes_back_alone_before_others_come_or_after_they_left():
    table = opened(PERSON, OPEN)
    happen(table, table.start(Role(0, is_host=True)))
    move_first(table, "p")
    assert refusal(table.ask_undo, Role(0), 1) == "forbidden"
    happen(table, table.sit(Role(None), 1, "Ben", "ben"))
    move_first(table, "p")
    happen(table, table.leave(Role(1)))
    move_first(table, "p")
    assert refusal(table.ask_undo, Role(0), 3) == "forbidden"


def test_an_agent_in_a_seat_that_nobody_had_leaves_one_alone():
    table = opened(PERSON, OPEN)
    happen(table, table.fill(Role(0, is_host=True), 1, OTHER))
    move_first(table, "p")
    happen(table, table.ask_undo(Role(0), 1))
    assert (table.turn, table.undos) == (0, 1)


def test_a_table_whose_persons_are_away_is_not_one_to_watch():
    kept = replace(OTHER, token_hash="ben")
    table = Table(Opening("t" * 16, Rules(), (OTHER, kept)))
    assert table.kind == PLAY_TABLE
    happen(table, table.sit(Role(1), 1, "Ben", "ben"))
    assert Table(Opening("t" * 16, Rules(), (OTHER, OTHER))).kind == WATCH_TABLE


def test_another_name_disturbs_nobody():
    table = opened(PERSON, AGENT)
    move_first(table, "h")
    revision = table.revision
    happen(table, table.sit(Role(0), 0, "Anna", "ann"))
    assert (table.revision, table.seats[0].name) == (revision, "Anna")
    happen(table, table.agent_move(1, 1, "p0", b"", revision=revision))


def test_undo_can_be_switched_off():
    table = opened(PERSON, AGENT, undo=False)
    move_first(table, "h")
    assert refusal(table.ask_undo, Role(0), 1) == "forbidden"


def test_who_has_left_comes_back_and_an_agent_plays_meanwhile():
    table = opened(PERSON, PERSON)
    move_first(table, "h")
    happen(table, table.leave(Role(1)))
    assert table.seats[1] == SeatState(OPEN, "Ann", token_hash="ann")
    assert refusal(table.move, Role(1), 1, "p0") == "not_your_turn"
    assert refusal(table.leave, Role(1)) == "forbidden"
    host = Role(0, is_host=True)
    assert refusal(table.fill, Role(0), 1, OTHER) == "forbidden"
    assert refusal(table.fill, host, 5, OTHER) == "no_such_seat"
    happen(table, table.fill(host, 1, OTHER))
    assert table.seats[1] == replace(OTHER, token_hash="ann")
    assert table.agent_to_move == 1
    assert refusal(table.sit, Role(), 1, "Cho", "cho") == "taken"
    happen(table, table.sit(Role(1), 1, "Ann", "ann"))
    assert table.seats[1] == SITTERS[PERSON]
    move_first(table)


def test_a_person_who_is_there_is_not_replaced():
    table = opened(PERSON, PERSON)
    host = Role(0, is_host=True)
    assert refusal(table.fill, host, 1, OTHER) == "taken"
    happen(table, table.fill(host, 1, OTHER, is_away=True))


def test_before_the_game_a_seat_that_is_left_is_free_for_all():
    table = opened(PERSON, OPEN)
    happen(table, table.leave(Role(0)))
    assert table.seats[0] == SeatState()
    assert refusal(table.leave, Role(None)) == "forbidden"
    happen(table, table.sit(Role(), 1, "Ann", "ann"))
    assert refusal(table.sit, Role(1), 0, "Ann", "ann") == "forbidden"
    assert refusal(table.sit, Role(), 1, "Ben", "ben") == "taken"
    assert refusal(table.sit, Role(), 2, "Ben", "ben") == "no_such_seat"


def test_memory_is_that_of_the_agent_that_made_the_last_move_of_the_seat():
    table = opened(PERSON, AGENT)
    assert table.memory_of(1) == (None, 0)
    for _ in range(3):
        move_first(table, "h")
    assert table.memory_of(1) == (b"1 at 1", 2)
    assert table.memory_of(1, 2) == (b"1 at 1", 2)
    assert table.memory_of(1, 1) == (None, 0)
    assert table.memory_of(0) == (None, 0)
    host = Role(0, is_host=True)
    happen(table, table.fill(host, 1, OTHER))
    assert table.memory_of(1) == (None, 0)
    happen(table, table.fill(host, 1, SITTERS[AGENT]))
    assert table.memory_of(1) == (b"1 at 1", 2)
    happen(table, table.fill(host, 1, OTHER))
    move_first(table, "h")
    happen(table, table.fill(host, 1, SITTERS[AGENT]))
    assert table.memory_of(1) == (None, 0)
    happen(table, table.ask_undo(Role(0), 4))
    assert table.memory_of(1) == (b"1 at 1", 2)


def test_a_move_that_an_agent_made_for_a_person_is_taken_back_with_its_memory():
    table, host = opened(PERSON, AGENT), Role(0, is_host=True)
    happen(table, table.fill(host, 0, OTHER, is_away=True))
    move_first(table, "h")
    happen(table, table.sit(Role(0), 0, "Ann", "ann"))
    assert sorted(table.memories) == [1]
    happen(table, table.ask_undo(Role(0), 1))
    assert (table.turn, table.memories) == (0, {})


def test_only_the_host_of_agents_sets_their_pace():
    table, host = opened(AGENT, AGENT), Role(None, is_host=True)
    happen(table, table.set_pace(host, 200))
    happen(table, table.pause(host, True))
    assert table.options == Options(pace_ms=200, paused=True)
    assert refusal(table.set_pace, host, 20) == "bad_frame"
    assert refusal(table.pause, Role(), True) == "forbidden"
    assert refusal(opened(PERSON, AGENT).pause, host, True) == "forbidden"


def test_a_deck_of_its_own_goes_before_the_seed():
    rules = Rules(colours=1, hand_size=2)
    deck = tuple(Game(rules, 3).deck)
    table = Table(Opening("t" * 16, rules, (SITTERS[AGENT],) * 2, seed=1, deck=deck, start=1))
    assert (table.game.deck, table.game.mover) == (list(deck), 1)


def test_an_event_of_no_kind_is_refused():
    assert refusal(opened(AGENT, AGENT).apply, Event("dance", 0)) == "bad_frame"


# At random, against a naive account.


class NaiveTable:
    """The same table as lists of what happened; the game is played again for every question."""

    def __init__(self, rules: Rules, deck: list[int], start: int, kinds: list[str]) -> None:
        self.rules, self.deck, self.start = rules, deck, start
        self.kinds = list(kinds)
        self.is_started = OPEN not in kinds
        self.line: list[tuple[int, str, bytes | None]] = []
        self.undos = 0
        self.wish: tuple[int, int, set[int]] | None = None
        self.owned = self.persons()  # seats of persons, also of those who left a running game

    def game(self) -> ReferenceGame:
        """The game so far, by the oracle."""
        game = reference_of(self.rules, self.deck, self.start)
        for _, text, _ in self.line:
            game.apply(self.ids()[text])
        return game

    def ids(self) -> dict[str, int]:
        """Moves by their texts."""
        return {move_text(self.rules, move): move for move in range(self.rules.n_moves)}

    def phase(self) -> str:
        """Waiting, playing or over."""
        if self.game().status != RUNNING:
            return OVER
        return PLAYING if self.is_started else WAITING

    def own_last(self, seat: int) -> int | None:
        """The turn of the last move of a seat."""
        turns = [turn for turn, (mover, _, _) in enumerate(self.line) if mover == seat]
        return turns[-1] if turns else None

    def persons(self) -> set[int]:
        """Seats of persons."""
        return {seat for seat, kind in enumerate(self.kinds) if kind == PERSON}

    def may_move(self, seat: int, turn: int, text: str) -> bool:
        """Whether a person can make a move."""
        game = self.game()
        legal = {move_text(self.rules, move) for move in game.legal_moves()}
        is_now = turn == len(self.line) and self.phase() == PLAYING
        return is_now and game.mover == seat and self.kinds[seat] == PERSON and text in legal

    def seat_changes(self, seat: int, kind: str) -> None:
        """Somebody else sits there now; a person who only takes another name changes nothing."""
        if self.kinds[seat] == kind == PERSON:
            return
        if kind == PERSON:
            self.owned.add(seat)
        if kind == OPEN and self.phase() == WAITING:
            self.owned.discard(seat)
        self.kinds[seat] = kind
        self.wish = None
        self.is_started = self.is_started or OPEN not in self.kinds

    def go_back(self, turn: int) -> None:
        """Take moves back."""
        self.line, self.wish = self.line[:turn], None
        self.undos += 1


class TablesAgree(RuleBasedStateMachine):
    """Wishes at random: the table and the naive one agree on what happens and on what does not."""

    @initialize(sizes=st.sampled_from(SIZES), seed=st.integers(0, 2**64 - 1), data=st.data())
    def open_table(self, sizes, seed, data):
        rules = Rules.parse(sizes)
        kinds = [data.draw(st.sampled_from([PERSON, PERSON, AGENT, OPEN]), label="kind")
                 for _ in range(rules.players)]  # fmt: skip
        kinds[0] = PERSON
        self.table = Table(Opening("t" * 16, rules, tuple(SITTERS[k] for k in kinds), seed=seed))
        game = self.table.game
        self.naive = NaiveTable(rules, game.deck, int(game.record.start), kinds)
        self.happened: list[Event] = []

    def wish(self, is_granted: bool, ask: Any) -> Event | None:
        """Ask for something; it must be granted or refused as expected, changing nothing yet."""
        before = state_of(self.table)
        event = None
        try:
            event = ask()
            assert is_granted, f"{event} was not to be granted"
        except TableError as error:
            assert not is_granted, f"refused: {error}"
        assert state_of(self.table) == before
        if event is not None:
            self.table.apply(event)
            self.happened.append(event)
        return event

    @rule(data=st.data())
    def move_by_the_rules(self, data):
        """Whoever's turn it is makes a legal move, if somebody sits there and the game runs."""
        game = self.naive.game()
        if self.naive.phase() != PLAYING or self.naive.kinds[game.mover] == OPEN:
            return
        move = data.draw(st.sampled_from(game.legal_moves()))
        text, seat, turn = move_text(self.naive.rules, move), game.mover, len(self.naive.line)
        memory = None
        if self.naive.kinds[seat] == AGENT:
            memory = f"{seat} {turn} {text}".encode()
            revision = self.table.revision
            self.wish(True, lambda: self.table.agent_move(seat, turn, text, memory,
                                                          revision=revision))  # fmt: skip
        else:
            self.wish(True, lambda: self.table.move(Role(seat), turn, text))
        self._moved(seat, text, memory)

    def _moved(self, seat: int, text: str, memory: bytes | None) -> None:
        self.naive.line.append((seat, text, memory))
        if self.naive.wish and self.naive.wish[0] == seat:
            self.naive.wish = None
        if self.naive.phase() == OVER:
            self.naive.wish = None

    @rule(data=st.data(), seat=st.integers(0, 4), back=st.integers(-1, 3))
    def move_somehow(self, data, seat, back):
        turn = len(self.naive.line) - back
        text = data.draw(st.sampled_from([*self.naive.ids(), "p7", "x", "h4B"]))
        line = self.naive.line
        is_repeat = 0 <= turn < len(line) and line[turn][:2] == (seat, text)
        may = seat < self.naive.rules.players and self.naive.may_move(seat, turn, text)
        event = self.wish(may or is_repeat, lambda: self.table.move(Role(seat), turn, text))
        assert (event is not None) == (may and not is_repeat)
        if event is not None:
            self._moved(seat, text, None)

    @precondition(lambda self: self.naive.line)
    @rule(seat=st.integers(0, 3), late=st.booleans())
    def ask_for_a_move_back(self, seat, late):
        naive, turn = self.naive, len(self.naive.line) - late
        if seat >= naive.rules.players:
            return
        back_to = naive.own_last(seat)
        is_granted = (
            not late and naive.phase() != OVER and naive.kinds[seat] == PERSON
            and back_to is not None and (naive.wish is None or naive.wish[0] == seat)
        )  # fmt: skip
        if is_granted and naive.persons() == {seat}:  # others could not agree
            is_granted = OPEN not in naive.kinds and naive.owned == {seat}
        event = self.wish(is_granted, lambda: self.table.ask_undo(Role(seat), turn))
        if event is None or back_to is None:
            return
        if naive.persons() == {seat}:
            naive.go_back(back_to)
        else:
            naive.wish = seat, back_to, set()

    @rule(seat=st.integers(0, 3), yes=st.booleans())
    def say_yes_or_no(self, seat, yes):
        naive = self.naive
        if seat >= naive.rules.players:
            return
        is_granted = naive.wish is not None and naive.kinds[seat] == PERSON
        self.wish(is_granted, lambda: self.table.agree(Role(seat), yes))
        if not is_granted or naive.wish is None:
            return
        asker, turn, agreed = naive.wish
        if not yes:
            naive.wish = None
        elif seat != asker:
            agreed.add(seat)
            if naive.persons() == agreed | {asker}:
                naive.go_back(turn)

    @rule(seat=st.integers(0, 3), role=st.sampled_from([None, 0, 1, 2]))
    def sit_down(self, seat, role):
        naive = self.naive
        exists = seat < naive.rules.players
        is_own = role is not None and role == seat
        is_free = role is None and exists and naive.kinds[seat] == OPEN
        is_granted = exists and naive.phase() != OVER and (is_own or is_free)
        self.wish(is_granted, lambda: self.table.sit(Role(role), seat, "Ben", "ben"))
        if is_granted:
            naive.seat_changes(seat, PERSON)

    @rule(seat=st.integers(0, 2))
    def get_up(self, seat):
        naive = self.naive
        if seat >= naive.rules.players:
            return
        is_granted = naive.kinds[seat] == PERSON and naive.phase() != OVER
        self.wish(is_granted, lambda: self.table.leave(Role(seat)))
        if is_granted:
            naive.seat_changes(seat, OPEN)

    @rule(seat=st.integers(0, 3), is_host=st.booleans(), is_away=st.booleans(),
          agent=st.sampled_from([SITTERS[AGENT], OTHER]))  # fmt: skip
    def give_to_an_agent(self, seat, is_host, is_away, agent):
        naive = self.naive
        is_granted = (
            is_host and seat < naive.rules.players and naive.phase() != OVER
            and (naive.kinds[seat] != PERSON or is_away)
        )  # fmt: skip
        role = Role(0, is_host)
        self.wish(is_granted, lambda: self.table.fill(role, seat, agent, is_away=is_away))
        if is_granted:
            naive.seat_changes(seat, AGENT)

    @rule(is_host=st.booleans())
    def begin(self, is_host):
        is_granted = is_host and self.naive.phase() == WAITING
        self.wish(is_granted, lambda: self.table.start(Role(0, is_host)))
        self.naive.is_started |= is_granted

    @invariant()
    def the_naive_table_is_the_same(self):
        naive, table = self.naive, self.table
        game = naive.game()
        assert table.phase == naive.phase()
        assert [seat.kind for seat in table.seats] == naive.kinds
        assert (table.turn, table.undos) == (len(naive.line), naive.undos)
        wish = (table.asked.seat, table.asked.turn, table.asked.agreed) if table.asked else None
        assert wish == naive.wish
        played = [[5 * h.card[0] + h.card[1] for h in hand if h] for hand in game.hands]
        assert table.game.hands == played
        assert table.game.mover == game.mover
        assert table.game.legal_moves == game.legal_moves()
        assert table.game.score == game.score()
        memories = {k + 1: memory for k, (_, _, memory) in enumerate(naive.line) if memory}
        assert {turn: kept.data for turn, kept in table.memories.items()} == memories

    @invariant()
    def its_events_rebuild_it(self):
        again = Table.replay(self.table.opening, self.happened)
        assert state_of(again) == state_of(self.table)


def state_of(table: Table) -> tuple[Any, ...]:
    """All that there is to know of a table."""
    return (
        table.game.to_text(), int(table.game.record.seed), tuple(table.seats), table.options,
        table.is_started, table.undos, table.revision, table.asked, tuple(table.memories.items()),
    )  # fmt: skip


TestTablesAgree = TablesAgree.TestCase
TestTablesAgree.settings = settings(
    max_examples=max(5, scaled(120)), stateful_step_count=40, deadline=None, derandomize=True
)
