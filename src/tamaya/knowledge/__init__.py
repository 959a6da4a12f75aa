"""What follows from a view: copies left, the board, sets of cards, hints, hands, public tables.

Everything that agents, search and encoders work out from the same facts lives here once. Kernels
take a view, a game, or any record that has the fields they read; nothing here knows an agent.
"""
