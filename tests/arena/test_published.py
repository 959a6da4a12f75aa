"""Published tables: values typed again from the documents, sums over whole tables, faulty files.

The sums were taken from the text of the documents with awk, in hundredths of a point.
"""

import pytest

from tamaya.arena.published import (
    ALL_SIZES,
    PublishedRow,
    load_table,
    parse_table,
    row_notes,
    table_names,
)
from tamaya.rules import Rules

CELLS = {
    "bouzy-1": 48,
    "bouzy-2": 7,
    "bouzy-3": 24,
    "bouzy-4": 42,
    "canaan-1": 8,
    "canaan-3": 12,
    "canaan-5": 15,
    "canaan-6": 15,
    "challenge-1": 25,
    "sparta-1": 13,
}


def row_of(table: str, row: str, players: int, hand_size: int = 0) -> PublishedRow:
    """The only row of a table with these labels."""
    (found,) = [
        entry
        for entry in load_table(table).rows
        if (entry.row, entry.players, entry.hand_size) == (row, players, hand_size)
    ]
    return found


def hundredths(table: str, row: str, players: int) -> int:
    """Sum over the hand sizes of a row, in hundredths of a point."""
    return sum(
        round(100 * entry.published)
        for entry in load_table(table).rows
        if entry.row == row and entry.players == players
    )


def test_all_tables_are_there():
    assert table_names() == sorted(CELLS)


@pytest.mark.parametrize("name", CELLS)
def test_every_table_loads(name):
    table = load_table(name)
    assert table.name == name
    assert table.title
    assert table.note
    assert len(table.rows) == CELLS[name]


@pytest.mark.parametrize("name", CELLS)
def test_citations_name_the_table(name):
    author, number = name.split("-")
    citation = load_table(name).citation
    if author == "canaan":
        number = {"1": "I", "3": "III", "5": "V", "6": "VI"}[number]
    names = {"challenge": "Bard", "sparta": "Lerer"}
    assert citation.startswith(names.get(author, author.capitalize()))
    if author != "sparta":  # of several places
        assert citation.endswith(f"Table {number}")


def test_every_figure_of_search_says_where_it_was_found():
    rows = load_table("sparta-1").rows
    assert all(row.row.endswith(("[text]", "[2nd]", "[recall]")) for row in rows)
    assert row_of("sparta-1", "SmartBot, one seat [recall]", 2).published == 24.21
    assert row_of("sparta-1", "SmartBot, naively [2nd]", 2).published == 14.41
    assert hundredths("sparta-1", "WTFWThat, one seat [recall]", 4) == 2496


@pytest.mark.parametrize("name", CELLS)
def test_rules_parse(name):
    table = load_table(name)
    Rules.parse(table.rules)
    for row in table.rows:
        played = row.rules_played()
        assert [rules.players for rules in played] == (
            [2, 3, 4, 5] if row.players == ALL_SIZES else [row.players]
        )
        for rules in played:
            assert rules.hand_size == (row.hand_size or Rules(players=rules.players).hand_size)


@pytest.mark.parametrize(
    ("row", "players", "published", "published_se", "percent", "regime"),
    [
        ("SmartBot", 2, 22.99, 0.00, 29.6, ""),
        ("SmartBot", 4, 22.19, 0.00, 2.076, ""),
        ("SmartBot", 5, 20.25, 0.00, 0.0043, ""),
        ("FireFlower", 3, 21.05, 0.25, 40.2, ""),
        ("FireFlower", 4, 21.78, 0.19, 26.5, ""),
        ("HatBot", 5, 22.56, 0.06, 14.7, ""),
        ("WTFWThat", 2, 19.45, 0.03, 0.28, ""),
        ("WTFWThat", 4, 24.83, 0.01, 87.2, ""),
        ("WTFWThat", 5, 24.89, 0.00, 91.5, ""),
        ("Rainbow", 2, 20.64, 0.22, 2.5, "SL"),
        ("Rainbow", 5, 15.26, 0.18, 0, "SL"),
        ("ACHA", 3, 20.24, 0.15, 1.1, "UL"),
        ("ACHA", 5, 16.80, 0.13, 0, "UL"),
        ("BAD", 2, 23.92, 0.01, 58.6, "UL"),
    ],
)
def test_challenge_1(row, players, published, published_se, percent, regime):
    found = row_of("challenge-1", row, players)
    assert (found.published, found.published_se) == (published, published_se)
    assert found.perfect == pytest.approx(percent / 100)
    assert found.regime == regime
    assert found.se_derived == (row == "FireFlower")  # printed: less than its games allow


