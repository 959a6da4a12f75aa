"""Exact beliefs: which hands a seat may hold, given what everybody did and would have done.

From the bottom up: ``hands`` (packed hands, expanding and weighing them), ``past`` (earlier
positions, as the movers saw them), ``filtering`` (who would have moved otherwise), ``support``
(all of it together), ``public`` (what everybody knows, where all seats search).
"""
