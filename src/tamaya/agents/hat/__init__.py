"""Hat players: one hint tells every other seat something, by the sum of what each should know."""
