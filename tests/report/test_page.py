"""The page of a report: what it shows, what it leaves out, and that it stands alone."""

import json
import re
import shlex
from base64 import b64encode
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from typing import Any

import pytest

from support import full_disk, write_run
from tamaya.arena.match import Match
from tamaya.arena.protocols import read_result
from tamaya.cli.adhoc import adhoc
from tamaya.cli.behaviour import behaviour
from tamaya.cli.crossplay import crossplay
from tamaya.cli.curves import curves
from tamaya.cli.gains import gains
from tamaya.cli.mixed import mixed
from tamaya.cli.partners import partners
from tamaya.cli.report import report
from tamaya.cli.reproduce import reproduce
from tamaya.cli.selfplay import selfplay
from tamaya.game import Game
from tamaya.replays import replay_url
from tamaya.report import page as page_module
from tamaya.report.games import ReportGames, find_games
from tamaya.report.page import build_report, write_report
from tamaya.report.scores import selfplay_figures
from tamaya.report.selection import select
from tamaya.report.teams import crosstable_figures
from tamaya.rules import Rules
from tamaya.store.database import Store, StoreError, without_password
from tamaya.table import play

SECTIONS = ("best", "leaderboard", "scores", "crosstables", "mixed", "partners", "adhoc",
            "behaviour", "search", "training", "reproduced")  # fmt: skip
VOID = {"br", "meta", "hr"}


