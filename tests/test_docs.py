"""Every Python snippet of the documentation runs, every link leads somewhere, no page is lost."""

import re
from pathlib import Path

import pytest

import tamaya
from tamaya import Rules, play, registry
from tamaya.lookup import all_agents
from tamaya.records import GAVE_UP

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def snippets(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_snippets_run(page, tmp_path, monkeypatch):
    known = {player.name: player for player in all_agents()}
    monkeypatch.setattr(registry, "_agents", known)  # agents of the page are gone afterwards
    monkeypatch.chdir(tmp_path)  # and so are its files
    for number, code in enumerate(snippets(page)):
        file = tmp_path / f"{page.stem}_{number}.py"  # compiled agents need a file of their own
        file.write_text(code, encoding="utf-8")
        exec(compile(code, str(file), "exec"), {"__name__": f"snippet_{page.stem}_{number}"})


def test_what_the_readme_shows_plays(tmp_path):
    """The first agents that people copy must not look like a broken installation."""
    readme = PAGES[0]
    (code,) = (code for code in snippets(readme) if "@agent(" in code)
    file = tmp_path / "copied.py"
    file.write_text(code, encoding="utf-8")
    (rules,) = re.findall(r'selfplay "(rules:[^"]+)"', readme.read_text(encoding="utf-8"))
    for text in (str(file), rules):
        for players in (2, 4):
            results = play(text, Rules(players=players), 100, seed=1).results
            assert results["score"].mean() > 12, text
            assert not (results["status"] == GAVE_UP).any()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def linked_pages(text: str) -> set[str]:
    return set(re.findall(r"\(?([\w/-]+\.md)\b", text))


def test_every_page_is_on_the_map_and_in_the_navigation():
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    assert linked_pages(navigation) == pages
    missing = {page for page in pages if "/" not in page} - {"index.md"}
    missing -= linked_pages((DOCS / "index.md").read_text(encoding="utf-8"))
    assert not missing, f"docs/index.md does not lead to {', '.join(sorted(missing))}"


def test_every_room_is_on_the_plan():
    plan = (DOCS / "architecture.md").read_text(encoding="utf-8").partition("## All rooms")[2]
    package = Path(tamaya.__file__).parent
    rooms = {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    named = {*re.findall(r"`(\w+)`", plan), "__init__", "__main__", "__pycache__"}
    missing = rooms - named
    assert not missing, f"docs/architecture.md does not name {', '.join(sorted(missing))}"


def test_files_named_on_the_plan_exist():
    plan = (DOCS / "architecture.md").read_text(encoding="utf-8")
    package = Path(tamaya.__file__).parent
    for name in re.findall(r"`([\w/]+\.py)`", plan):
        assert (package / name).exists() or (ROOT / name).exists(), name


@pytest.mark.parametrize(("picture", "seat"), [("table.svg", None), ("view.svg", 2)])
def test_pictures_are_what_the_code_draws(picture, seat):
    played = play("fireflower", Rules(players=3), games=1, seed=13, record=True)
    drawn = played.game(0).at(26).svg(seat) + "\n"
    assert (DOCS / picture).read_text(encoding="utf-8") == drawn
