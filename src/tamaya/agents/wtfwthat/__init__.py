"""WTFWThat and the agent ``information``: hats that answer questions about all hands at once."""