def test_challenge_1_has_only_the_printed_cells():
    players = {}
    for row in load_table("challenge-1").rows:
        players.setdefault(row.row, []).append(row.players)
    everywhere = [2, 3, 4, 5]
    assert players == {
        "SmartBot": everywhere,
        "FireFlower": [2, 3, 4],
        "HatBot": [5],
        "WTFWThat": everywhere,
        "Rainbow": everywhere,
        "PPO, as Rainbow": everywhere,
        "ACHA": everywhere,
        "BAD": [2],
    }


@pytest.mark.parametrize(
    ("row", "players", "published", "protocol", "pool"),
    [
        ("Osawa", 2, 15.85, "mirror", ""),
        ("Van den Bergh", 3, 15.4, "mirror", ""),
        ("Eger", 2, 17.1, "mirror", ""),
        ("Eger, human play", 2, 14.99, "human", ""),
        ("Cox", 5, 24.68, "mirror", ""),
        ("Bouzy, confidence", ALL_SIZES, 18.16, "mirror", ""),
        ("Bouzy, tree search with confidence", ALL_SIZES, 20.22, "search", ""),
        ("Walton-Rivers (Piers)", ALL_SIZES, 11.18, "mixed", "W-2017"),
    ],
)
def test_canaan_1(row, players, published, protocol, pool):
    found = row_of("canaan-1", row, players)
    assert (found.published, found.protocol, found.pool) == (published, protocol, pool)
    assert found.agent or found.partner  # every row has something behind it


@pytest.mark.parametrize(
    ("row", "table", "label"),
    [
        ("Bouzy, confidence", "bouzy-1", "confidence"),
        ("Bouzy, tree search with confidence", "bouzy-4", "confidence"),
    ],
)
def test_canaan_1_quotes_the_means_of_bouzy(row, table, label):
    cells = [row_of(table, label, n, m).published for n, m in ((2, 5), (3, 5), (4, 4), (5, 4))]
    assert row_of("canaan-1", row, ALL_SIZES).published == pytest.approx(sum(cells) / 4, abs=0.0051)


@pytest.mark.parametrize(
    ("row", "agent", "theirs", "ours", "published_se"),
    [
        ("IGGI", "iggi-c", 10.96, 10.98, 0.06),
        ("Outer", "internal", 10.2, 9.70, 0.05),
        ("Legal Random", "legal-random", 4.59, 4.52, 0.04),
        ("Van Den Bergh", "van-den-bergh-c", 10.88, 11.02, 0.06),
        ("Flawed", "flawed", 5.02, 4.46, 0.04),
        ("Piers", "piers", 11.18, 11.28, 0.06),
    ],
)
def test_canaan_3(row, agent, theirs, ours, published_se):
    found = row_of("canaan-3", row, ALL_SIZES)
    assert (found.agent, found.pool, found.games) == (agent, "C", 4 * 7 * 400)
    assert (found.published, found.published_se) == (ours, published_se)
    quoted = row_of("canaan-3", f"{row}, Walton-Rivers", ALL_SIZES)
    assert (quoted.published, quoted.published_se, quoted.pool) == (theirs, None, "W-2017")


@pytest.mark.parametrize(
    ("table", "row", "mean", "two", "five", "sum_of_sizes"),
    [
        ("canaan-5", "MirrorOld", 18.38, 19.35, 17.02, 7354),
        ("canaan-5", "MirrorNew", 19.07, 19.61, 17.87, 7627),
        ("canaan-5", "MirrorSituational", 19.32, 20.07, 18.29, 7730),
        ("canaan-6", "MixedOld", 11.45, 12.13, 10.55, 4581),
        ("canaan-6", "MixedNew", 11.50, 12.11, 10.56, 4601),
        ("canaan-6", "MixedSituational", 11.65, 12.38, 10.72, 4661),
    ],
)
def test_canaan_5_and_6(table, row, mean, two, five, sum_of_sizes):
    average = row_of(table, row, ALL_SIZES)
    assert (average.published, average.published_se, average.se_derived) == (mean, 0.02, False)
    assert average.games == {"canaan-5": 4 * 2000, "canaan-6": 4 * 7 * 2000}[table]
    assert row_of(table, row, 2).published == two
    assert row_of(table, row, 5).published == five
    assert sum(hundredths(table, row, players) for players in (2, 3, 4, 5)) == sum_of_sizes
    assert sum_of_sizes / 400 == pytest.approx(mean, abs=0.0051)
    assert all(row_of(table, row, players).se_derived for players in (2, 3, 4, 5))


BOUZY_SUMS = {
    "bouzy-1": {
        "certainty": [3212, 3944, 4321, 4234],
        "confidence": [4943, 5642, 5785, 5662],
        "hat recommendation": [5050, 7044, 6952, 6684],
        "hat information": [1909, 5707, 7333, 7361],
    },
    "bouzy-3": {
        "RECOMPROG": [7088, 7395, 7443, 7440],
        "hat info decision": [7277, 7418, 7445, 7418],
    },
    "bouzy-4": {
        "confidence": [5762, 6225, 6227, 6039],
        "hat recommendation": [5231, 7322, 7339, 7124],
        "hat information": [0, 0, 7459, 7453],
        "RECOMPROG": [7247, 7459, 7490, 7490],
    },
}


