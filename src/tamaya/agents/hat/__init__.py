"""Hat players: one hint tells every other seat something, encoded as the sum of their messages."""
