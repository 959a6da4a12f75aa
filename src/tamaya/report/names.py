"""Short names of agents, for where there is little room."""

from collections.abc import Sequence


def short_names(names: Sequence[str], length: int = 18) -> dict[str, str]:
    """Names that fit beside a chart or a table, all different.

    Long ones keep their beginning and end, and of a path its last part is enough.
    """
    short: dict[str, str] = {}
    for name in dict.fromkeys(names):
        text = name
        if len(text) > length and ":" not in text:
            text = text.rpartition("/")[2]
        if len(text) > length:
            text = f"{text[: length // 3]}…{text[length // 3 - length + 1 :]}"
        number, free = 2, text
        while free in short.values():
            free, number = f"{text} {number}", number + 1
        short[name] = free
    return short
