"""What a piece of code depends on, as a hash: its module and everything that it imports.

Compiled kernels and stored results belong to the code that made them. The fingerprint of a module
covers its import closure: the modules of this package that its module-level imports reach, and,
for users' files, their own modules. Each is hashed by its syntax tree without docstrings, comments
and positions, so a reworded comment, or an edit of a module that is not imported, changes nothing.
"""

import ast
import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from tamaya.cache_places import SHIPPED, cache_root

PACKAGE = Path(__file__).resolve().parent
NOTES = "sources.json"  # file of the facts of sources
N_NOTES = 2000  # at most, the newest
# Files of the interpreter and of installed packages are represented by their versions.
_LIBRARIES = tuple({
    os.path.realpath(path) + os.sep
    for name, path in sysconfig.get_paths().items()
    if name in ("stdlib", "platstdlib", "purelib", "platlib")
})  # fmt: skip


@dataclass(frozen=True)
class SourceFacts:
    """What a source file contributes: the hash of its code, and what it imports."""

    code: str
    imports: tuple[tuple[str, str], ...]  # a module and a name in it, "" for the module itself


def fingerprint(*modules: str) -> str:
    """Hash of the import closure of some modules, by their names."""
    digest = hashlib.sha256()
    n_known = len(_notes())
    for name, path in sorted(import_closure(*modules).items()):
        digest.update(f"{name} {source_facts(path).code}\n".encode())
    if len(_notes()) > n_known:
        _save_notes()
    return digest.hexdigest()[:20]


def import_closure(*modules: str) -> dict[str, Path]:
    """The modules that some modules import, including themselves, with their files."""
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        path = module_file(name)
        if path is None or name in found:
            continue
        found[name] = path
        waiting += _imported_modules(name, path)
    return found


@cache
def _imported_modules(importer: str, path: Path) -> tuple[str, ...]:
    """The modules with source files that a module imports."""
    package = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
    names: list[str] = []
    for module, name in source_facts(path).imports:
        if module.startswith("."):
            module = resolve_name(module, package)
        home = _public_home(name) if module == PACKAGE.name else ""
        names += filter(None, (module, home, f"{module}.{name}" if name else ""))
    return tuple(name for name in dict.fromkeys(names) if module_file(name) is not None)


def _public_home(name: str) -> str:
    """The module that a name of the package itself comes from."""
    homes = getattr(sys.modules.get(PACKAGE.name), "_HOMES", {})
    return f"{PACKAGE.name}.{homes[name]}" if name in homes else ""


@cache
def module_file(name: str) -> Path | None:
    """The source of a module of the package or of a user; None for those of libraries."""
    if name == PACKAGE.name or name.startswith(PACKAGE.name + "."):
        place = PACKAGE.joinpath(*name.split(".")[1:])
        candidates = (place.with_suffix(".py"), place / "__init__.py")
        return next((path for path in candidates if path.is_file()), None)
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None or not file.endswith(".py"):
        return None
    path = os.path.realpath(file)
    return None if path.startswith(_LIBRARIES) else Path(path)


@cache
def source_facts(path: Path) -> SourceFacts:
    """The facts of a source file, from the notes of earlier processes if it has not changed."""
    source = path.read_bytes()
    key = hashlib.sha1(source).hexdigest()
    notes = _notes()
    if key not in notes:
        notes[key] = _analyse(source, str(path))
    return notes[key]


def _analyse(source: bytes, name: str) -> SourceFacts:
    tree = ast.parse(source, name)
    imports = tuple(dict.fromkeys(_module_imports(tree.body)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]
    return SourceFacts(hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:20], imports)


def _module_imports(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Imports at module level, including those in branches, but not those for type checkers."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((module, alias.name) for alias in node.names)
        elif isinstance(node, ast.If):
            if "TYPE_CHECKING" not in ast.dump(node.test):
                yield from _module_imports(node.body)
            yield from _module_imports(node.orelse)
        elif isinstance(node, ast.Try):
            for part in (node.body, node.orelse, node.finalbody):
                yield from _module_imports(part)
            for handler in node.handlers:
                yield from _module_imports(handler.body)


@cache
def _notes() -> dict[str, SourceFacts]:
    """Facts by the hash of a file's bytes, cached on disk because parsing takes a second."""
    facts: dict[str, SourceFacts] = {}
    for path in (SHIPPED / NOTES, cache_root() / NOTES):
        try:
            for key, (code, imports) in json.loads(path.read_text("utf-8")).items():
                facts[key] = SourceFacts(code, tuple((module, name) for module, name in imports))
        except (OSError, ValueError, TypeError, AttributeError):
            continue  # missing or damaged: the sources are parsed again
    return facts


def _save_notes() -> None:
    path = cache_root() / NOTES
    newest = list(_notes().items())[-N_NOTES:]
    text = json.dumps({key: (facts.code, facts.imports) for key, facts in newest})
    with suppress(OSError):  # works without a cache if it cannot be written
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_text(text, "utf-8")
        temporary.replace(path)
