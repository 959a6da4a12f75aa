"""Search: agents that simulate how the game might continue before they move.

From the bottom up: ``budget`` and ``workspace`` (the cost and the records of one decision),
``team`` (a blueprint in all seats), ``sampling`` (deals that agree with hints, conventions and
moves), ``rollout`` (playing on, and the value of the outcome), ``race`` and ``tree`` (comparing
moves on the same deals, or in a tree), ``belief`` (exact supports), ``endgame``, ``bridge`` (agents
that decide in Python), ``agents``. ``parameters`` has their common vocabulary.
"""
