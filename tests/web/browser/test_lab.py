"""The lab and the report in a browser: curves, rules, a game with what a run found, figures."""

import re

import pytest

from browsing import PATIENCE, Ear

SCREENS = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 320, "height": 640}}


def test_a_run_is_read_changed_and_played_with(contexts):
    page = contexts(viewport=SCREENS["desktop"]).new_page()
    ear = Ear(page)
    page.goto("/")
    page.get_by_role("link", name="The lab").click()
    page.get_by_role("link", name="styles").wait_for()
    page.get_by_role("link", name="rules", exact=True).click()
    curve = page.get_by_role("img", name=re.compile("^Score by generation"))
    assert "best of the generation 12.00" in (curve.get_attribute("aria-label") or "")
    assert curve.locator(".bar").count() == 4  # errors of three means and of the winner
    page.get_by_text("Shares of all moves in 400 games").wait_for(timeout=PATIENCE)
    row = page.get_by_role("row", name=re.compile("^PlaySafeCard"))
    share = re.search(r"([\d.]+) %", row.inner_text())
    assert share is not None and 10 < float(share[1]) < 90
    page.get_by_role("button", name="Edit its rules").click()
    field = page.get_by_label("Rules, one a line")
    field.fill("NoSuchRule")
    page.get_by_role("button", name="Count again").click()
    page.get_by_role("alert").filter(has_text="NoSuchRule").wait_for()
    field.fill("PlaySafeCard\nLegalRandom")
    page.get_by_role("button", name="Count again").click()
    page.get_by_role("row", name=re.compile("^LegalRandom")).wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="As it was").click()
    page.get_by_role("button", name="Play with it").click()
    page.wait_for_url("**/t/*", timeout=PATIENCE)
    page.get_by_role("group", name=re.compile("rules-all-finalist-1")).wait_for(timeout=PATIENCE)
    assert [text for text in ear.complaints if "400 (Bad Request)" not in text] == []


def test_the_map_of_styles_by_keyboard(contexts):
    page = contexts(viewport=SCREENS["phone"]).new_page()
    page.goto("/lab?run=styles")
    page.get_by_role("img", name=re.compile("^3 styles of 16")).wait_for()
    page.get_by_role("combobox", name="Style").focus()
    page.keyboard.press("ArrowDown")
    page.get_by_text("10.00 when it was found").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", SCREENS)
def test_the_report_sorts_filters_and_leads_to_games(contexts, size):
    page = contexts(viewport=SCREENS[size]).new_page()
    ear = Ear(page)
    page.goto("/report")
    page.get_by_role("heading", name="Who is best").wait_for(timeout=PATIENCE)
    page.get_by_text(re.compile("^2 players: 9 agents")).first.click()
    table = page.get_by_role("table", name="Self-play, 2 players")
    names = table.locator("tbody th")
    first = names.first.inner_text()
    table.get_by_role("button", name="mean").click()
    table.get_by_role("button", name="mean").click()
    assert names.last.inner_text() == first  # the best is last, upwards
    page.get_by_label("Filter rows: Self-play, 2 players").fill(first)
    assert table.locator("tbody tr:visible").count() < 9
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table.get_by_role("button", name=re.compile(r"\d")).first.click()
    page.get_by_role("dialog").get_by_role("link", name="Review it").first.click()
    page.wait_for_url(re.compile(r"/g/[a-z2-7]{16}(#0)?$"))
    assert ear.complaints == []
