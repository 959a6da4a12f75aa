"""J6: two people and an agent, a line that drops, a server that is killed, a seat given away."""

import re

import pytest

from browsing import DESKTOP, PHONE, Ear, Hand, my_turn, started

WAYS = pytest.mark.parametrize(
    ("way", "size"),
    [("mouse", DESKTOP), ("touch", PHONE), ("keyboard", DESKTOP)],
    ids=["mouse", "touch", "keyboard"],
)
SEEN = re.compile(r"(red|yellow|green|white|blue) [1-5]")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of its own, because it is killed."""
    with started(tmp_path_factory.mktemp("killed")) as server:
        yield server.wait()
        assert "Traceback" not in server.log()


def cards(page, whose: str) -> list[str]:
    """Names of the cards in a hand, as a screen reader has them."""
    group = page.get_by_role("group", name=re.compile(f"^{whose}, newest first"))
    group.wait_for()
    return [card.get_attribute("aria-label") for card in group.get_by_role("button").all()]


def hint_rank(page, hand: Hand, ear: Ear, name: str) -> None:
    """Tell somebody about the rank of their newest card."""
    view = ear.last("view")
    names = [seat["name"] for seat in ear.last("seats")["seats"]]
    rank = view["hands"][names.index(name)][-1]["card"] % 5 + 1
    actions = page.get_by_role("region", name="Actions")
    hand.use(actions.get_by_role("button", name=name, exact=True).first)
    hand.use(actions.get_by_role("button", name=f"rank {rank}"))
    hand.use(actions.get_by_role("button", name=re.compile("^Tell ")))


@WAYS
def test_two_people_and_an_agent(contexts, server, way, size):
    page = contexts(reduced_motion="reduce", **size).new_page()
    ear, hand = Ear(page), Hand(page, way)
    page.goto("/settings")
    hand.write(page.get_by_label("Name at the table"), "Ann")
    hand.use(page.get_by_role("link", name="Play"))
    hand.choose(page.get_by_label("Seats"), "3")
    hand.use(page.get_by_role("button", name="Open a table"))
    invite = page.get_by_label("Send this link").input_value()

    context = contexts(reduced_motion="reduce", **size)
    guest = context.new_page()
    guest_ear, guest_hand = Ear(guest), Hand(guest, way)
    guest.goto(invite)
    guest_hand.write(guest.get_by_label("Your name"), "Ben")
    guest_hand.use(guest.get_by_role("button", name="Sit down"))
    guest.get_by_role("heading", name="Waiting for players").wait_for()
    assert "#" not in guest.url

    hand.use(page.get_by_role("button", name="Give to an agent").last)
    hand.use(page.get_by_role("button", name="Give the seat"))

    # Each sees the faces of the others, not their own.
    assert all(SEEN.search(card) for card in cards(page, "Hand of Ben"))
    assert all(SEEN.search(card) for card in cards(guest, "Hand of Ann"))
    for own in (cards(page, "Your hand"), cards(guest, "Your hand")):
        assert len(own) == 5 and not any(SEEN.search(card) for card in own)
    for heard, seat in ((ear, 0), (guest_ear, 1)):
        for view in heard.of("view"):
            known = [slot["card"] for slot in view["hands"][seat] if view["phase"] == "playing"]
            assert set(known) <= {None}

    # Ben's line drops; Ann moves meanwhile; he is back by himself.
    context.set_offline(True)
    lost = re.compile("connection is lost|Connecting again")
    guest.get_by_role("main").get_by_text(lost).wait_for()
    hint_rank(page, hand, ear, "Ben")
    page.get_by_role("heading", name="Turn 2").wait_for()
    context.set_offline(False)
    my_turn(guest).wait_for()
    assert guest_ear.last("view")["turn"] == 1

    # The server is killed; both pages go on by themselves when it is back.
    server.kill()
    for one in (page, guest):
        one.get_by_role("main").get_by_text(lost).wait_for()
    server.start()
    for one in (page, guest):
        one.get_by_role("main").get_by_text(lost).wait_for(state="hidden")
    hint_rank(guest, guest_hand, guest_ear, "Ann")
    page.get_by_role("heading", name=re.compile("Turn [34]")).wait_for()

    # Ben leaves for good, and his seat goes to an agent.
    my_turn(page).wait_for()
    guest.keyboard.press("u")  # but first wants his move back, and hears that Ann does not
    hand.use(page.get_by_role("button", name="Refuse"))
    guest.get_by_role("main").get_by_text("No move is taken back.").wait_for()
    context.close()
    hand.use(page.get_by_role("button", name=re.compile("give to an agent", re.I)))
    hand.use(page.get_by_role("button", name="Give the seat"))
    page.get_by_role("main").get_by_text("away").wait_for(state="hidden")
    names = [seat["name"] for seat in ear.last("seats")["seats"]]
    assert [seat["kind"] for seat in ear.last("seats")["seats"]] == ["person", "agent", "agent"]
    hint_rank(page, hand, ear, names[1])
    page.get_by_role("heading", name="Turn 7").wait_for()  # both agents have moved
    offline = [text for text in ear.complaints + guest_ear.complaints if "WebSocket" not in text]
    assert [text for text in offline if "ERR_" not in text] == []


def test_a_link_that_leads_nowhere(contexts, server):
    page = contexts().new_page()
    page.goto("/t/aaaaaaaaaaaaaaaa")
    page.get_by_role("heading", name="No such table").wait_for()
    page.goto("/t/aaaaaaaaaaaaaaaa#" + "x" * 22)
    page.get_by_role("heading", name="No such table").wait_for()
    page.goto("/nowhere")
    page.get_by_role("heading", name="Nothing here").wait_for()
