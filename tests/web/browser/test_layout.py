"""Nothing moves but cards, and hands that matter are in sight: three loads of the page for all."""

import json
import re

from browsing import DESKTOP, ME, MIXED, PHONE, SMART, my_turn, open_table

PARTS = (".status", ".board", ".others", ".dock", ".foot", ".panel")
BOXES = """(parts) => parts.map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [part, x, y, width, height].join(" ");
})"""
# Contrast of a control's text with what it is written on (WCAG 2.2).
CONTRAST = """(node) => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3)
    .map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const { color, backgroundColor } = getComputedStyle(node);
  const [dark, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}"""
# Hands that are not wholly between the top of the screen and what is docked at its end.
HIDDEN = """(low) => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const strip = document.querySelector(".strip").getBoundingClientRect();
  const end = low ? strip.top : dock.top;
  return [...document.querySelectorAll(".others .hand")].filter((hand) => {
    const { top, bottom } = hand.getBoundingClientRect();
    return top < -1 || bottom > end + 1;
  }).map((hand) => hand.ariaLabel);
}"""


def test_nothing_moves_but_cards(contexts, server):
    page = contexts(reduced_motion="reduce", **DESKTOP).new_page()
    sockets: list = []
    page.route_web_socket("**/ws", lambda ws: (ws.connect_to_server(), sockets.append(ws)))
    frames: list[dict] = []
    page.on("websocket", lambda socket: socket.on(
        "framereceived", lambda text: frames.append(json.loads(text))))  # fmt: skip
    open_table(page, server, [ME, MIXED, SMART])
    my_turn(page).wait_for()
    target = page.get_by_role("group", name="Hint: whom").get_by_role("button").first
    target.click()  # and the mouse stays there
    assert target.get_attribute("aria-pressed") == "true"
    assert target.evaluate(CONTRAST) > 4.5
    first = page.evaluate(BOXES, PARTS)

    def boxes():
        return page.evaluate(BOXES, PARTS)

    # The card on its way to the fireworks moves, the fireworks do not.
    card = page.locator(".own button.card").first.bounding_box()
    works = page.locator(".fireworks").bounding_box()
    page.mouse.move(card["x"] + 20, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(works["x"] + 60, works["y"] + 40, steps=4)
    assert page.locator(".fireworks.drop").bounding_box() == works
    page.keyboard.press("Escape")
    page.mouse.up()

    # Looking back shows the same table, and so does the way back.
    for key in (";", "1", "Control+Enter"):
        page.keyboard.press(key)
    page.get_by_role("heading", name="Turn 4").wait_for()
    my_turn(page).wait_for()
    assert boxes() == first
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("group", name="Looking back").wait_for()
    assert boxes() == first
    page.keyboard.press("Escape")
    my_turn(page).wait_for()
    assert boxes() == first

    # Words that appear late have had their place from the start.
    view = next(frame for frame in reversed(frames) if frame["type"] == "view")
    seats = next(frame for frame in reversed(frames) if frame["type"] == "seats")["seats"]
    poor = {**view, "turn": 9, "now": 9, "tokens": 0, "lives": 1, "reach": [5, 5, 5, 4, 4],
            "deck": 0, "turns_left": 3, "firework": [5, 4, 0, 4, 3], "score": 16}  # fmt: skip
    sockets[-1].send(json.dumps(poor))
    page.get_by_text("last round").wait_for()
    assert page.get_by_text("of 23 in reach").is_visible()
    assert boxes() == first

    # An agent that is stuck: one sentence, one button; nothing else goes on about it.
    others = {**view, "turn": 10, "now": 10, "mover": 1, "legal": None, "call": ""}
    sockets[-1].send(json.dumps(others))
    compiling = {"type": "compiling", "agent": "x", "kernel": "k", "done": 0, "of": 33}
    for frame in ({"type": "thinking", "seat": 1, "seconds": 9}, compiling):
        sockets[-1].send(json.dumps(frame))
    page.get_by_text("Preparing x").wait_for()
    seats[1]["stuck"] = "agent 'x' takes more than 10 seconds"
    sockets[-1].send(json.dumps({"type": "seats", "seats": seats}))
    page.get_by_text("is stuck: agent 'x' takes more than 10 seconds").wait_for()
    assert page.get_by_role("button", name=re.compile("give to an agent", re.I)).count() == 1
    assert page.get_by_text(re.compile("Preparing|thinking")).count() == 0


def test_hands_in_sight_on_phones(contexts, server):
    context = contexts(reduced_motion="reduce", **PHONE)
    context.add_init_script("localStorage.setItem('tamaya.settings', '{\"pips\": \"positive\"}')")
    page = context.new_page()
    name = "Bartholomäus von und zu Hohenstein-Thie"
    open_table(page, server, [{**ME, "name": name}, *[MIXED] * 4])
    my_turn(page).wait_for()
    assert page.evaluate(HIDDEN, False) == []
    plates = [plate.bounding_box()["height"] for plate in page.locator(".plate").all()]
    assert max(plates) < 64  # also of a long name

    # Who practises sees what was told, nothing else.
    own = page.locator(".own button.card").first
    assert own.get_attribute("aria-label") == "slot 1, newest"
    own.click()
    page.get_by_text("Play or discard slot 1?").wait_for()
    page.get_by_role("tab", name="card", exact=True).click()
    page.get_by_role("tabpanel").get_by_text("dealt at the start").wait_for()
    assert page.get_by_role("tabpanel").get_by_role("table").count() == 0
    page.get_by_role("tab", name="log").click()
    page.get_by_role("button", name="The cards are dealt").click()
    page.get_by_role("tabpanel").wait_for(state="hidden")  # it covered the table

    targets = page.get_by_role("group", name="Hint: whom").get_by_role("button")
    for width, height in ((390, 664), (320, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        for target in (targets.last, targets.first):
            target.click()
            seat = target.get_attribute("aria-label")
            assert f"Hand of {seat}" not in page.evaluate(HIDDEN, width > height)
            for part in (own, page.get_by_role("button", name="Play", exact=True)):
                box = part.bounding_box()
                assert box["y"] >= 0 and box["y"] + box["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 390, "height": 844})
    for text in (150, 200):
        page.evaluate("text => { document.documentElement.style.fontSize = text }", f"{text}%")
        page.wait_for_timeout(100)  # its size is watched
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
