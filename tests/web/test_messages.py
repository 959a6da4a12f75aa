"""Frames: every kind is read, and whatever is wrong is a FrameError that names the place."""

import json
from random import Random

import pytest

from tamaya.web import messages
from tamaya.web.messages import FrameError, Message, Written, dump, parse_frame

TABLE, SECRET = "abcdefgh234567zz", "A" * 11 + "_-" + "9" * 9

FRAMES = [
    ({"type": "hello", "table": TABLE}, messages.Hello(None, TABLE, None, None, None)),
    (
        {"type": "hello", "table": TABLE, "token": SECRET, "invite": None, "name": "Ann", "id": 3},
        messages.Hello(3, TABLE, SECRET, None, "Ann"),
    ),
    (
        {"type": "hello", "table": TABLE, "person": SECRET},
        messages.Hello(None, TABLE, None, None, None, SECRET),
    ),
    ({"type": "sit", "seat": 4, "name": "  Zoë  B. "}, messages.Sit(None, 4, "Zoë B.")),
    ({"type": "leave", "id": 0}, messages.Leave(0)),
    ({"type": "start"}, messages.Start(None)),
    ({"type": "fill", "seat": 1, "agent": "smartbot"}, messages.Fill(None, 1, "smartbot", {})),
    (
        {"type": "fill", "seat": 1, "agent": "search", "params": {"ms": 0.5, "keep": True,
                                                                  "blueprint": "piers"}},
        messages.Fill(None, 1, "search", {"ms": 0.5, "keep": True, "blueprint": "piers"}),
    ),
    ({"type": "move", "turn": 12, "move": "h2W"}, messages.Move(None, 12, "h2W")),
    ({"type": "look", "turn": 0}, messages.Look(None, 0)),
    ({"type": "undo", "turn": 160}, messages.Undo(None, 160)),
    ({"type": "agree", "yes": False}, messages.Agree(None, False)),
    ({"type": "advise", "turn": 5}, messages.Advise(None, 5, None)),
    ({"type": "advise", "turn": 5, "agent": "piers"}, messages.Advise(None, 5, "piers")),
    ({"type": "why", "turn": 5, "seat": 2}, messages.Why(None, 5, 2)),
    ({"type": "pace", "ms": 5000}, messages.Pace(None, 5000)),
    ({"type": "pause", "on": True}, messages.Pause(None, True)),
    ({"type": "step"}, messages.Step(None)),
    ({"type": "again"}, messages.Again(None)),
]  # fmt: skip


@pytest.mark.parametrize(("frame", "message"), FRAMES, ids=lambda value: str(value)[:40])
def test_every_kind_of_frame_is_read(frame, message):
    assert parse_frame(json.dumps(frame)) == message


def error_of(text: str) -> FrameError:
    """The error of a frame."""
    with pytest.raises(FrameError) as caught:
        parse_frame(text)
    return caught.value


@pytest.mark.parametrize(("frame", "place", "reason"), [
    ("[1]", "document", "an object"),
    ("5", "document", "an object"),
    ("{", "document", "not JSON"),
    ("", "document", "not JSON"),
    ("{}", "type", "missing"),
    ('{"type": 3}', "type", "a text"),
    ('{"type": "dance"}', "type", "'dance' is not a type"),
    ('{"type": "look", "turn": 1, "turn": 2}', "document", "'turn' occurs twice"),
    ('{"type": "look", "turn": NaN}', "document", "NaN"),
    ('{"type": "look", "turn": -Infinity}', "document", "Infinity"),
    ('{"type": "look", "turn": 1e400}', "turn", "a whole number"),
    ('{"type": "look", "turn": 1.0}', "turn", "a whole number"),
    ('{"type": "look", "turn": true}', "turn", "a whole number"),
    ('{"type": "look", "turn": -1}', "turn", "does not exist"),
    ('{"type": "look", "turn": 161}', "turn", "does not exist"),
    ('{"type": "look", "turn": ' + "9" * 20 + "}", "turn", "a huge number"),
    ('{"type": "look", "turn": ' + "9" * 5000 + "}", "document", "too long"),
    ('{"type": "look", "turn": ' + "[" * 90 + "]" * 90 + "}", "turn", "a whole number"),
    ('{"type": "look", "turn": ' + "[" * 30000 + "]" * 30000 + "}", "document", "brackets"),
    ('{"type": "look", "turn": 1, "deck": []}', "document", "'deck' is not a field"),
    ('{"type": "look", "turn": 1' + " " * 70000 + "}", "document", "longer"),
    ('{"type": "move", "turn": 1, "move": "x"}', "move", "not a move"),
    ('{"type": "move", "turn": 1, "move": "p0\\n"}', "move", "not a move"),
    ('{"type": "move", "turn": 1, "move": "h\\u06615"}', "move", "not a move"),
    ('{"type": "sit", "seat": 5, "name": "A"}', "seat", "0 to 4"),
    ('{"type": "sit", "seat": 0, "name": ""}', "name", "1 to 40"),
    ('{"type": "sit", "seat": 0, "name": " "}', "name", "1 to 40"),
    ('{"type": "sit", "seat": 0, "name": "' + "a" * 41 + '"}', "name", "1 to 40"),
    ('{"type": "sit", "seat": 0, "name": "A\\u0000"}', "name", "U[+]0000"),
    ('{"type": "sit", "seat": 0, "name": "A\\u202eB"}', "name", "U[+]202E"),
    ('{"type": "sit", "seat": 0, "name": "A\\u2066"}', "name", "U[+]2066"),
    ('{"type": "sit", "seat": 0, "name": "\\ud800"}', "name", "U[+]D800"),
    ('{"type": "hello", "table": "../etc/passwd"}', "table", "not the id"),
    ('{"type": "hello", "table": "ABCDEFGH234567ZZ"}', "table", "not the id"),
    ('{"type": "hello", "table": "abcdefgh234567zz", "token": "short"}', "token", "22 letters"),
    ('{"type": "fill", "seat": 0, "agent": "search:blueprint=/tmp/x.py"}', "agent", "the name"),
    ('{"type": "fill", "seat": 0, "agent": "a/b"}', "agent", "the name"),
    ('{"type": "fill", "seat": 0, "agent": "' + "a" * 101 + '"}', "agent", "the name"),
    ('{"type": "fill", "seat": 0, "agent": "a", "params": {"b": []}}', "params.b", "a list"),
    ('{"type": "fill", "seat": 0, "agent": "a", "params": {"b": 1e999}}', "params.b", "too large"),
    ('{"type": "fill", "seat": 0, "agent": "a", "params": {"b c": 1}}', "params", "'b c'"),
    ('{"type": "fill", "seat": 0, "agent": "a", "params": {"b": "/tmp/x"}}', "params.b", "name"),
    ('{"type": "fill", "seat": 0, "agent": "a", "params": {"rules": "/"}}', "params.rules", "list"),
    ('{"type": "pace", "ms": 99}', "ms", "100 to 5000"),
    ('{"type": "pause", "on": 1}', "on", "true or false"),
    ('{"type": "step", "id": -1}', "id", "does not exist"),
])  # fmt: skip
def test_what_is_wrong_is_named(frame, place, reason):
    error = error_of(frame)
    assert (error.code, error.place) == ("bad_frame", place)
    with pytest.raises(FrameError, match=reason):
        raise error