class Reader(HTMLParser):
    """Checks that elements are closed in order, and collects attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []  # element, attribute, value
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, key, value or "") for key, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, key, value or "") for key, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def ids(self) -> list[str]:
        return [value for _, key, value in self.attributes if key == "id"]


def result(number: int, protocol: str, config: dict, document: dict, **more: Any) -> dict:
    """A row as the store gives it."""
    return {"id": number, "protocol": protocol, "name": config.get("agent", protocol),
            "config": config, "document": document, "version": "0.1.0", "seconds": 1.25,
            "created": f"2026-01-{number:02}T10:00:00", **more}  # fmt: skip


def played(number: int, agent: str, mean: float, rules: str = "", players: int = 2) -> dict:
    """A self-play result written by hand: half of 40 games perfect."""
    options = Rules.parse(f"{rules} players={players}").as_dict()
    hand_size = options.pop("hand_size")
    del options["players"]
    row = {"players": players, "hand_size": hand_size, "games": 40, "mean": mean, "se": 0.25,
           "sd": 1.5, "perfect": 0.5, "perfect_interval": [0.352, 0.648], "bombed": 0.125,
           "mean_points_kept": mean + 1, "histogram": [20, *[0] * 24, 20], "moves": 2400,
           "seconds": 0.5}  # fmt: skip
    config = {"agent": agent, "against": "", "rules": rules, "seed": 7, "games": 40,
              "players": str(players)}  # fmt: skip
    document = {"agent": agent, "seed": 7, "rules": options, "results": [row], "seconds": 0.5}
    return result(number, "selfplay", config, document)


def crosstable(number: int, *agents: str) -> dict:
    """A crosstable written by hand."""
    n = len(agents)
    means = [[20.0 if i == j else 4.0 + number for j in range(n)] for i in range(n)]
    best = {name: {"partner": agents[k - 1], "mean": 4.0 + number} for k, name in enumerate(agents)}
    document = {"agents": list(agents), "rules": Rules().as_dict(), "players": 2, "seed": 0,
                "games": 10, "means": means, "errors": [[0.1] * n] * n, "points": means,
                "statistics": {"diagonal": 20.0, "off_diagonal": 4.0 + number,
                               "best_partner": best}, "seconds": 0.1}  # fmt: skip
    config = {"agents": list(agents), "rules": "players=2 hand_size=5", "seed": 0, "games": 10}
    return result(number, "crossplay", config, document, name="2 players")


def reproduction(number: int, *rows: tuple[float, float | None, float | None, str]) -> dict:
    """A reproduced table written by hand, from (published, measured, z, status)."""
    document = {"table": "no-such-table", "rows": [
        {"row": f"agent {k}", "players": 0, "hand_size": 0, "published": published,
         "published_se": 0.1, "measured": measured, "se": None if measured is None else 0.1,
         "games": 0 if measured is None else 100, "z": z, "status": status}
        for k, (published, measured, z, status) in enumerate(rows)]}  # fmt: skip
    config = {"table": "no-such-table", "seed": 0, "games": 0}
    return result(number, "reproduce", config, document, name="no-such-table")


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> str:
    """A store that the real commands filled with a few games."""
    folder = tmp_path_factory.mktemp("store")
    url = str(folder / "results.db")
    selfplay("example", players="2,3", games=60, against="random", store=url)
    selfplay("certainty", players="2,3", games=60, store=url)
    selfplay("random", players="2", games=60, rules="bomb=keep hand_size=3", store=url)
    crossplay(["certainty", "example", "random"], players="2,4", games=20, store=url)
    mixed("certainty", pool="example,random", players="2-3", games=20, store=url)
    partners("example", pool="certainty,random", games=20, store=url)
    adhoc("example", pool="certainty,random", trials=100, store=url)
    behaviour("example", games=30, store=url)
    gains("sparta:blueprint=smartbot,samples=20", games=1, rules="colours=3", check=5, store=url)
    for seed in (1, 2):
        write_run(folder / "runs" / f"seed-{seed}", seed, 10.0 + seed, 14.0 + seed)
    curves([str(folder / "runs")], store=url)
    reproduce("bouzy-1", games=10, store=url)
    return url


@pytest.fixture(scope="module")
def results(store) -> list[dict]:
    opened = Store(store)
    try:
        return opened.results()
    finally:
        opened.close()


@pytest.fixture(scope="module")
def page(results) -> str:
    return build_report(results, "here").html


def test_every_section_of_the_real_commands_is_there(results, page):
    made = build_report(results, "here")
    assert made.sections == SECTIONS
    reader = Reader(page)
    assert set(SECTIONS) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    links = [value for tag, key, value in reader.attributes if (tag, key) == ("a", "href")]
    assert all(link[1:] in reader.ids for link in links)
    assert made.html == page  # the same results, the same page


def test_the_page_stands_alone(page):
    reader = Reader(page)
    for tag, key, value in reader.attributes:
        assert tag not in ("link", "img", "iframe", "image", "use")
        assert key != "style"  # the policy allows none
        if key in ("src", "href", "xlink:href", "action", "poster", "data"):
            assert value.startswith("#"), (tag, key, value)
        if "url(" in value:
            assert value.startswith("url(#")
    assert "http" not in re.sub("http-equiv", "", page)
    assert "@import" not in page and "url(" not in page.partition("</style>")[0]


def test_the_policy_allows_the_own_style_and_script_alone(page, results):
    style = page.partition("<style>")[2].partition("</style>")[0]
    script = page.partition('<script type="module">')[2].partition("</script>")[0]
    policy = build_report(results, "here").policy
    for kind, text in (("style", style), ("script", script)):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy and escape(policy) in page


def test_a_figure_leads_to_its_games(store, results):
    opened = Store(store)
    try:
        html = build_report(results, "here", ReportGames(opened)).html
        shown = {row["document"]["agent"]: row["document"]["results"][0]
                 for row in results[:2]}  # fmt: skip
        match = Match(("certainty",), Rules(players=2), 0)
        found = find_games(match, 60, opened)
        assert find_games(match, 61, opened) == []  # a game that was not played
    finally:
        opened.close()
    reader = Reader(html)
    targets = {value for _, key, value in reader.attributes if key == "popovertarget"}
    assert targets and targets <= set(reader.ids)
    there = [score for score, n in enumerate(shown["certainty"]["histogram"]) if n]
    scores = {one.kind: one.score for one in found}
    assert (scores["best"], scores["worst"]) == (there[-1], there[0])
    assert abs(scores["typical"] - shown["certainty"]["mean"]) <= 1
    for one in found:
        assert one.game is not None and one.game.score == one.score
        assert one.command == f"tamaya watch certainty -p 2 --seed 0 --game {one.number}"
        assert one.game == play("certainty", Rules(players=2), 1, seed=0, first=one.number,
                                record=True).game(0)  # fmt: skip
        assert replay_url(one.game) in html and escape(one.game.to_text()) in html


def test_on_a_server_games_open_in_the_review(store, results):
    opened = Store(store)
    try:
        games = ReportGames(opened, is_served=True)
        made = build_report(results, "here", games)
    finally:
        opened.close()
    assert "hanab.live" not in made.content and "<main" not in made.content
    links = set(re.findall(r'href="/g/([^"]+)"', made.content))
    assert links == set(games.served) and all(re.fullmatch("[a-z2-7]{16}", one) for one in links)
    for one in games.served.values():
        game = Game.parse(one.text)
        assert len(one.agents) == game.rules.players
        again = play(list(one.agents), game.rules, 1, seed=one.seed, first=one.number, record=True)
        assert again.game(0) == game
    assert {"example", "certainty", "random"} == {
        a for g in games.served.values() for a in g.agents
    }
    assert any(len(set(one.agents)) > 1 for one in games.served.values())  # cells of a crosstable


def test_other_rules_and_families_fold(results):
    strange = [played(50, "certainty", 3.0, "bomb=keep"), played(51, "iggi", 4.0),
               played(52, "cheater", 9.0, players=3)]  # fmt: skip
    page = build_report([*strange, played(53, "iggi", 5.0, players=3)], "here").html
    assert "Other rules: bomb=keep" in page
    first = page.partition("Other rules: bomb=keep")[0]
    assert "certainty" not in first.partition('id="leaderboard"')[2]
    anchors = re.findall(r'href="#(family-[^"]+)"', page)
    assert anchors and set(anchors) <= set(Reader(page).ids)
    shown = page.partition('id="leaderboard"')[2]
    assert shown.index("Rule lists") < shown.index("Files and others")  # which has one size alone


def test_drawings_refer_to_their_own_parts(page):
    reader = Reader(page)
    used = {value[5:-1] for _, _, value in reader.attributes if value.startswith("url(#")}
    assert used <= set(reader.ids)


def test_charts_are_described_and_tables_named(page):
    reader = Reader(page)
    roles = [tag for tag, key, value in reader.attributes if (key, value) == ("role", "img")]
    labels = re.findall(r'role="img" aria-label="([^"]+)"', page)
    assert len(roles) == len(labels) == page.count("<figure")
    assert all(len(label) > 30 for label in labels)
    assert page.count("<table aria-label=") == page.count("<table")
    assert '<html lang="en" data-report>' in page


def test_figures_of_the_store_are_printed(results, page):
    text = " ".join(Reader(page).words)
    row = results[0]["document"]["results"][0]
    assert f"{row['mean']:.3f}" in text
    measured = [row for row in results[-1]["document"]["rows"] if row["measured"] is not None]
    assert f"{measured[0]['measured']:.2f}" in text
    assert "Bouzy, Playing Hanabi Near-Optimally" in text
    assert "no agent here" in text or len(measured) == len(results[-1]["document"]["rows"])


def test_commands_print_the_same_figures_again(results, capsys, tmp_path):
    """The command lines of the page, given to the command line, give the stored documents."""
    from tamaya.cli.main import app

    def figures(document: Any) -> Any:
        if isinstance(document, dict):
            return {key: figures(value) for key, value in document.items()
                    if key not in ("seconds", "pool")}  # fmt: skip
        return [figures(item) for item in document] if isinstance(document, list) else document

    for kept in results:
        line = read_result(kept).command()
        name, *arguments = shlex.split(line)
        assert name == "tamaya"
        capsys.readouterr()
        app([*arguments, "--json", "--store", str(tmp_path / "again.db")], standalone_mode=False)
        printed = json.loads(capsys.readouterr().out)
        again = printed["crosstables"][0] if "crosstables" in printed else printed
        assert figures(again) == figures(kept["document"]), line


def test_sections_are_absent_without_results():
    made = build_report([played(1, "alone", 12.0)], "here")
    assert made.sections == ("best", "leaderboard", "scores")
    for key in SECTIONS[3:]:
        assert f'id="{key}"' not in made.html
    assert build_report([crosstable(1, "a", "b")], "here").sections == ("crosstables",)


def test_the_newest_result_wins():
    made = [
        played(1, "careful", 11.0),
        played(2, "careful", 12.0),
        played(3, "careful", 13.0, "bomb=keep"),
        played(4, "careful", 14.0, players=3),
    ]
    shown = selfplay_figures(select(made))
    assert [figure.data.mean for figure in shown] == [12.0, 13.0, 14.0]
    html = build_report(made, "here").html
    assert "12.000" in html and "13.000" in html and "11.000" not in html
    assert "bomb=keep" in html


def test_a_newer_crosstable_replaces_those_it_contains():
    made = [crosstable(1, "a", "b"), crosstable(2, "c", "d"), crosstable(3, "b", "a", "e")]
    shown = crosstable_figures(select(made))
    assert [figure.stored.id for figure in shown] == [2, 3]


def test_crosstables_are_headed_by_who_plays():
    folder = "runs/of/many/seeds/seed-"
    seeds = [f"{folder}{k}.npz" for k in range(1, 5)]
    words = Reader(
        build_report([crosstable(1, "a", "b"), crosstable(2, *seeds)], "here").html
    ).words
    headings = ("players: a, b", "players: seed-1.npz, seed-2.npz and 2 others")
    assert all(any(heading in word for word in words) for heading in headings)


def test_names_are_escaped(tmp_path):
    name = """<script>alert("1")</script>&'\"</svg>"""
    made = build_report([played(1, name, 12.0), crosstable(2, name, "b")], "<store>")
    assert made.html.count("<script") == 1 and "<store>" not in made.html  # the page's own
    reader = Reader(made.html)
    assert name in reader.words
    assert all(path.suffix == ".svg" for path in write_report(made, tmp_path / "x.html", ["svg"]))


