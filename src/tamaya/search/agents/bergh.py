"""Van den Bergh's Monte Carlo player (with others, BNAIC 2016): short play-outs by random players.

    bergh-2015-mc:depth=5,rollouts=1000

Every move is tried in ``rollouts`` play-outs, each on a deal of its own that agrees with the hints.
After the move random players go on until ``depth`` turns have been made, the move included. The
position after turn d is worth the points gained since now, minus 1 for the first error, 2 for the
second and so on; a play-out is worth the sum of d times that, and the move with the highest mean
wins. Errors never end a play-out; where the game ends sooner, its last position counts for the
turns that are missing.

Random players never play what they know to be unplayable, and prefer cards about which they know
more. Beyond that the paper leaves them open; here they play, discard or hint with equal chances, as
far as each is possible. A card is played with a weight of 1 over the identities that it may have by
hints and by the cards in sight (``counting=false``: by hints alone, as the paper may mean it), and
a hint names the colour or the rank of a random card of a random other player. Hints that touch
nothing are not tried.
"""

import numpy as np

from tamaya.agent import Params, agent
from tamaya.agents.bergh.player import RULES
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, apply_move, legal_mask, nth_move
from tamaya.knowledge.board import playable_mask, public_copies
from tamaya.knowledge.copies import cards_in, unseen_by
from tamaya.knowledge.hands import filled_slots, nth_slot, seat_from
from tamaya.moves import NO_MOVE, discard, hint_colour, hint_rank, move_phrase, play
from tamaya.records import RUNNING, record
from tamaya.rng import random_below, random_unit, seed_of
from tamaya.search.agents.depth_one import sizes
from tamaya.search.race import mean_and_error
from tamaya.search.workspace import N_IDS, draw_deal, new_workspace, random_seed

ENDLESS = 100  # lives, more than cards that can be misplayed
SUMS = record([
    ("n", np.int64),             # play-outs that began with the move
    ("total", np.float64),       # of their values
    ("squares", np.float64),
])  # fmt: skip


# The random players.


@hot
def holdable_cards(game, counting):
    """The cards that the mover may hold by what it sees; all of them if it does not count."""
    if not counting:
        return np.int64(game.all_cards)
    return np.int64(cards_in(unseen_by(game, game.mover, public_copies(game))))


@hot
def play_weight(game, slot, playable, holdable):
    """How much a random mover likes to play a slot; 0 for what it knows to be unplayable."""
    possible = game.possible[game.mover, slot] & holdable
    return 1.0 / popcount(possible) if possible & playable else 0.0


@hot
def slot_to_play(game, playable, holdable, total, memory):
    """A slot drawn by the weights, whose sum is given and positive."""
    rest, chosen = random_unit(memory) * total, -1
    for slot in range(game.hand_size):
        weight = play_weight(game, slot, playable, holdable)
        if weight > 0.0:
            chosen = slot
            rest -= weight
            if rest < 0.0:
                break
    return chosen


@hot
def offsets_with_cards(game):
    """Offsets of the other seats that hold cards, as bits."""
    offsets = 0
    for offset in range(1, game.players):
        if game.n_cards[seat_from(game, game.mover, offset)] > 0:
            offsets |= 1 << offset
    return offsets


