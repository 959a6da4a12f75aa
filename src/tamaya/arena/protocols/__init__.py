"""Protocols: the ways in which agents are evaluated, one module each.

A module has a frozen ``Config``, a ``Result``, ``run(config, runner)`` and, at its end,
``PROTOCOL``, by which it is found here. Commands run protocols, the store keeps their results as
documents, and exports and reports read them back with ``read_result``.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamaya.arena.protocols.protocol import ProtocolResult, RegisteredProtocol


class UnreadableResult(ValueError):
    """A stored result that this version cannot read; the message says why."""


@cache
def protocols() -> "dict[str, RegisteredProtocol]":
    """All protocols by name."""
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    found = (getattr(module, "PROTOCOL", None) for module in modules)
    return {protocol.name: protocol for protocol in found if protocol is not None}


def read_result(row: Mapping[str, Any]) -> "ProtocolResult":
    """The result in a row of the store, written by this or an earlier version."""
    protocol = protocols().get(row["protocol"])
    if protocol is None:
        raise UnreadableResult(f"this version has no protocol {row['protocol']!r}")
    try:
        return protocol.result.from_document(row["document"], row["config"])
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableResult(f"not understood: {type(error).__name__} {error}") from error
