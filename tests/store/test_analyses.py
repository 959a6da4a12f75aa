"""Slices of analyses in the store: many at once, and the longer one stays."""

from tamaya.store.analyses import MOST_KEYS, Slice, read_slices, write_slices
from tamaya.store.database import Store


def test_the_longer_slice_stays(tmp_path):
    store = Store(str(tmp_path / "results.db"))
    short, long = Slice("a", 0, 20, b"short"), Slice("a", 0, 32, b"long")
    for entries in ([short], [long, Slice("a", 32, 5, b"next")], [short], []):
        write_slices(store, entries)
    assert sorted(read_slices(store, ["a"]), key=lambda each: each.first) == [
        long, Slice("a", 32, 5, b"next")
    ]  # fmt: skip
    assert read_slices(store, ["b"]) == read_slices(store, []) == []
    store.close()


def test_many_turns_are_read_at_once(tmp_path):
    store = Store(str(tmp_path / "results.db"))
    slices = [Slice(f"{k:064}", 0, 32, b"sums") for k in range(2 * MOST_KEYS + 1)]
    write_slices(store, slices)
    assert sorted(read_slices(store, [each.key for each in slices]), key=lambda e: e.key) == slices
    store.close()
