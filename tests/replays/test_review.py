"""A review: few deals for all turns first, the turn in focus before them, cancelled in between."""

import pytest

from tamaya.game import Game
from tamaya.replays.analyst import Analyst
from tamaya.replays.marks import Mark
from tamaya.replays.review import PASSES, Review
from tamaya.rules import Rules
from tamaya.store.database import Store


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game(Rules(players=2, colours=2), seed=3)
    for turn in range(8):
        game.apply(game.legal_moves[-1 - turn % 2])
    return game


@pytest.fixture
def store(tmp_path):
    opened = Store(str(tmp_path / "results.db"))
    yield opened
    opened.close()


def review_of(game: Game, store: Store | None = None, open_deals: int = 0) -> Review:
    return Review(Analyst("certainty", 1, store), game, open_deals=open_deals)


def test_passes_follow_each_other(game):
    review = review_of(game)
    rows = list(review.values())
    assert [row.deals for row in rows if row.turn == 1] == list(PASSES)
    others = [row.deals for row in rows if row.turn != 1]
    assert others == sorted(others) and len(others) == 7 * 3
    assert review.rows == {row.turn: row for row in rows[-7:]} | {1: rows[2]}
    assert list(review.rows.values()) != []
    assert review.progress.done == review.progress.of == 24
    wanted = Analyst("certainty", 1).analyse(game, deals=300)
    assert [review.rows[turn] for turn in range(1, 9)] == wanted


def test_the_turn_in_focus_goes_first(game):
    review = review_of(game)
    seen = []
    for row in review.values():
        seen.append((row.turn, row.deals))
        if len(seen) == 4:
            review.focus(6)
    assert seen[4:7] == [(6, deals) for deals in PASSES]
    with pytest.raises(ValueError, match="turn 9 is not one of this game"):
        review.focus(9)


def test_it_stops_between_slices_and_goes_on_from_there(game, store):
    review = review_of(game, store)
    for n, _ in enumerate(review.values(), 1):
        if n == 10:
            review.cancel()
    assert n == 10
    done = review.analyst.n_weighed
    again = review_of(game, store)
    kept = []
    for row in again.values():
        kept.append(row)
    assert {row.turn for row in kept[:8]} == set(range(1, 9))  # at once, from the store
    assert again.analyst.n_weighed + done == 8 * 300
    assert again.rows == {row.turn: row for row in Analyst("certainty", 1).analyse(game, deals=300)}


def test_a_kept_game_is_there_at_once(game, store):
    list(review_of(game, store).values())
    again = review_of(game, store)
    assert [row.deals for row in again.values()] == [300] * 8
    assert again.analyst.n_weighed == 0


def test_more_deals_of_a_turn_come_back_from_the_store(game, store):
    review = review_of(game, store)
    review.more(2, 2500)  # ends within a cell of 400 deals
    rows = list(review.values())
    again = review_of(game, store)
    kept = {row.turn: row for row in again.values()}
    assert {turn: row.deals for turn, row in kept.items()} == dict.fromkeys(range(1, 9), 300) | {
        2: 2500
    }
    assert kept[2] == rows[-1] and again.analyst.n_weighed == 0


def test_open_turns_get_more_and_whoever_asks(game):
    review = review_of(game, open_deals=1200)
    list(review.values())
    for row in review.rows.values():
        assert row.deals in (300, 600, 900, 1200)
        assert row.mark is not Mark.OPEN or row.deals == 1200
    turn = next(turn for turn, row in review.rows.items() if row.deals == 300)
    review.more(turn, 400)
    assert [(row.turn, row.deals) for row in review.values()][-1] == (turn, 400)
    assert review.rows[turn] == Analyst("certainty", 1).weigh(game, turn, 400)
    review.more(turn, 10**9)
    review.cancel()
    assert review._wanted[turn] == 8000
