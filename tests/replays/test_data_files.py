"""Files of many games: lines of JSON and the arrays of AH2AC2, whole or by place."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from support import play_randomly
from tamaya.game import Game
from tamaya.replays import ReplayError, all_games, read_game, to_json
from tamaya.replays.data_files import read_data, read_data_game, split_place
from tamaya.replays.files import read_games
from tamaya.replays.safetensors import read_arrays
from tamaya.rules import Rules

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
KEPT = Rules(players=2, bomb="keep", discard_at_full=True)


def line_of(game: Game, **more: Any) -> dict[str, Any]:
    return {"id": "a", "players": game.rules.players, "deck": game.deck, "moves": game.moves,
            "starts": int(game.record.start), "score": game.points, **more}  # fmt: skip


@pytest.fixture
def games() -> list[Game]:
    return [play_randomly(Game(KEPT, seed=k, start=k % 2), Random(k)) for k in range(3)]


@pytest.fixture
def lines(games, tmp_path) -> Path:
    path = tmp_path / "games.jsonl.gz"
    rows = [json.dumps(line_of(game, partner="outer", survey={"exp": "new"})) for game in games]
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    return path


def write_arrays(path: Path, arrays: dict[str, np.ndarray], **header: Any) -> None:
    entries, data = dict(header), b""
    for name, array in arrays.items():
        first = len(data)
        data += array.tobytes()
        entries[name] = {"dtype": "I32", "shape": list(array.shape),
                         "data_offsets": [first, len(data)]}  # fmt: skip
    text = json.dumps(entries).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def arrays_of(games: list[Game]) -> dict[str, np.ndarray]:
    rules, n = games[0].rules, len(games)
    actions = np.full((n, 89, rules.players), rules.n_moves, np.int32)
    for k, game in enumerate(games):
        for turn, move in enumerate(game.moves):
            actions[k, turn, turn % rules.players] = move
    decks = np.array([[divmod(card, 5) for card in game.deck] for game in games], np.int32)
    return {
        "actions": actions,
        "decks": decks,
        "game_ids": np.arange(100, 100 + n, dtype=np.int32),
        "num_actions": np.array([game.turn for game in games], np.int32),
        "num_players": np.array(rules.players, np.int32),
        "scores": np.array([game.points for game in games], np.int32),
    }


def test_lines_are_games(games, lines):
    found = list(read_data(lines))
    assert [each.game for each in found] == games
    assert [each.name for each in found] == [f"{lines}#{k}" for k in (1, 2, 3)]
    assert found[0].about == {"id": "a", "partner": "outer", "survey": {"exp": "new"}}
    assert read_game(f"{lines}#2") == games[1]
    assert read_data_game(lines, 3).game == games[2]
    assert read_games(lines) == games


def test_rules_are_the_standard_ones_the_experiments_or_those_named(tmp_path):
    path = tmp_path / "games.jsonl"
    standard, small = Game(Rules(players=3), seed=1), Game(Rules(players=2, colours=3), seed=1)
    small.apply("p0")
    rows = [line_of(standard), line_of(small, rules=small.rules.to_text()), to_json(small)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [each.game for each in read_data(path)] == [standard, small, small]


def test_arrays_are_games(tmp_path):
    games = [play_randomly(Game(Rules(players=3), seed=k), Random(k)) for k in range(4)]
    path = tmp_path / "games.safetensors"
    write_arrays(path, arrays_of(games), __metadata__={"by": "nobody"})
    found = list(read_data(path))
    assert [each.game for each in found] == games
    assert [each.about["id"] for each in found] == [100, 101, 102, 103]
    assert read_game(f"{path}#4") == games[3]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deck": []}, "deck: the deck has 0 of "),
        ({"deck": [25] * 50}, "deck[0]: card 25 does not exist: expected 0 to 24"),
        ({"moves": [99]}, "moves[0]: move 99 does not exist: expected 0 to 19"),
        ({"moves": [5, 5] * 60}, "moves["),
        ({"moves": 3}, "moves: expected a list, found 3"),
        ({"score": 24}, "score: 24, but the moves lead to "),
        ({"players": 6}, "players: players 6 does not exist: expected 2 to 5"),
        ({"starts": 2}, "starts: seat 2 does not exist"),
        ({"rules": "players=3"}, "rules: 3 players, not 2"),
        ({"rules": "players=x"}, "players"),
    ],
)
def test_bad_lines_are_named_and_the_others_read(games, tmp_path, changes, message):
    path = tmp_path / "games.jsonl"
    good = line_of(games[0], partner="outer")
    rows = [json.dumps(good | changes), json.dumps(good), "{", "[1]", "9" * 5000, "[" * 50_000]
    path.write_text("\n".join(rows))
    first, second, *others = read_data(path)
    assert first.game is None and message in first.error
    assert second.game == games[0]
    assert [each.game for each in others] == [None] * 4
    with pytest.raises(ReplayError, match=r"games\.jsonl#3: not JSON"):
        read_game(f"{path}#3")
    with pytest.raises(ReplayError, match=r"games\.jsonl#"):
        read_games(path)


def test_damaged_files_keep_what_came_before(games, lines, tmp_path):
    whole = lines.read_bytes()
    lines.write_bytes(whole[:-20])
    (tmp_path / "bad.safetensors").write_bytes(b"\xff" * 40)
    (tmp_path / "game.txt").write_text(games[0].to_text())
    (tmp_path / "other.txt").write_text("nothing")
    (tmp_path / ".hidden").write_text("nothing")
    found = list(all_games([tmp_path, "nowhere.txt"]))
    names = [Path(each.name).name for each in found if each.game is None]
    assert names == ["bad.safetensors", "games.jsonl.gz", "other.txt", "nowhere.txt"]
    assert games[0] in [each.game for each in found]
    reasons = {Path(each.name).name: each.error for each in found}
    assert "damaged after game" in reasons["games.jsonl.gz"]
    assert reasons["nowhere.txt"] == "no such file or directory"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"{", "header: not JSON"),
        (b"[]", "header: expected an object, found a list"),
        (b'{"a": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]}}', "is not an integer type"),
        (b'{"a": {"dtype": "I32", "shape": [2], "data_offsets": [0, 4]}}', "not those of shape"),
        (b'{"a": {"dtype": "I32", "shape": [1], "data_offsets": [0, 99]}}', "place 99 does not"),
        (b'{"a": {"dtype": "I32", "shape": [-1], "data_offsets": [0, 4]}}', "size -1 does not"),
        (b'{"a": {"dtype": "I32", "shape": [1], "data_offsets": [0]}}', "expected begin and end"),
    ],
)
def test_bad_headers_are_named(tmp_path, header, message):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(ReplayError, match=message):
        read_arrays(path)
    with pytest.raises(ReplayError, match=r"bad\.safetensors: "):
        list(read_data(path))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("decks", None, "no array 'decks'"),
        ("decks", np.zeros((1, 49, 2), np.int32), "decks: shape"),
        ("num_players", np.array(9, np.int32), "num_players: 9 players"),
        ("num_players", np.array([], np.int32), "num_players: expected one number"),
        ("num_actions", np.array([90], np.int32), "num_actions: 90 of 89 actions"),
        ("decks", np.full((1, 50, 2), 7, np.int32), "decks: a colour or rank beyond"),
    ],
)
def test_bad_arrays_are_named(tmp_path, name, value, message):
    arrays = arrays_of([play_randomly(Game(Rules(players=3), seed=1), Random(1))])
    if value is None:
        del arrays[name]
    else:
        arrays[name] = value
    path = tmp_path / "bad.safetensors"
    write_arrays(path, arrays)
    try:
        (found,) = read_data(path)
        error = found.error
    except ReplayError as raised:
        error = str(raised)
    assert message in error


def test_places_are_those_of_data_files(lines):
    assert split_place("a/games.jsonl.gz#12") == ("a/games.jsonl.gz", 12)
    for text in ("game.json#1", "games.jsonl.gz", "games.jsonl.gz#x", "games.jsonl#-1"):
        assert split_place(text) is None
    with pytest.raises(ReplayError, match="there is no game 4: it has 1 to 3"):
        read_game(f"{lines}#4")
    with pytest.raises(ReplayError, match=r"it has 3 games; name one of them, as in .*#1"):
        read_game(lines)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no games of people in {DATA}")
@pytest.mark.parametrize(
    ("name", "n"),
    [("human-2p.jsonl.gz", 1873), ("human-3p.jsonl.gz", 170), ("ah2ac2-sample-3p.safetensors", 40)],
)
def test_games_of_people_replay_with_their_scores(name, n):
    found = list(read_data(DATA / name))
    assert [each.error for each in found if each.game is None] == []
    assert len(found) == n