def test_a_run_that_stopped_early_has_a_command_for_each_size():
    kept = played(1, "path/to my.py:bot", 12.0)
    kept["config"].update(games=5000, players="2-3", rules="bomb=keep")
    assert read_result(kept).command() == (
        "tamaya selfplay 'path/to my.py:bot' -p 2 -n 40 --seed 7 --rules bomb=keep"
    )


def test_what_is_not_understood_is_listed():
    broken = played(1, "broken", 12.0)
    del broken["document"]["results"][0]["histogram"]
    made = build_report([broken, result(2, "train", {"agent": "x"}, {})], "here")
    assert made.sections == ("others",)
    assert "KeyError &#x27;histogram&#x27;" in made.html
    assert "this version has no protocol &#x27;train&#x27;" in made.html


def test_protocols_without_a_section_are_listed(monkeypatch):
    left = [entry for entry in page_module._SECTIONS if entry[0] != "crossplay"]
    monkeypatch.setattr(page_module, "_SECTIONS", left)
    made = build_report([crosstable(1, "a", "b")], "here")
    assert made.sections == ("others",)
    assert "the report has no section for this protocol" in made.html


def test_agents_made_for_other_rules_are_not_ranked_but_named():
    made = build_report([
        played(1, "seer-information", 0.0),
        played(2, "hat-recommendation:plain=true", 0.5),
        played(3, "certainty", 15.0),
        played(4, "seer-information", 24.5, "observation=seer"),
        played(5, "nobody-knows", 3.0),
    ], "here")  # fmt: skip
    ranking, others = made.html.partition('id="others"')[::2]
    assert "24.500" in ranking and "nobody-knows" in ranking
    assert "0.000" not in ranking and "hat-recommendation" not in ranking
    assert "the agent is made for observation=seer" in others
    assert "the agent is made for empty_hints=true" in others
    words = Reader(made.html).words
    assert words.count("seer-information") > others.count("seer-information") == 1