def test_too_many_parameters_are_refused():
    params = {f"p{k}": k for k in range(41)}
    frame = {"type": "fill", "seat": 0, "agent": "a", "params": params}
    assert error_of(json.dumps(frame)).place == "params"


def test_errors_carry_the_number_of_the_frame():
    assert error_of('{"type": "look", "id": 7}').re == 7
    assert error_of('{"type": "look", "id": "7"}').re is None


def test_no_secret_gets_into_a_message():
    for name in ("token", "invite", "person"):
        frame = {"type": "hello", "table": TABLE, name: SECRET + "x"}
        assert SECRET not in str(error_of(json.dumps(frame)))


# Anything at all.


def mangled(rng: Random) -> str:
    """A frame with something wrong with it, or nothing."""
    frame = dict(rng.choice(FRAMES)[0])
    odd = [None, True, -1, 0, 4, 3.5, 10**30, "", "p0", "é\u202e", "\ud800", [], {}, [[{}]],
           {"a": {"b": []}}, TABLE, SECRET, "x" * 200, 1e308]  # fmt: skip
    for _ in range(rng.randrange(4)):
        name = rng.choice([*frame, "turn", "seat", "params", "zzz", ""])
        frame[name] = rng.choice(odd)
        if rng.random() < 0.2:
            del frame[name]
    text = json.dumps(frame, ensure_ascii=rng.random() < 0.5)
    for _ in range(rng.choice([0, 0, 0, 1, 2, 5])):
        place = rng.randrange(len(text) + 1)
        cut = rng.randrange(3)
        junk = rng.choice(
            ['"', "{", "}", "[" * 40, ",", ":", "1e9", "NaN", "\\", "\x00", "\U0001f386"]
        )
        text = text[:place] + junk + text[place + cut :]
    return text


def test_ten_thousand_frames_raise_nothing_but_frame_errors():
    rng, n_read = Random(11), 0
    for _ in range(10_000):
        text = mangled(rng)
        try:
            message = parse_frame(text)
            assert isinstance(message, Message)
            n_read += 1
        except FrameError as error:
            assert error.code and error.text and error.place
            dump({"type": "error", "code": error.code, "text": error.text, "place": error.place})
    assert 1000 < n_read < 9000


# What is sent.


def test_equal_frames_have_the_same_text():
    assert dump({"b": [1, 2], "a": "é"}) == '{"a":"\\u00e9","b":[1,2]}'
    with pytest.raises(ValueError, match="JSON"):
        dump({"a": float("nan")})


@pytest.mark.parametrize("names", [["past"], ["a", "past", "z"], ["a", "b", "past"], ["past", "z"]])
def test_a_list_that_is_written_already_reads_the_same(names):
    values = [{"turn": 1}, {"turn": 2}]
    frame = {name: {"y": 1, "x": [0]} for name in names}
    written = Written(values, json.dumps(values, separators=(",", ":")))
    assert dump(frame | {"past": written}) == dump(frame | {"past": values})
    assert written == values


def test_an_empty_frame_is_a_frame():
    assert dump({}) == "{}"


def test_lists_of_rules_are_texts_of_their_own():
    rules = "PlaySafeCard,IfLives>1:PlayProbablySafe(0.6),TellRandomly"
    frame = {"type": "fill", "seat": 1, "agent": "rules", "params": {"rules": rules}}
    assert parse_frame(json.dumps(frame)).params == {"rules": rules}
