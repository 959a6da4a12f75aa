"""Names that fit: short, and all different."""

from tamaya.report.names import short_names


def test_long_names_are_shortened_and_stay_different():
    names = [
        "short",
        "rules:order=1,2,3,4,5,6",
        "rules:order=1,2,3,9,4,5,6",
        "rules:order=1,2,3,7,4,5,6",
    ]
    short = short_names(names)
    assert list(short) == names and len(set(short.values())) == 4
    assert short["short"] == "short"
    assert short[names[1]] == "rules:…1,2,3,4,5,6"
    assert len(short[names[1]]) == 18


def test_a_long_path_is_shown_by_its_last_part():
    paths = ["runs/seeds/first/mine.npz", "runs/seeds/second/mine.npz"]
    assert list(short_names(paths).values()) == ["mine.npz", "mine.npz 2"]
    search = "search:blueprint=runs/seeds/mine.npz"
    assert short_names([search])[search].startswith("search")
