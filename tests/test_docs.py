"""Every Python snippet of the documentation runs."""

import re
from pathlib import Path

import pytest

from tamaya import registry
from tamaya.registry import all_agents

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def snippets(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_snippets_run(page, tmp_path, monkeypatch):
    known = {player.name: player for player in all_agents()}
    monkeypatch.setattr(registry, "_agents", known)  # agents of the page are gone afterwards
    for number, code in enumerate(snippets(page)):
        file = tmp_path / f"{page.stem}_{number}.py"  # compiled agents need a file of their own
        file.write_text(code, encoding="utf-8")
        exec(compile(code, str(file), "exec"), {"__name__": f"snippet_{page.stem}_{number}"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
