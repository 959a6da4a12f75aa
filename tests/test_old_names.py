"""Old names of modules still import, and are the modules of today."""

from importlib import import_module

import pytest

from tamaya.old_names import RENAMED


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_is_the_module_of_today(old):
    with pytest.warns(DeprecationWarning, match=RENAMED[old]):
        module = import_module(old)
    assert module is import_module(RENAMED[old])
    assert module.__spec__.name == RENAMED[old]


def test_kernels_are_still_found_beside_the_game():
    from tamaya.game import is_legal

    assert is_legal is import_module("tamaya.game_kernels").is_legal


def test_what_beliefs_were_is_still_found_where_exact_ones_are():
    with pytest.warns(DeprecationWarning, match="sampling.sampler"):
        from tamaya.search.belief import belief_sampler

    assert belief_sampler is import_module("tamaya.search.sampling.sampler").belief_sampler
    with pytest.raises(ImportError, match="nothing_of_that_name"):
        from tamaya.search.belief import nothing_of_that_name  # noqa: F401
