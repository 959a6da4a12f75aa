"""A training loop over many games at once: policy gradients with NumPy on a small Hanabi.

python examples/training_loop.py        # a few minutes
"""

import numpy as np

from tamaya import Rules
from tamaya.envs.vector import HanabiVectorEnv

GAMES, ROUNDS, STEPS = 512, 120, 16
rules = Rules(players=2, colours=2, hand_size=2, tokens=3, bomb="keep")
env = HanabiVectorEnv(GAMES, rules)
observations, info = env.reset(seed=0)
policy = np.zeros((observations.shape[1], rules.n_moves), np.float32)
value = np.zeros(observations.shape[1], np.float32)
rng = np.random.default_rng(0)

for number in range(1, ROUNDS + 1):
    batch, scores = [], []
    for _ in range(STEPS):
        seen = observations.astype(np.float32)  # a copy: the environment reuses its arrays
        logits = np.where(info["action_mask"], seen @ policy, -np.inf)
        probs = np.exp(logits - logits.max(axis=1, keepdims=True))
        probs /= probs.sum(axis=1, keepdims=True)
        moves = (probs.cumsum(axis=1) > rng.random((GAMES, 1))).argmax(axis=1)
        observations, rewards, ended, _, info = env.step(moves)
        batch.append((seen, moves, probs, rewards.copy(), ended.copy()))
        if ended.any():
            scores.extend(info["final_score"][ended])
    returns = observations @ value
    for seen, moves, probs, rewards, ended in reversed(batch):
        returns = rewards + np.where(ended, 0, returns)  # of the team, whoever moves
        advantages = (returns - seen @ value)[:, None]
        value += 0.02 / GAMES * (seen.T @ advantages)[:, 0]
        policy += 0.3 / GAMES * seen.T @ ((np.eye(rules.n_moves)[moves] - probs) * advantages)
    if number % 20 == 0:
        print(f"round {number:3}: mean score {np.mean(scores):.2f} of {5 * rules.colours}")
