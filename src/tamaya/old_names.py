"""Modules that have moved: importing one by its old name returns the module with the new name.

Only names that documentation or users' files have used are listed; everything inside the package
uses the new ones.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

RENAMED = {
    "tamaya.arena.adhoc": "tamaya.arena.protocols.adhoc",
    "tamaya.arena.crossplay": "tamaya.arena.protocols.crossplay",
    "tamaya.arena.mixed": "tamaya.arena.protocols.mixed",
    "tamaya.arena.reproduce": "tamaya.arena.protocols.reproduce",
    "tamaya.arena.selfplay": "tamaya.arena.protocols.selfplay",
    "tamaya.calling": "tamaya.dispatch",
    "tamaya.chance": "tamaya.rng",
    "tamaya.learn.evolution": "tamaya.learn.pbt",
    "tamaya.learn.replay": "tamaya.learn.replay_buffer",
    "tamaya.learn.shipping": "tamaya.learn.exporting",
    "tamaya.masks": "tamaya.simd_masks",
    "tamaya.position": "tamaya.game",
    "tamaya.report.conduct": "tamaya.report.behaviour_sections",
    "tamaya.search.determinize": "tamaya.search.sampling.determinize",
    "tamaya.search.intent": "tamaya.search.sampling.intent",
    "tamaya.search.simulate": "tamaya.search.workspace",
    "tamaya.search.value": "tamaya.search.rollout",
    "tamaya.search.weighing": "tamaya.search.race",
}


class _Alias(Loader):
    """Loads an old name as the module that has the new one."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = RENAMED[spec.name]
        warnings.warn(f"{spec.name} is now {new}", DeprecationWarning, stacklevel=2)
        self._module = import_module(new)
        self._spec = self._module.__spec__
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has just put the old name there


class OldNames(MetaPathFinder):
    """Finds the modules of ``RENAMED``."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, _Alias()) if fullname in RENAMED else None


def install() -> None:
    """Make the old names importable; they are tried only if no file has that name."""
    if not any(isinstance(finder, OldNames) for finder in sys.meta_path):
        sys.meta_path.append(OldNames())