def test_a_single_game_has_no_interval():
    alone = played(1, "lucky", 25.0)
    alone["document"]["results"][0] |= {"games": 1, "se": None, "sd": None,
                                       "histogram": [0] * 25 + [1]}  # fmt: skip
    html = build_report([alone, played(2, "usual", 20.0)], "here").html
    assert "25.000" in html and "NaN" not in html and "nan" not in html.lower().split()


def test_numbers_that_are_not_finite():
    rows = (
        (20.0, 21.0, float("inf"), "above"),
        (20.0, 20.0, -3.5, "reproduced"),
        (20.0, None, None, "no agent here"),
    )
    html = build_report([reproduction(1, *rows)], "here").html
    assert "+∞" in html and "−3.5" in html  # noqa: RUF001
    only_missing = build_report([reproduction(1, rows[2])], "here")
    assert only_missing.drawings == {}


def test_a_table_with_logged_games_of_people_stands_next_to_the_one_without():
    without = reproduction(1, (20.0, 20.0, 0.1, "reproduced"), (15.0, None, None, "no games"))
    found = reproduction(2, (20.0, 20.0, 0.1, "reproduced"), (15.0, 14.5, -0.5, "reproduced"))
    scores = [
        {"program": "full", "experience": said, "games_of": "first", "games": n, "people": n,
         "mean": mean, "se": se}
        for said, n, mean, se in (("everybody", 3, 14.5, 0.25), ("new", 1, 7.0, None))
    ]  # fmt: skip
    found["document"]["human"] = scores
    found["config"] |= {"data": "logs.csv", "fingerprint": "0123abcd"}
    again = {**found, "id": 3}
    report = build_report([without, found, again], "here")
    assert report.html.count("<h3>no-such-table") == 2
    assert "with the games of people in logs.csv (0123abcd)" in report.html
    words = " ".join(" ".join(Reader(report.html).words).split())
    assert "full everybody first 14.50 ± 0.25 3 3" in words
    assert "full new first 7.00 1 1" in words
    assert len(report.drawings) == 2


