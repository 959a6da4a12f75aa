"""Running a protocol and storing its results."""

from collections.abc import Sequence
from typing import Any

from tamaya.arena.protocols.protocol import ConfigType, RegisteredProtocol, ResultType
from tamaya.arena.runner import Runner
from tamaya.store.database import Store


def run_and_store(
    protocol: RegisteredProtocol[ConfigType, ResultType],
    configs: Sequence[ConfigType],
    runner: Runner,
    store: Store,
    **inputs: Any,
) -> list[ResultType]:
    """Run the configurations of a protocol, store each result as it arrives, return all in order.

    ``inputs`` are further keywords that the protocol's ``run`` takes.
    """
    results = []
    for result in protocol.run_all(configs, runner, **inputs):
        store.add_result(protocol.name, result.config.title, result.config.to_document(),
                         result.to_document(), result.seconds)  # fmt: skip
        results.append(result)
    return results
