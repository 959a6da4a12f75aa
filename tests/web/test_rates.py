"""How often and how much at once, by address."""

import pytest

from tamaya.web.rates import Guesses, Places, Rate, neighbourhood


def test_a_rate_counts_by_address_and_forgets():
    rate = Rate(2, 60.0)
    assert [rate.takes("a", now) for now in (0, 1, 2)] == [True, True, False]
    assert rate.takes("b", 2)
    assert not rate.takes("a", 59.9)
    assert rate.takes("a", 60.0)
    assert not rate.takes("a", 60.5)
    assert rate.takes("a", 61.0)


def test_a_rate_keeps_nothing_of_the_past():
    rate = Rate(1, 1.0)
    for k in range(1000):
        rate.takes(f"10.0.0.{k}", float(k))
    assert len(rate._done) == 1


def test_places_are_taken_and_given_back_by_address():
    places = Places(2)
    assert [places.take("a") for _ in range(3)] == [True, True, False]
    assert places.take("b")
    assert len(places) == 3
    places.give_back("a")
    assert places.take("a")
    for address in ("a", "a", "b"):
        places.give_back(address)
    assert len(places) == 0


def test_wrong_keys_are_counted_once_each_and_forgotten():
    guesses = Guesses(2, 60.0)
    for now in range(5):
        guesses.note("a", "old", float(now))
    assert not guesses.is_barred("a", 5.0)
    guesses.note("a", "other", 30.0)
    assert guesses.is_barred("a", 31.0)
    assert not guesses.is_barred("b", 31.0)
    assert guesses.is_barred("a", 59.0)
    assert not guesses.is_barred("a", 60.0)  # the first is a minute old
    guesses.note("b", "x", 200.0)
    assert list(guesses._tried) == ["b"]  # nothing is kept of the past


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:4860:1:2:3:4:5:6", "2001:4860:1:2::/64"),
        ("2001:4860:1:2::7", "2001:4860:1:2::/64"),
        ("2001:4860:1:3::7", "2001:4860:1:3::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::1", "::1"),
        ("fe80::1%eth0", "fe80::1%eth0"),
        ("fd00::1", "fd00::1"),  # a house of its own, with many people in it
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_an_address_counts_as_its_neighbourhood(address, counts_as):
    assert neighbourhood(address) == counts_as
