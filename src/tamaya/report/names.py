"""Short names of agents, where space is limited."""

from collections.abc import Iterable, Sequence


def short_names(names: Sequence[str], length: int = 18) -> dict[str, str]:
    """Names that fit next to a chart or a table, all different.

    Long ones keep their beginning and end; a path keeps enough of its end to be unique.
    """
    short: dict[str, str] = {}
    for name in dict.fromkeys(names):
        text = name
        if len(text) > length and ":" not in text:
            text = _own_end(text, (other for other in names if other != name))
        if len(text) > length:
            text = f"{text[: length // 3]}…{text[length // 3 - length + 1 :]}"
        number, free = 2, text
        while free in short.values():
            free, number = f"{text} {number}", number + 1
        short[name] = free
    return short


def _own_end(path: str, others: Iterable[str]) -> str:
    """The last parts of a path, as many as make it unique."""
    parts, taken = path.split("/"), ["/" + other for other in others]
    for n in range(1, len(parts)):
        end = "/".join(parts[-n:])
        if not any(other.endswith("/" + end) for other in taken):
            return end
    return path