def test_an_empty_store_says_how_to_make_results(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("TAMAYA_STORE", str(tmp_path / "empty.db"))
    report(tmp_path / "out")
    assert "no results yet" in capsys.readouterr().out
    assert not (tmp_path / "empty.db").exists()
    html = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    Reader(html)
    assert "tamaya selfplay" in html
    assert not (tmp_path / "out" / "report-charts").exists()


def test_the_command_writes_page_and_charts(store, tmp_path, capsys):
    report(tmp_path / "all.html", store, "svg,png", json=True)
    printed = json.loads(capsys.readouterr().out)
    assert printed["page"] == str(tmp_path / "all.html")
    assert tuple(printed["sections"]) == SECTIONS
    assert printed["results"] == 12
    files = sorted((tmp_path / "all-charts").iterdir())
    assert sorted(printed["charts"]) == [str(file) for file in files]
    for file in files:
        start = b"<svg" if file.suffix == ".svg" else b"\x89PNG"
        assert file.read_bytes().startswith(start)
    with pytest.raises(Exception, match="gif"):
        report(tmp_path, store, "gif")


def test_a_store_that_was_mistyped_is_no_empty_page(tmp_path):
    with pytest.raises(StoreError, match=r"nofile\.db: there is no such file"):
        report(tmp_path / "page.html", str(tmp_path / "nofile.db"))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_names_the_page_and_leaves_the_old_one(tmp_path):
    page = tmp_path / "report.html"
    page.write_text("the old page")
    made = build_report([played(1, "alone", 12.0)], "here")
    with full_disk(), pytest.raises(OSError, match=r"No space left on device: '.*report\.html'"):
        write_report(made, page)
    assert page.read_text() == "the old page"
    assert list(tmp_path.iterdir()) == [page]


def test_passwords_of_a_store_are_not_shown(tmp_path, monkeypatch, capsys):
    class Elsewhere:
        address = without_password("postgresql://ann:secret@db/tamaya")

        def __init__(self, url: str | None, must_exist: bool) -> None:
            assert must_exist

        def results(self) -> list:
            return []

        def close(self) -> None:
            pass

    monkeypatch.setattr("tamaya.store.database.Store", Elsewhere)
    report(tmp_path, None)
    assert "secret" not in capsys.readouterr().out
    assert "secret" not in (tmp_path / "report.html").read_text(encoding="utf-8")
