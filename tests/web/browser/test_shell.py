"""The page around the table: what it asks for, cold starts, settings, links, focus."""

import json
import re
from functools import partial
from urllib.parse import urlsplit

from browsing import ME, MIXED, SMART, Ear, my_turn, open_table, started

SCREENS = (
    "/",
    "/new",
    "/watch",
    "/agents",
    "/rules",
    "/settings",
    "/lab",
    "/lab?run=rules",
    "/report",
)


def test_no_request_leaves_and_nothing_is_forbidden(contexts, server):
    page = contexts().new_page()
    ear = Ear(page)
    page.add_init_script(
        "addEventListener('securitypolicyviolation', ({ blockedURI }) => console.error(blockedURI))"
    )
    for path in SCREENS:
        page.goto(path)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")
    open_table(page, server, [ME, MIXED])
    my_turn(page).wait_for()
    assert ear.complaints == []
    assert {urlsplit(address).netloc for address in ear.addresses} == {
        urlsplit(server.address).netloc
    }


def test_traces_are_seen_when_there_are_some(contexts):
    page = contexts().new_page()
    ear = Ear(page)
    page.goto("/")
    page.evaluate("fetch('http://tamaya.invalid/').catch(() => undefined)")
    page.evaluate("document.body.setAttribute('style', 'color: red')")
    for directive in ("connect-src", "style-src"):
        assert any(directive in text for text in ear.complaints)
    assert page.evaluate("getComputedStyle(document.body).color") != "rgb(255, 0, 0)"


def test_the_page_is_there_before_any_kernel(browser, tmp_path):
    with started(tmp_path, TAMAYA_CACHE=str(tmp_path / "cache")) as server:
        page = browser.new_page(base_url=server.address)
        page.goto("/")
        play = page.get_by_role("button", name="Play", exact=True)
        play.wait_for()
        assert server.get("/api/status")["ready"] is False
        line = page.locator("#warming")
        line.filter(has_text=re.compile("[0-9]+ s")).wait_for()
        first = line.inner_text()
        play.click()
        page.get_by_role("button", name="Setting the table").wait_for()
        page.wait_for_function(
            "first => document.getElementById('warming').textContent !== first", arg=first
        )
        page.goto("/report")  # without results its commands have all the room
        page.get_by_role("heading", name="Nothing to show yet").wait_for()
        assert page.locator("#empty pre").bounding_box()["width"] > 600
        page.close()


def test_settings_stay_and_reach_other_tabs(contexts):
    context = contexts()
    page, other = context.new_page(), context.new_page()
    page.goto("/settings")
    other.goto("/")
    page.get_by_role("radio", name="dark").check()
    page.get_by_label("Practice mode").check()
    page.get_by_label("Name at the table").fill("Ann")
    page.get_by_label("Name at the table").blur()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 20, 27)"
    other.wait_for_function("getComputedStyle(document.body).backgroundColor === 'rgb(18, 20, 27)'")
    assert other.get_by_label("Practice mode").is_checked()
    page.reload()
    assert page.get_by_label("Name at the table").input_value() == "Ann"
    assert not page.get_by_label("Sounds").is_checked()
    stored = page.evaluate("localStorage.getItem('tamaya.settings')")
    page.evaluate('localStorage.setItem(\'tamaya.settings\', \'{"theme": "pink", "text": [1]}\')')
    page.reload()
    assert page.get_by_role("radio", name="as the system").first.is_checked()
    assert json.loads(stored)["theme"] == "dark"


def fulfil(document, route) -> None:
    """Answer a request in place of the server."""
    route.fulfill(json=document)


def test_the_key_of_a_server_for_others(contexts):
    page = contexts().new_page()
    sent = []
    page.on("request", lambda request: sent.append(request.headers.get("x-tamaya-key")))
    page.goto("/#key=abcdef0123456789")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.wait_for_load_state("networkidle")
    assert "key" not in page.url and "abcdef0123456789" in sent
    kept = "localStorage.getItem('tamaya.key')"
    for opens, key in ((True, "abcdef0123456789"), (False, "0123456789abcdef")):
        status = {"version": "1", "compiling": None, "ready": True, "tables": 0, "open": opens}
        page.route("**/api/status", partial(fulfil, status))
        page.evaluate("location.hash = '#key=0123456789abcdef'")
        page.wait_for_function(f"() => {kept}.includes('{key}')")
        page.wait_for_function("() => !location.hash")
        page.wait_for_load_state("networkidle")
        assert key in page.evaluate(kept)  # what opens the server is not replaced by a link


def test_links_keep_the_page_and_move_the_focus(contexts):
    page = contexts().new_page()
    page.goto("/")
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate("window.isSame = true")
    page.get_by_role("navigation").get_by_role("link", name="Rules").click()
    page.get_by_role("heading", name="Hanabi in three minutes").wait_for()
    assert page.title() == "Rules · Tamaya" and page.evaluate("window.isSame")
    assert page.evaluate("document.activeElement.id") == "main"
    page.go_back()
    page.get_by_role("heading", name="Hanabi, with").wait_for()
    assert (
        page.evaluate("window.isSame")
        and page.locator("[aria-current=page]").inner_text() == "Play"
    )
    page.keyboard.press("Tab")
    page.goto("/rules")
    page.get_by_role("heading", level=1).wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main" and page.url.endswith("/rules")


def test_focus_goes_around_the_table(contexts, server):
    page = contexts(viewport={"width": 1280, "height": 800}).new_page()
    open_table(page, server, [ME, MIXED, SMART])
    my_turn(page).wait_for()
    seen: list[str] = []
    for _ in range(90):
        page.keyboard.press("Tab")
        where = page.evaluate(
            "() => { const at = document.activeElement;"
            " const part = at.closest('section, aside, header') ?? at;"
            " return part.ariaLabel ?? part.className }"
        )
        if not seen or seen[-1] != where:
            seen.append(where)
        if seen.count("skip") > 1:
            break
    order = [
        "skip",
        "top",
        "Status",
        "Hand of tamaya-mixed",
        "Hand of smartbot",
        "Your hand",
        "Actions",
        "Log",
    ]
    assert [where for where in seen if where in order][: len(order)] == order


def test_focus_stays_with_the_slot_of_a_card_that_goes(contexts, server):
    page = contexts(reduced_motion="reduce").new_page()
    open_table(page, server, [ME, MIXED])
    my_turn(page).wait_for()
    page.get_by_role("group", name=re.compile("^Your hand")).get_by_role("button").nth(1).focus()
    page.keyboard.press("a")
    page.keyboard.press("2")
    page.get_by_role("heading", name="Turn 3").wait_for()
    hand = page.evaluate("document.activeElement.closest('[role=group]')?.ariaLabel")
    assert hand is not None and hand.startswith("Your hand")


def test_a_hint_from_what_a_screen_reader_has(contexts, server):
    page = contexts(reduced_motion="reduce").new_page()
    open_table(page, server, [ME, MIXED])
    my_turn(page).wait_for()
    heard = page.get_by_role("main").aria_snapshot()
    found = re.search(r'button "tamaya-mixed, slot \d[^"]*: (\w+) (\d), playable', heard)
    assert found is not None and f'button "rank {found[2]}"' in heard
    page.get_by_role("button", name=f"rank {found[2]}").click()
    page.get_by_role("button", name=re.compile("^Tell tamaya-mixed")).click()
    page.get_by_role("heading", name="Turn 3").wait_for()
    assert re.search(
        rf"Ann tells tamaya-mixed .*{found[2]}", page.get_by_role("main").aria_snapshot()
    )
