"""The Hanabi Learning Environment's interface: only the import differs.

python examples/instead_of_hle.py
"""

from tamaya.envs.hle import rl_env


def act(observation: dict) -> dict:
    """Plays cards of a rank it was told, tells the next seat the rank of a playable card."""
    fireworks = observation["fireworks"]
    for slot, known in enumerate(observation["card_knowledge"][0]):
        if known["rank"] is not None and known["rank"] in fireworks.values():
            return {"action_type": "PLAY", "card_index": slot}
    for card in observation["observed_hands"][1]:
        if card["rank"] == fireworks[card["color"]] and observation["information_tokens"] > 0:
            return {"action_type": "REVEAL_RANK", "rank": card["rank"], "target_offset": 1}
    return observation["legal_moves"][0]  # a discard, or a hint when all tokens are there


environment = rl_env.make("Hanabi-Full", num_players=2)
points = []
for _ in range(20):
    observations, done = environment.reset(), False
    while not done:
        seat = observations["current_player"]
        move = act(observations["player_observations"][seat])
        observations, reward, done, _ = environment.step(move)
    points.append(sum(environment.state.fireworks()))
print(f"{sum(points) / len(points):.1f} points on the table when the game ends")
print(environment.state)