@pytest.mark.parametrize("table", BOUZY_SUMS)
def test_sums_over_the_hand_sizes_of_bouzy(table):
    labels = {row.row for row in load_table(table).rows}
    assert {
        label: [hundredths(table, label, players) for players in (2, 3, 4, 5)] for label in labels
    } == BOUZY_SUMS[table]


@pytest.mark.parametrize(
    ("table", "row", "players", "hand_size", "published"),
    [
        ("bouzy-1", "certainty", 2, 3, 10.31),
        ("bouzy-1", "certainty", 5, 5, 12.77),
        ("bouzy-1", "confidence", 3, 4, 19.18),
        ("bouzy-1", "confidence", 5, 3, 20.57),
        ("bouzy-1", "hat recommendation", 4, 4, 23.48),
        ("bouzy-1", "hat recommendation", 5, 4, 22.61),
        ("bouzy-1", "hat information", 2, 5, 6.72),
        ("bouzy-1", "hat information", 4, 3, 24.27),
        ("bouzy-3", "RECOMPROG", 2, 3, 22.10),
        ("bouzy-3", "RECOMPROG", 3, 5, 24.95),
        ("bouzy-3", "RECOMPROG", 5, 4, 24.86),
        ("bouzy-3", "hat info decision", 2, 4, 24.47),
        ("bouzy-3", "hat info decision", 4, 3, 24.69),
        ("bouzy-3", "hat info decision", 5, 5, 24.60),
        ("bouzy-4", "confidence", 2, 4, 19.42),
        ("bouzy-4", "confidence", 5, 5, 17.97),
        ("bouzy-4", "hat recommendation", 3, 5, 24.70),
        ("bouzy-4", "hat recommendation", 5, 3, 24.26),
        ("bouzy-4", "hat information", 5, 5, 24.76),
        ("bouzy-4", "RECOMPROG", 3, 4, 24.97),
    ],
)
def test_bouzy_means(table, row, players, hand_size, published):
    found = row_of(table, row, players, hand_size)
    assert found.published == published
    assert found.games == (100 if table == "bouzy-4" else 10_000)


@pytest.mark.parametrize("table", BOUZY_SUMS)
def test_bouzy_plays_all_hand_sizes(table):
    cells = {(row.players, row.hand_size) for row in load_table(table).rows}
    assert cells == {(n, m) for n in (2, 3, 4, 5) for m in (3, 4, 5)}


def test_bouzy_2():
    shares = {row.score: row.published for row in load_table("bouzy-2").rows}
    percent = {19: 0.01, 20: 0.05, 21: 0.17, 22: 1.19, 23: 3.62, 24: 13.66, 25: 81.30}
    assert shares == pytest.approx({score: share / 100 for score, share in percent.items()})
    assert sum(shares.values()) == pytest.approx(1)


def test_bouzy_1_and_2_agree():
    rows = load_table("bouzy-2").rows
    mean = sum((row.score or 0) * row.published for row in rows)
    spread = sum(((row.score or 0) - mean) ** 2 * row.published for row in rows) ** 0.5
    cell = row_of("bouzy-1", "hat information", 5, 4)
    assert int(100 * mean) / 100 == cell.published == 24.74
    assert cell.published_se == pytest.approx(spread / 100, abs=5e-5)
    assert cell.perfect == 0.813


@pytest.mark.parametrize(
    ("row", "percents"),
    [("hat information", [72, 96, 91, 85, 92, 76]), ("RECOMPROG", [91, 100, 99, 96, 98, 96])],
)
def test_bouzy_4_perfect_games(row, percents):
    cells = [row_of("bouzy-4", row, n, m) for n in (4, 5) for m in (3, 4, 5)]
    assert [cell.perfect for cell in cells] == [percent / 100 for percent in percents]
    for cell, percent in zip(cells, percents, strict=True):
        assert cell.published == pytest.approx(24 + percent / 100)
        if percent == 100:
            assert cell.published_se is None
        else:
            spread = (percent / 100 * (1 - percent / 100)) ** 0.5
            assert cell.published_se == pytest.approx(spread / 99**0.5, abs=5e-4)


def test_only_seers_see_their_own_cards():
    for name in table_names():
        for row in load_table(name).rows:
            is_seer = row.rules_played()[0].observation == "seer"
            assert is_seer == ("seer" in row.agent)


