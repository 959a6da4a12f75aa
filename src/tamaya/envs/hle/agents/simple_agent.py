"""An agent of three rules: play what was hinted, hint what is playable, else discard the oldest."""

from typing import Any

from tamaya.envs.hle.rl_env import Agent


class SimpleAgent(Agent):
    """Takes every hint for an invitation to play the card."""

    def __init__(self, config: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        self.config = config
        # This key is not an option of the game, but HLE's agent reads it.
        self.max_information_tokens = config.get("information_tokens", 8)

    @staticmethod
    def playable_card(card: dict[str, Any], fireworks: dict[str, int]) -> bool:
        """Whether a card would score now."""
        return fireworks[card["color"]] == card["rank"]

    def act(self, observation: dict[str, Any]) -> dict[str, Any] | None:
        """The move of the first rule that applies, None if it is not the agent's turn."""
        if observation["current_player_offset"] != 0:
            return None
        tokens = observation["information_tokens"]
        move = self._play_hinted(observation)
        if move is None and tokens > 0:
            move = self._hint_playable(observation)
        if move is None:
            kind = "DISCARD" if tokens < self.max_information_tokens else "PLAY"
            move = {"action_type": kind, "card_index": 0}
        return move

    @staticmethod
    def _play_hinted(observation: dict[str, Any]) -> dict[str, Any] | None:
        for slot, told in enumerate(observation["card_knowledge"][0]):
            if told["color"] is not None or told["rank"] is not None:
                return {"action_type": "PLAY", "card_index": slot}
        return None

    @classmethod
    def _hint_playable(cls, observation: dict[str, Any]) -> dict[str, Any] | None:
        """Hint the colour of the first playable card whose colour its holder does not know."""
        for offset in range(1, observation["num_players"]):
            hand = observation["observed_hands"][offset]
            hints = observation["card_knowledge"][offset]
            for card, told in zip(hand, hints, strict=True):
                if told["color"] is None and cls.playable_card(card, observation["fireworks"]):
                    return {
                        "action_type": "REVEAL_COLOR",
                        "color": card["color"],
                        "target_offset": offset,
                    }
        return None
