"""Whole games of David Wu's program, with the values it gave to moves.

Decks in drawing order. Moves as he writes them: ``p2`` plays and ``d4`` discards a slot, the newest
being 0; ``1B`` and ``13`` hint seat 1 blue or rank 3. His colours are R Y G B W, in this order.
"""

from typing import NamedTuple


class ReferenceGame(NamedTuple):
    """A game as the original played it."""

    players: int
    points: int
    misplays: int
    deck: str
    moves: str
    values: dict[int, str]  # turn -> moves and their raw values


GAMES = [
    ReferenceGame(
        2,
        25,
        1,
        "Y3 G4 R1 W3 G1 W5 B1 Y2 G5 R2 B4 W1 W3 B3 R1 Y2 Y4 G4 W1 Y1 R3 G2 R3 G3 G1 Y1 W4 "
        "B2 W4 B5 B2 G2 R4 R5 R4 B1 Y5 R2 Y3 R1 B1 G3 B3 W2 B4 Y4 W1 Y1 W2 G1",
        "1B 01 p0 p3 d2 p0 15 d3 1R p0 d4 p2 d4 03 d3 01 p0 0R 1Y p1 1G p0 13 p0 1G p0 p0 "
        "p1 d1 0B p0 p2 d1 p3 d1 04 p0 0R p0 d3 1G d1 d1 d1 1Y p0 p2 p1 d2 0W d2 0W p0 04 "
        "p0 d1 14 03 14 p2 p3 p3 d4 p4",
        {
            0: (
                "p0 19.019 1R 19.269 1Y 19.577 1G -75 1B 21.420 1W -75 11 21.420 12 "
                "14.787 15 20.728"
            ),
            20: (
                "p0 21.733 d1 21.486 d0 21.797 1G 21.906 1B 20.225 1W 21.017 12 21.888 13 "
                "16.114 14 21.118 15 20.998"
            ),
            45: (
                "p0 23.271 d3 20.859 d0 -11 0R 22.488 0Y 22.494 0W 22.507 02 21.625 03 "
                "22.082 04 21.853"
            ),
        },
    ),
    ReferenceGame(
        3,
        24,
        2,
        "W1 W3 B1 G1 W1 R3 Y1 G1 Y1 Y2 R3 B3 W5 Y5 Y2 W3 W1 B4 B5 G3 B1 B3 R1 B2 R4 W2 W2 "
        "B1 R2 Y3 G4 Y4 G2 R5 R2 R1 G2 Y3 G1 G5 Y4 B4 Y1 B2 G3 W4 G4 R4 W4 R1",
        "11 01 d4 p0 p1 1Y p1 22 p1 p2 p2 d4 12 03 p0 p3 2B p0 1B 22 p0 d4 p0 1R d4 p0 0Y "
        "p0 p4 04 d0 p2 0R p2 d4 05 p1 d4 0B 12 d4 d3 p4 24 p0 23 p2 p2 d4 d4 p3 1G p0 04 "
        "p0 p2 p4 d4",
        {
            0: (
                "p0 16.252 1R 16.450 1Y 16.646 1G 18.817 11 19.280 12 17.503 13 17.873 2R "
                "17.376 2Y 17.053 2B 16.306 2W 17.503 22 16.890 23 16.438 25 17.834"
            ),
            25: (
                "p0 14.845 p1 14.452 d3 14.073 d0 -39 d1 -39 2Y -39 2G 13.216 2W -39 22 "
                "-39 23 -39 25 13.678 0R 13.326 0Y 13.888 0B 13.837 01 13.534 03 13.888 "
                "04 11.484 05 13.533"
            ),
        },
    ),
    ReferenceGame(
        4,
        25,
        1,
        "W1 R1 R2 Y5 Y1 R4 G2 W4 Y4 W1 W3 B1 R4 G2 W2 B2 G1 B2 G4 B1 Y1 W2 R3 B3 Y4 G1 G4 "
        "G3 R5 R3 R1 W5 B4 W4 B5 Y3 Y2 B1 G1 W3 B4 G5 B3 W1 Y2 Y1 G3 R1 Y3 R2",
        "1Y 3B p0 01 p2 3G p0 02 p0 p3 d3 p0 p2 3R d3 p0 p3 2W p1 03 p1 2G p3 05 d2 2Y d0 "
        "p3 1W d3 0R d0 p1 p2 12 1G d1 0Y d3 04 d0 35 p1 d3 24 p3 p2 2Y p2 p1 p1 p1 p2 35 "
        "p3 p1 p3",
        {
            0: (
                "p0 16.052 1R 16.964 1Y 18.986 1G 16.828 1W 16.482 11 18.986 12 17.652 14 "
                "17.148 2Y 17.377 2B 18.348 2W 17.388 21 18.889 23 17.638 24 17.627 3R "
                "17.377 3G 16.432 3B 18.888 3W 16.432 32 17.029 34 17.627"
            ),
            25: ("p0 15.483 d3 17.583 2Y 21.601 24 20.981 05 18.951"),
        },
    ),
]
