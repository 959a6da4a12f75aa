"""Rule agents: ordered lists of small rules, of which the first that applies makes the move."""
