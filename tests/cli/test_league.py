"""`tamaya league`: rankings, each under one set of rules."""


def test_league(document, tamaya):
    printed = document("league", "confidence", "random", "-n", "50", "-p", "2,5")
    assert [row["agent"] for row in printed["standings"]] == ["confidence", "random"]
    figures = printed["standings"][0]["figures"]
    assert [figure["players"] for figure in figures] == [2, 5]
    assert figures[0]["table"] == "bouzy-1"
    assert "in brackets" in tamaya("league", "confidence", "-n", "50", "-p", "2").stdout


def test_seers_are_ranked_among_themselves(document, tamaya):
    options = "league", "random", "seer-information", "certainty", "-n", "20", "-p", "2"
    rows = document(*options)["standings"]
    assert [(row["agent"], row["rules"]) for row in rows] == [
        ("certainty", ""), ("random", ""), ("seer-information", "observation=seer"),
    ]  # fmt: skip
    assert rows[2]["mean"] > 20
    shown = " ".join(tamaya(*options).stdout.split())
    assert shown.count("League: 20 games per agent and number of players, seed 0") == 2
    assert "seed 0, observation=seer agent" in shown
    assert "all 60 games from the store" in shown
    kept = document("results")["results"]
    assert kept[1]["config"]["rules"] == "observation=seer"


def test_rules_that_all_are_made_for_make_one_table(tamaya):
    options = "league", "random", "seer-information", "-n", "5", "-p", "2"
    shown = tamaya(*options, "--rules", "observation=seer").stdout
    assert shown.count("League:") == 1


def test_a_league_without_anybody_is_refused(tamaya):
    finished = tamaya("league", "hatbot", "-p", "2", "-n", "5")
    assert (finished.returncode, finished.stdout) == (1, "")
    assert "none of the agents plays with 2 players" in finished.stderr
