"""The first screen: the best agent for each number of players, its lead, and published figures."""

from math import hypot

from tamaya.arena.league import published_for
from tamaya.arena.published import PublishedRow, load_table, table_names
from tamaya.report.families import is_plain
from tamaya.report.gallery import Gallery, Section, by_table, table_name
from tamaya.report.markup import Html, element, join, number, percent, with_error
from tamaya.report.scores import Scores, behind, best_first, rules_of, selfplay_figures
from tamaya.report.selection import Selection
from tamaya.rules import Rules

SURE = 2.0  # combined standard errors from which one mean counts as better than another
_PROTOCOLS = ("selfplay", "mirror", "search")


def best(selection: Selection, gallery: Gallery) -> Section | None:
    """A box for each table size under the standard rules, or under all rules if there are none."""
    groups = by_table(selfplay_figures(selection))
    standard = {key: figures for key, figures in groups.items() if not key[1]}
    if not groups:
        return None
    chosen = standard or groups
    cards = [_card(key, best_first(figures), gallery) for key, figures in chosen.items()]
    words = ("Mean scores of teams of copies of one agent. An agent that speaks a code can only "
             "be understood by its own kind; “hints as people do” is the best without a code. "
             "Click a figure to see its games.")  # fmt: skip
    content = join((element("p", words), element("div", *cards, class_="cards")))
    return Section("best", "Who is best", content, [])


def _card(key: tuple[int, str], figures: list[Scores], gallery: Gallery) -> Html:
    """The best agent, the runner-up, and the published figures."""
    first = figures[0]
    mean = with_error(first.data.mean, first.data.se, 3)
    plain = next((figure for figure in figures if is_plain(figure.agent)), None)
    facts = [
        *_fact("games", f"{first.data.games:,}, {percent(first.data.perfect)} perfect"),
        *_fact("published best", _published_best(key[0], Rules(players=key[0]))),
        *(_fact("published of it", published) if (published := _published_of(first)) else ()),
        *_fact("next", _next(figures)),
        *(_fact("hints as people do", _plain(plain, gallery)) if plain else ()),
    ]
    return element(
        "div",
        element("h3", table_name(*key)),
        element("p", first.agent, class_="who"),
        element("p", behind(gallery, first, mean), class_="big"),
        element("dl", *facts),
        class_="card",
    )


def _fact(name: str, value: object) -> tuple[Html, Html]:
    return element("dt", name), element("dd", value)


def _next(figures: list[Scores]) -> object:
    """The runner-up, and whether the first is surely better."""
    if len(figures) < 2:
        return "nobody else"
    (a, b) = (figure.data for figure in figures[:2])
    error = hypot(a.se, b.se)
    gap = f"{number(a.mean - b.mean, 3)} ± {number(error, 3)} behind"
    is_sure = a.mean - b.mean > SURE * error
    words = gap if is_sure else f"{gap}: not surely worse"
    return join((figures[1].agent, element("br"), element("small", words)))


def _plain(figure: Scores, gallery: Gallery) -> Html:
    mean = with_error(figure.data.mean, figure.data.se, 2)
    return join((figure.agent, element("br"), behind(gallery, figure, mean)))


def _published_best(players: int, usual: Rules) -> object:
    """The highest mean published for such games, by any agent."""
    rows = [
        (row, name)
        for name in table_names()
        for row in load_table(name).rows
        if row.protocol in _PROTOCOLS and row.players == players
        and row.hand_size in (0, usual.hand_size) and "observation" not in row.rules
    ]  # fmt: skip
    if not rows:
        return "nothing"
    row, name = max(rows, key=lambda entry: entry[0].published)
    return join((f"{row.row} {number(row.published)}", element("br"), _source(row, name)))


def _published_of(figure: Scores) -> object:
    """The published figure of an agent for this number of players."""
    found = published_for(figure.agent, rules_of(figure))
    if found is None:
        return None
    name, row = found
    return join((number(row.published), element("br"), _source(row, name)))


def _source(row: PublishedRow, table: str) -> Html:
    """The table of a published figure, and the rules it was played under."""
    other = f", {row.rules}" if row.rules else ""
    return element("small", f"{table}{other}")
