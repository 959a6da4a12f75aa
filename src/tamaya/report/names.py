"""Short names of agents, for where there is little room."""

from collections.abc import Iterable, Sequence


def short_names(names: Sequence[str], length: int = 18) -> dict[str, str]:
    """Names that fit beside a chart or a table, all different.

    Long ones keep their beginning and end, and of a path as much of its end as no other has.
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
    """The last parts of a path, as many as it takes to tell it from others."""
    parts, taken = path.split("/"), ["/" + other for other in others]
    for n in range(1, len(parts)):
        end = "/".join(parts[-n:])
        if not any(other.endswith("/" + end) for other in taken):
            return end
    return path