@pytest.mark.parametrize("name", ["bouzy1", "no such table", "../rules"])
def test_unknown_tables_are_refused_with_the_names(name):
    with pytest.raises(ValueError, match=r"bouzy-1, bouzy-2, .*challenge-1"):
        load_table(name)


def test_a_close_name_is_suggested():
    with pytest.raises(ValueError, match="did you mean 'canaan-5'"):
        load_table("canan-5")


HEAD = """
name = "demo"
title = "Demo"
citation = "Nobody, Nowhere, 2020, Table 1"
protocol = "selfplay"
games = 100
rules = "bomb=keep"
note = \"\"\"Two
lines.\"\"\"
"""
ROW = 'row = "a", agent = "example", players = 2, hand_size = 0, published = 20'


def demo(head: str = HEAD, row: str = ROW) -> str:
    return f"{head}\nrows = [{{ {row} }}]\n"


def test_rows_inherit_from_their_table():
    table = parse_table("demo", demo())
    assert table.note == "Two lines."
    assert table.rows == (
        PublishedRow("a", "example", 2, 0, 20.0, protocol="selfplay", games=100, rules="bomb=keep"),
    )
    assert table.rows[0].rules_played() == [Rules(players=2, bomb="keep")]


def test_notes_of_rows_are_listed_once():
    rows = [f"{{ {ROW.replace('players = 2', f'players = {n}')}, note = 'odd' }}" for n in (2, 3)]
    other = ROW.replace('"a"', '"b"')
    table = parse_table("demo", f"{HEAD}\nrows = [{', '.join(rows)}, {{ {other} }}]")
    assert row_notes(table.rows) == ["a: odd"]
    assert row_notes(table.rows[2:]) == []


def test_rows_overrule_their_table():
    text = demo(row=f'{ROW}, games = 7, rules = "", protocol = "mixed", pool = "W"')
    row = parse_table("demo", text).rows[0]
    assert (row.games, row.rules, row.protocol, row.pool) == (7, "", "mixed", "W")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (demo(HEAD + 'author = "x"'), "table 'demo': unknown key 'author'"),
        (demo(HEAD.replace("games = 100", "")), "table 'demo': key 'games' is missing"),
        (demo(HEAD.replace("100", '"many"')), "games must be of type int, not 'many'"),
        (demo(HEAD.replace("100", "true")), "games must be of type int, not True"),
        (demo(HEAD.replace("100", "-1")), "row 1: games must not be negative"),
        (demo(HEAD.replace('"demo"', '"other"')), "the file calls it 'other'"),
        (demo(HEAD.replace("selfplay", "solo")), "row 1: protocol must be one of"),
        (demo(HEAD.replace("bomb=keep", "bombs=keep")), "row 1: 'bombs=keep' is not a rule"),
        (demo(HEAD.replace("bomb=keep", "players=3")), "row 1: players and hand_size are keys"),
        (HEAD, "rows must be a list"),
        (HEAD + "rows = []", "rows must be a list"),
        (HEAD + "rows = [3]", "row 1: expected a table of keys, not 3"),
        (HEAD + f"rows = [{{ {ROW} }}, {{ {ROW} }}]", "2 rows for"),
        (HEAD + "rows = [", "table 'demo': Invalid value"),
        (demo(row=ROW + ", mean = 3"), "row 1: unknown key 'mean'"),
        (demo(row=ROW + ', partner = "x"'), "row 1: partner belongs in human play, and only there"),
        (demo(HEAD.replace("selfplay", "human")), "row 1: partner belongs in human play"),
        (
            demo(HEAD.replace("selfplay", "human"), ROW + ', partner = "x"'),
            "row 1: agent must be empty in human play, not 'example'",
        ),
        (demo(row=ROW.replace("players = 2, ", "")), "row 1: key 'players' is missing"),
        (demo(row=ROW.replace("= 20", '= "20"')), "row 1: published must be of type float"),
        (demo(row=ROW.replace("= 20", "= 26")), "row 1: published must be a score or a share"),
        (demo(row=ROW.replace("players = 2", "players = 6")), "row 1: players must be 0 or 2 to 5"),
        (demo(row=ROW + ", perfect = 58.6"), "row 1: perfect must be a share"),
        (demo(row=ROW + ", published_se = -1"), "row 1: published_se must not be negative"),
        (demo(row=ROW + ", se_derived = true"), "row 1: se_derived needs a published_se"),
        (demo(row=ROW + ", score = 20"), "row 1: score belongs in a histogram"),
        (demo(row=ROW + ', pool = "W"'), "row 1: pool must be one of W, W-2017, C in mixed"),
        (
            demo(row=ROW + ', protocol = "mixed"'),
            "row 1: pool must be one of W, W-2017, C in mixed",
        ),
    ],
)
def test_faulty_files_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_table("demo", text)
