"""The rules by which a move is decided: numbers for kernels, and what they say to people."""

SURE, PLAYED_NUMBER, GUESS, GAMBLE, LIKELY = 1, 2, 3, 4, 5
HINT, WAIT, PASS = 6, 7, 8
DISCARDED_NUMBER, USELESS, RISK = 9, 10, 11

RULES = {
    SURE: "play the most urgent card that is surely playable",
    PLAYED_NUMBER: "play the one of several playable cards that announces the sum",
    GUESS: "last round: play the only card that may be playable",
    GAMBLE: "play a card that is playable or dead, probably playable",
    LIKELY: "play a card that may be playable",
    HINT: "hint",
    WAIT: "last turns: hint and let others play first",
    PASS: "no hint announces the sum: play what does least harm",
    DISCARDED_NUMBER: "discard the one of several useless cards that announces the sum",
    USELESS: "discard a useless card",
    RISK: "discard the card that costs least",
    0: "nothing else is legal",
}
