"""Imports point one way: the rooms of the house in order, families apart, no cycles.

Every import counts, those inside functions too, because a lower room that reaches up when it is
called still cannot be understood, compiled or moved alone. Imports for type checkers do not run.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import tamaya

PACKAGE = Path(tamaya.__file__).parent
# Each line may import from itself and from the lines above it; docs/architecture.md draws it.
HOUSE = (
    "old_names atomic checked_files run_folder",
    "cache_places fingerprint compile_progress kernel_cache kernel compiled",
    "cards rules moves records rng simd_masks",
    "game_kernels",
    "knowledge",  # below the view, which offers its names to agents
    "view features encoding notation drawing game",
    "dispatch batch_dispatch player params agent registry "
    "seating workers played faults batch table seat",
    "agents",
    "search",
    "adapt",
    "lookup",
    "envs",
    "arena",
    "evolve learn",
    "replays store report",
    "bench warming",
    "cli web __main__",
)
FLOOR = {room: floor for floor, rooms in enumerate(HOUSE) for room in rooms.split()}


def module_name(path: Path) -> str:
    """Dotted name inside the package; a package goes by its own name."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports(tree: ast.AST) -> Iterator[str]:
    """Modules of the package that a syntax tree imports, by their names inside it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from (name for other in node.orelse for name in imports(other))
            continue
        elif isinstance(node, ast.Import):
            yield from (name for alias in node.names for name in inside(alias.name))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports of the package are absolute"
            for alias in node.names:
                submodules = list(inside(f"{node.module}.{alias.name}"))
                yield from submodules or inside(node.module or "")
        yield from imports(node)


def inside(name: str) -> Iterator[str]:
    """The name inside the package of a module of it."""
    head, _, rest = name.partition(".")
    if head == "tamaya" and rest in MODULES:
        yield rest


def imports_of(module: str) -> set[str]:
    """What a module imports, itself and the package's front door left out."""
    return set(imports(ast.parse(MODULES[module].read_text()))) - {module, ""}


def room(module: str) -> str:
    """The room of a module: its first name."""
    return module.partition(".")[0]


def family(module: str) -> str:
    """The family of agents that a module belongs to, if any; a single file is one of its own."""
    parts = module.split(".")
    return parts[1] if parts[0] == "agents" and len(parts) > 1 else ""


def test_every_module_has_a_room():
    assert {room(module) for module in MODULES if module} <= set(FLOOR)


@pytest.mark.parametrize("module", sorted(filter(None, MODULES)))
def test_imports_point_down(module):
    above = [other for other in imports_of(module) if FLOOR[room(other)] > FLOOR[room(module)]]
    assert not above, f"{module} is below what it imports: {', '.join(sorted(above))}"


@pytest.mark.parametrize("module", sorted(filter(family, MODULES)))
def test_families_of_agents_stay_apart(module):
    others = [other for other in imports_of(module) if family(other) not in ("", family(module))]
    assert not others, f"{module} borrows from another family: {', '.join(sorted(others))}"


def test_there_is_no_cycle():
    graph = {module: imports_of(module) for module in MODULES if module}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("modules import each other: " + " → ".join(error.args[1]))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def late():\n    from tamaya.cli.main import run\n", {"cli.main"}),
        ("if True:\n    import tamaya.cards as c\n", {"cards"}),
        ("from tamaya import view\n", {"view"}),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import tamaya.cards\n", set()),
        ("from tamaya.arena import tally\n", {"arena.tally"}),
        ("import numpy\n", set()),
    ],
)
def test_the_reader_of_imports_sees_all_forms(source, found):
    assert set(imports(ast.parse(source))) == found
