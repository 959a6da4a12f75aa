"""What follows from a view: copies left, the board, sets of cards, hints, hands, public tables.

This package computes what agents, search and encoders all need. Kernels take a view, a game, or any
record that has the fields they read; nothing here depends on an agent.
"""
