"""Search: agents that imagine how the game goes on before they move."""