@hot
def random_hint(game, offsets, memory):
    """The colour or rank of a random card of one of some seats."""
    offset = nth_slot(offsets, random_below(memory, popcount(offsets)))
    seat = seat_from(game, game.mover, offset)
    slots = filled_slots(game, seat)
    card = game.card[seat, nth_slot(slots, random_below(memory, popcount(slots)))]
    if random_below(memory, 2) == 0:
        return hint_colour(game, offset, card // 5)
    return hint_rank(game, offset, card % 5)


@hot
def random_player_move(game, counting, memory):
    """The move of a random player: a play, a discard or a hint; NO_MOVE if there is none."""
    playable, holdable, total = playable_mask(game), holdable_cards(game, counting), 0.0
    for slot in range(game.hand_size):
        total += play_weight(game, slot, playable, holdable)
    slots = filled_slots(game, game.mover)
    offsets = offsets_with_cards(game) if game.tokens > 0 else 0
    may_play, may_hint = int(total > 0.0), int(offsets != 0)
    may_discard = int(slots != 0 and (game.tokens < game.max_tokens or game.discard_at_full != 0))
    if may_play + may_discard + may_hint == 0:
        legal = legal_mask(game)
        return nth_move(legal, random_below(memory, popcount(legal))) if legal else NO_MOVE
    kind = random_below(memory, may_play + may_discard + may_hint)
    if kind < may_play:
        return play(game, slot_to_play(game, playable, holdable, total, memory))
    if kind < may_play + may_discard:
        return discard(game, nth_slot(slots, random_below(memory, popcount(slots))))
    return random_hint(game, offsets, memory)


# Play-outs and the decision.


@hot
def value_of_play_out(game, move, params, memory):
    """Make a move, let random players go on, and add up what the turns are worth."""
    points, lives = np.int64(game.points), np.int64(game.lives)
    total, value = 0, 0
    for turn in range(1, params.depth + 1):
        if game.status == RUNNING:
            if turn > 1:
                move = random_player_move(game, params.counting, memory)
            if move != NO_MOVE:
                apply_move(game, move)
                errors = lives - game.lives
                value = game.points - points - errors * (errors + 1) // 2
        total += turn * value
    return total


@hot
def try_moves(view, seed, params, sums):
    """Try every move that is not an empty hint and add up what its play-outs are worth."""
    workspace = new_workspace(view, params.rollouts, 0.0)
    now, dice, n_deals = workspace.now[0], workspace.dice[0], 0
    now.lives = ENDLESS
    now.empty_hints = 0
    legal = legal_mask(now)
    for move in range(N_IDS):
        if not legal & MOVE_BIT[move]:
            continue
        for _ in range(params.rollouts):
            game = draw_deal(workspace, seed_of(seed, n_deals))
            n_deals += 1
            value = float(value_of_play_out(game, move, params, dice))
            sums[move].n += 1
            sums[move].total += value
            sums[move].squares += value * value


@hot
def best_mean(sums):
    """The move with the highest mean, the lowest of equal ones; NO_MOVE if none was tried."""
    best, most = NO_MOVE, -np.inf
    for move in range(N_IDS):
        if sums[move].n > 0 and sums[move].total / sums[move].n > most:
            best, most = move, sums[move].total / sums[move].n
    return best


@agent(
    "bergh-2015-mc",
    params=Params(
        {"depth": 5, "rollouts": 500, "counting": True}, least={"depth": 1, "rollouts": 1}
    ),
    source="Van den Bergh et al. 2016",
    slow=True,
    made_for=RULES,
)
def bergh_2015_mc(view, memory, params):
    """Tries every move in short play-outs of random players, who never lose by errors."""
    sums = np.zeros(N_IDS, SUMS)
    try_moves(view, random_seed(memory), params, sums)
    best = best_mean(sums)
    return best if best != NO_MOVE else nth_move(legal_mask(view), 0)


@bergh_2015_mc.explain
def explain_monte_carlo(view, memory, params):
    """Every move that was tried, the best first: the mean value of its play-outs."""
    sums = np.zeros(N_IDS, SUMS)
    seed = np.uint64(random_seed(memory.copy()))  # so that explaining does not affect the game
    try_moves(view, seed, params, sums)
    rules, tried = sizes(view), np.flatnonzero(sums["n"])
    rows = []
    for move in sorted(tried, key=lambda move: -sums["total"][move] / sums["n"][move]):
        mean, error = mean_and_error(*sums[move])
        rows.append((move_phrase(rules, int(move)), f"{mean:.2f} ± {error:.2f}"))
    return rows
