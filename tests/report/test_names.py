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
    path, search = "runs/seeds/first/mine.npz", "search:blueprint=runs/seeds/mine.npz"
    assert short_names([path, "mine"])[path] == "mine.npz"
    assert short_names([search])[search].startswith("search")


def test_paths_that_end_alike_are_shown_by_the_folders_that_differ():
    paths = ["runs/seeds/1/best.npz", "runs/seeds/2/best.npz", "runs/seeds/2/last.npz"]
    assert list(short_names(paths).values()) == ["1/best.npz", "2/best.npz", "last.npz"]
    longer = ["seeds/first/best.npz", "runs/seeds/first/best.npz"]
    assert len(set(short_names(longer).values())) == 2
