"""Search: agents that imagine how the game might continue before they move.

From the bottom up: ``budget`` and ``workspace`` (what one decision may cost and works in), ``team``
(a blueprint in all seats), ``sampling`` (deals that agree with hints, conventions and moves),
``rollout`` (playing on, and what it leads to), ``race`` and ``tree`` (comparing moves on the same
deals, or in a tree), ``belief`` (exact supports), ``endgame``, ``bridge`` (agents that decide in
Python), ``agents``. ``parameters`` has the words that all of them share.
"""
